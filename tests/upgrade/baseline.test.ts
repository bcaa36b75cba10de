/** The baseline makes the tables that the 53 migrations before it made, and takes their place in a database of 0.2.0. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { findBeforeBaseline, TOO_EARLY } from "#db/before-baseline.ts";
import type { Database } from "#db/client.ts";
import { listMissingMigrations, MigrationError, migrateDatabase } from "#db/migrate.ts";
import { compareMigrations, listMigrations, readAppliedMigrations, runMigrations, takesAway } from "#db/migrations.ts";
import { probeTables } from "#db/probe-database.ts";
import type { Sql } from "#db/sql.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { createEmptyDatabases } from "#tests/helpers/empty-databases.ts";

/** `pg_dump` of an empty site of the last 0.2.0 (commit b107dd09), with the rows of drizzle.__drizzle_migrations. */
const DUMP = gunzipSync(readFileSync(path.join(import.meta.dirname, "tables-0.2.0.sql.gz"))).toString();

let server: TestDatabase;
let empty: ReturnType<typeof createEmptyDatabases>;
before(async () => {
  server = await createTestDatabase();
  empty = createEmptyDatabases(server, 1);
});
after(async () => {
  await empty?.drop();
  await server.drop();
});

/** A site of 0.2.0. */
async function databaseOfBefore(): Promise<Database & { url: string }> {
  const database = await empty.create();
  await database.sql.unsafe(`${DUMP}; RESET ALL`);
  return database;
}

/**
 * Everything that pg_dump would write of schema public, one line a thing. Parentheses of conditions are left out: what a dump says
 * and Postgres reads again nests them otherwise.
 */
async function describeTables(sql: Sql): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    WITH ours AS (
      SELECT c.* FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND NOT EXISTS (
        SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'))
    SELECT format('%s %s %s %s %s %s', relkind, relname, relpersistence, reloptions, pg_get_partkeydef(oid),
      obj_description(oid, 'pg_class')) AS line FROM ours
    UNION ALL SELECT format('column %s.%s %s: %s %s %s %s%s %s', relname,
        row_number() OVER (PARTITION BY c.oid ORDER BY attnum), attname, format_type(atttypid, atttypmod), attnotnull,
        pg_get_expr(adbin, adrelid), attidentity, attgenerated, col_description(c.oid, attnum))
      FROM ours c JOIN pg_attribute a ON a.attrelid = c.oid AND attnum > 0 AND NOT attisdropped
        LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = attnum WHERE relkind IN ('r', 'p')
    UNION ALL SELECT format('constraint %s.%s %s', relname, conname, translate(pg_get_constraintdef(k.oid), '()', ''))
      FROM ours c JOIN pg_constraint k ON k.conrelid = c.oid
    UNION ALL SELECT format('index %s', pg_get_indexdef(oid)) FROM ours WHERE relkind IN ('i', 'I')
    UNION ALL SELECT format('trigger %s', translate(pg_get_triggerdef(t.oid), '()', ''))
      FROM ours c JOIN pg_trigger t ON t.tgrelid = c.oid AND NOT tgisinternal
    UNION ALL SELECT format('function %s %s', pg_get_functiondef(p.oid), obj_description(p.oid, 'pg_proc')) FROM pg_proc p
      WHERE pronamespace = 'public'::regnamespace AND NOT EXISTS (
        SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
    UNION ALL SELECT format('sequence %s', (s.*)::text) FROM pg_sequences s WHERE schemaname = 'public'
    UNION ALL SELECT format('extension %s', extname) FROM pg_extension ORDER BY line`;
  return rows.map(({ line }) => line);
}

const hashes = () => listMigrations().map(({ hash }) => hash);

test("the baseline makes the tables that the migrations before it made, column by column", async () => {
  const [then, now] = [await databaseOfBefore(), await empty.create()];
  await now.sql.begin((transaction) => runMigrations(transaction, listMigrations().slice(0, 1)));
  const tables = await describeTables(then.sql);
  assert.ok(tables.length > 1000, String(tables.length));
  assert.deepEqual(await describeTables(now.sql), tables);
});

test("a database of 0.2.0 is brought over: one row for its 53, its rows as they were, and the tables of a new site", async () => {
  const [then, now] = [await databaseOfBefore(), await empty.create()];
  assert.equal(findBeforeBaseline(await readAppliedMigrations(then.sql)), "all");
  await then.sql`INSERT INTO users (email) VALUES ('ada@example.org')`;
  assert.match((await probeTables(then.url))?.text ?? "", /earlier version/);
  assert.ok((await listMissingMigrations(then.url)).some(takesAway), "so it is refused while processes of 0.2.0 run");
  await Promise.all([migrateDatabase(then.url), migrateDatabase(then.url), migrateDatabase(now.url)]);
  assert.deepEqual(await readAppliedMigrations(then.sql), hashes());
  assert.deepEqual(await describeTables(then.sql), await describeTables(now.sql));
  assert.equal((await then.sql`SELECT FROM users WHERE email = 'ada@example.org'`).length, 1);
  assert.equal(await probeTables(then.url), null);
});

test("a database that stopped before the last of them is refused and left as it is", async () => {
  const then = await databaseOfBefore();
  await then.sql`DELETE FROM drizzle.__drizzle_migrations WHERE id = 53`;
  const applied = await readAppliedMigrations(then.sql);
  await assert.rejects(migrateDatabase(then.url), (error) => {
    assert.ok(error instanceof MigrationError);
    assert.equal(error.message, `The database can't be brought up to date: ${TOO_EARLY}.`);
    return true;
  });
  assert.ok((await probeTables(then.url))?.text.includes(TOO_EARLY));
  assert.deepEqual(await readAppliedMigrations(then.sql), applied);
});

test("migrations that only begin like those before the baseline are somebody else's", async () => {
  const applied = await readAppliedMigrations((await databaseOfBefore()).sql);
  const foreign = { kind: "foreign", why: null };
  assert.deepEqual(compareMigrations(applied.with(30, "f".repeat(64)), listMigrations()), foreign);
  assert.deepEqual(compareMigrations([...applied, "f".repeat(64)], listMigrations()), foreign);
});
