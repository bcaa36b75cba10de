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

test("a collector is alive by the database's clock, whatever this machine's own says", async (t) => {
  const pulse = (ago: string) => testDb.sql`
    insert into collector_process (collector_id, started_at, last_tick_at)
    values ('00000000-0000-4000-8000-000000000001', now(), now() - ${ago}::interval)
    on conflict (collector_id) do update set last_tick_at = excluded.last_tick_at`;
  assert.equal((await look()).collector, false);
  await pulse("31 seconds");
  assert.equal((await look()).collector, false);
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 3_600_000 });
  await pulse("1 second");
  assert.equal((await look()).collector, true);
  t.mock.timers.setTime(Date.now() - 7_200_000);
  await pulse("31 seconds");
  assert.equal((await look()).collector, false);
  await testDb.sql`delete from collector_process`;
});

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
