/** A web process on a machine of its own says how the first admin is made, until there is one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createAdmin } from "#domain/accounts/first-admin.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { warnWithoutAdmin } from "./admin-missing.ts";

test("it names the command while nobody is an admin, makes no link, and is silent with one or without a database", async () => {
  const database = await createTestDatabase();
  const said: string[] = [];
  const log = { warn: (text: string) => said.push(text), debug: () => {} } as Parameters<typeof warnWithoutAdmin>[1];
  await warnWithoutAdmin({ databaseUrl: database.url }, log);
  assert.equal(said.length, 1);
  assert.match(said[0] ?? "", /spawnpoint create-admin/);
  const [tokens] = await database.sql`select count(*)::int as n from verifications`;
  assert.equal(tokens?.n, 0);
  await createAdmin(database.db, "boss@example.org");
  await warnWithoutAdmin({ databaseUrl: database.url }, log);
  await warnWithoutAdmin({ databaseUrl: "postgres://nobody@127.0.0.1:1/nothing" }, log);
  assert.equal(said.length, 1);
  await database.drop();
});
