/** What readiness is judged by: tables that this version can work with, to the newest migration. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connectDatabase, type Database } from "#db/client.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { checkReadiness } from "./health.ts";

let testDb: TestDatabase;
let database: Database;

before(async () => {
  testDb = await createTestDatabase();
  database = connectDatabase({ databaseUrl: testDb.url }, { max: 2 });
});

after(async () => {
  await database.close();
  await testDb.drop();
});

const look = async () => (await checkReadiness(database, { connected: () => true }, false)).checks;

test("tables that are behind are not ready, those of the next version are", async () => {
  const { sql } = testDb;
  assert.equal((await look()).migrations, true);
  await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${"f".repeat(64)}, 9999999999999)`;
  assert.equal((await look()).migrations, true);
  await sql`delete from drizzle.__drizzle_migrations where id >= (select max(id) - 1 from drizzle.__drizzle_migrations)`;
  assert.deepEqual(await look(), { database: true, migrations: false, live: true, collector: false, stopping: false });
  await sql`drop schema drizzle cascade`;
  assert.equal((await look()).migrations, false);
});
