/** Migrations on a real Postgres: two at once, one killed half-way, one that has to wait, and a database of another version. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "#db/client.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { createEmptyDatabases } from "#tests/helpers/empty-databases.ts";
import installed from "../package.json" with { type: "json" };
import { MigrationError, migrateDatabase } from "./migrate.ts";
import { compareMigrations, listMigrations, readAppliedMigrations, runMigrations } from "./migrations.ts";
import { probeTables } from "./probe-database.ts";
import { createQueryable } from "./sql.ts";

/** The last migration that changes this table: it waits for transactions that read it. */
const ON_SERVERS = listMigrations().findLastIndex(({ sql }) => sql.join().includes('ALTER TABLE "gameserver"'));

let server: TestDatabase;
let empty: ReturnType<typeof createEmptyDatabases>;
before(async () => {
  server = await createTestDatabase();
  empty = createEmptyDatabases(server, 2);
});
after(async () => {
  await empty?.drop();
  await server.drop();
});

/** A database that has been through so many migrations. */
async function databaseAt(steps: number): Promise<Database & { url: string }> {
  const database = await empty.create();
  if (steps > 0)
    await database.sql.begin((transaction) => runMigrations(transaction, listMigrations().slice(0, steps)));
  return database;
}

function startMigrator(databaseUrl: string): ChildProcess {
  return spawn(process.execPath, [path.join(import.meta.dirname, "../cli/spawnpoint.ts"), "migrate"], {
    env: { ...process.env, DATABASE_URL: databaseUrl, LOG_LEVEL: "silent" },
    stdio: "ignore",
  });
}

/** Waits until somebody waits for a lock of this database. */
async function untilSomebodyWaits({ sql }: Database): Promise<void> {
  const waiting = () => sql`
    SELECT FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  while ((await waiting()).length === 0) await pause(10);
}

test("two processes at once bring an empty database up, each migration once", async () => {
  const database = await databaseAt(0);
  const ends = await Promise.all([0, 1].map(() => once(startMigrator(database.url), "exit")));
  assert.deepEqual(
    ends.map(([code]) => code),
    [0, 0],
  );
  assert.deepEqual(
    await readAppliedMigrations(database.sql),
    listMigrations().map(({ hash }) => hash),
  );
});

test("killed half-way it leaves what was there before, and the next run does all of it", async () => {
  const database = await databaseAt(ON_SERVERS);
  await database.sql`INSERT INTO contacts (name, email, message, locale) VALUES ('Ada', 'a@example.org', 'Hello', 'en')`;
  const before = await readAppliedMigrations(database.sql);
  const reader = await database.connect();
  await createQueryable(reader.query).unsafe(
    "BEGIN; LOCK TABLE gameserver IN ACCESS SHARE MODE; LOCK TABLE gameserver IN ROW EXCLUSIVE MODE",
  );
  const migrator = startMigrator(database.url);
  await untilSomebodyWaits(database);
  migrator.kill("SIGKILL");
  await once(migrator, "exit");
  await reader.query({ text: "ROLLBACK" });
  reader.release();
  assert.deepEqual(await readAppliedMigrations(database.sql), before);
  await migrateDatabase(database.url);
  assert.equal((await readAppliedMigrations(database.sql)).length, listMigrations().length);
  assert.equal((await database.sql`SELECT FROM contacts`).length, 1);
});

test("it waits for a backup that is under way, and holds nothing meanwhile that others would wait for", async () => {
  const database = await databaseAt(ON_SERVERS);
  const backup = await database.connect();
  await backup.query({ text: "SELECT pg_advisory_lock_shared(5773100)" });
  const migrated = migrateDatabase(database.url);
  await untilSomebodyWaits(database);
  await database.sql`SELECT FROM contacts`;
  await backup.query({ text: "SELECT pg_advisory_unlock_shared(5773100)" });
  backup.release();
  await migrated;
});

test("tables of a newer version are left as they are, those of something else are refused", async () => {
  const database = await databaseAt(listMigrations().length);
  await database.sql`INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES (${"f".repeat(64)}, 9999999999999)`;
  await migrateDatabase(database.url);
  const mark = (since: string) =>
    database.sql.unsafe(`COMMENT ON TABLE drizzle.__drizzle_migrations IS '{"version":"99.1.0","since":"${since}"}'`);
  await mark(installed.version);
  await migrateDatabase(database.url);
  assert.equal(
    await probeTables(database.url),
    null,
    "the next version has made them, and says that this one can use them",
  );
  await mark("99.0.0");
  const tooOld = /those of Spawnpoint 99\.1\.0, which versions from 99\.0\.0 on can use; this is/;
  await assert.rejects(migrateDatabase(database.url), tooOld);
  assert.match((await probeTables(database.url))?.text ?? "", tooOld);
  await database.sql`COMMENT ON TABLE drizzle.__drizzle_migrations IS 'a note of the operator'`;
  await migrateDatabase(database.url);
  const applied = await readAppliedMigrations(database.sql);
  assert.deepEqual(compareMigrations(applied, listMigrations()), { kind: "newer", steps: listMigrations().length });
  await database.sql`UPDATE drizzle.__drizzle_migrations SET hash = ${"0".repeat(64)} WHERE id = 1`;
  await assert.rejects(migrateDatabase(database.url), MigrationError);
});

test("who migrates leaves word which versions can use the tables", async () => {
  const database = await databaseAt(listMigrations().length - 1);
  await migrateDatabase(database.url);
  const [row] =
    await database.sql`SELECT obj_description('drizzle.__drizzle_migrations'::regclass, 'pg_class') AS mark`;
  assert.deepEqual(JSON.parse(row?.mark), { version: installed.version, since: installed.tablesSince });
});

test("each migration comes after the one before, so that none is passed over", () => {
  const times = listMigrations().map(({ folderMillis }) => folderMillis);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  assert.equal(new Set(times).size, times.length);
});
