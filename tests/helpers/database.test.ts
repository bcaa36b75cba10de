import assert from "node:assert/strict";
import { test } from "node:test";
import { connectDatabase } from "#db/client.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";

test("two test databases have all tables and know nothing of each other", async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await one.sql`CREATE TABLE mark ()`;
  const tables = await other.sql<{ tablename: string }[]>`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`;
  const names = tables.map((table) => table.tablename);
  assert.ok(names.includes("games") && names.includes("gameserver") && names.includes("gameserver_live_metrics"));
  assert.ok(!names.includes("mark"));
  await Promise.all([one.drop(), other.drop()]);
});

test("a dropped database is gone", async () => {
  const database = await createTestDatabase();
  await database.drop();
  const { sql, close } = connectDatabase({ databaseUrl: database.url });
  await assert.rejects(sql`SELECT 1`, /does not exist/);
  await close();
});
