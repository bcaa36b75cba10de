/** Out of one real Postgres and into another database: one moment, the same rows, and nothing when anything is wrong. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { pino } from "pino";
import { connectDatabase } from "#db/client.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { listMigrations } from "#db/migrations.ts";
import { listTables, readFingerprint } from "#db/table-catalog.ts";
import { createObjectStorage, type S3Settings, StorageError } from "#outside/object-storage.ts";
import { startS3Store } from "#tests/heavy/s3-store.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { type Entry, repack } from "#tests/helpers/repack-backup.ts";
import { nameWithCheck } from "#web/shared-secret.ts";
import { makeBackup } from "./make-backup.ts";
import { openBackup } from "./read-backup-file.ts";
import { restoreBackup } from "./restore-backup.ts";
import { BackupFileError } from "./tar-entries.ts";

const log = pino({ level: "silent" });
const SECRET = "a secret of at least thirty-two characters";
let site: TestDatabase;
let folder: string;
let file: string;
const drops: (() => Promise<unknown>)[] = [];

/** A database without anything in it. */
async function emptyDatabase(): Promise<string> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  await site.sql.unsafe(`CREATE DATABASE ${name} TEMPLATE template0`);
  drops.push(() => site.sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`));
  const url = new URL(site.url);
  url.pathname = `/${name}`;
  return url.href;
}

async function ask<T>(databaseUrl: string, work: (sql: TestDatabase["sql"]) => Promise<T>): Promise<T> {
  const { sql, close } = connectDatabase({ databaseUrl }, { max: 1 });
  return work(sql).finally(close);
}

/** Every table with its rows and fingerprint. */
const contents = (databaseUrl: string) =>
  ask(databaseUrl, async (sql) => {
    await sql`SET timezone = 'UTC'`;
    const found: Record<string, string> = {};
    for (const table of await listTables(sql)) {
      if (table.unlogged) continue;
      const { rows, fingerprint } = await readFingerprint(sql, table);
      found[table.name] = `${rows} ${fingerprint}`;
    }
    return found;
  });

const place = () => mkdtemp(path.join(folder, "place-"));

before(async () => {
  site = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), "spawnpoint-backup-"));
  await fillSite(site.sql);
  const dataDir = path.join(folder, "site");
  await mkdir(path.join(dataDir, "secrets"), { recursive: true });
  await writeFile(path.join(dataDir, "secrets", "auth"), SECRET);
  await mkdir(path.join(dataDir, "buckets", "avatars"), { recursive: true });
  await writeFile(path.join(dataDir, "buckets", "avatars", "0b6c7a52-9f5e-4a53-8f4b-2f3ad2f1f0aa.webp"), "picture");
  file = path.join(folder, "site.tar.zst");
  const made = await makeBackup({ dataDir }, site.url, file, { scheduled: false });
  assert.deepEqual([made.files, made.leftOut], [1, ["somebody_elses"]]);
});

after(async () => {
  for (const drop of drops) await drop();
  await site.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Every sort of thing that rows are made of: text with all that COPY escapes, arrays, JSON, times without end, days of samples. */
async function fillSite(sql: TestDatabase["sql"]): Promise<void> {
  await sql.unsafe(`
    INSERT INTO users (email, ban_reason, banned_until) VALUES
      ('a@example.org', E'tab\\t line\\n back\\\\slash \\\\. \\\\N \\r "quoted" ünï', 'infinity'), ('b@example.org', NULL, NULL);
    INSERT INTO profiles (user_id, user_nick_name) SELECT user_id, email FROM users;
    INSERT INTO sessions (user_id, token_hash, expires_at) SELECT user_id, email, now() + interval '1 day' FROM users;
    INSERT INTO audit_events (what) SELECT 'sign_in' FROM generate_series(1, 3);
    INSERT INTO games (game_name, game_acronym, game_slug, tagline, description)
      VALUES ('A game', 'AG', 'a-game', '{"en": "x\\ty"}', '{"en": "é\\n"}');
    INSERT INTO gameserver (game_id, server_name, adapter, mods)
      SELECT game_id, 'One', 'a2s', array['a,b', '"c"', ''] FROM games;
    CREATE TABLE gameserver_sample_20200229 PARTITION OF gameserver_sample
      FOR VALUES FROM ('2020-02-29T00:00:00Z') TO ('2020-03-01T00:00:00Z');
    INSERT INTO gameserver_sample (server_id, asked_at, status) VALUES (1, '2020-02-29T23:59:59.999999Z', 'online');
    INSERT INTO rate_limits VALUES ('x', 1, now());
    CREATE TABLE somebody_elses (a int)`);
}

describe("restored into an empty database", () => {
  let url: string;
  let dataDir: string;
  before(async () => {
    url = await emptyDatabase();
    dataDir = path.join(await place(), "new");
    const backup = await openBackup(file);
    await restoreBackup(backup, { dataDir, databaseUrl: url }, log);
    await backup.close();
  });

  test("every row is the same, but nobody is signed in", async () => {
    const { somebody_elses: _, sessions: __, backups: ___, ...then } = await contents(site.url);
    const { sessions, backups, ...now } = await contents(url);
    assert.deepEqual(now, then);
    assert.equal(sessions, "0 0");
    assert.ok(backups !== undefined);
  });

  test("counters go on, triggers work, files and secrets are there for their owner alone", async () => {
    await ask(url, async (sql) => {
      const [game] = await sql<{ server_id: number }[]>`
        INSERT INTO gameserver (game_id, server_name, adapter) SELECT game_id, 'Two', 'a2s' FROM games RETURNING server_id`;
      assert.equal(game?.server_id, 2);
      assert.equal((await sql`SELECT FROM gameserver_live_metrics WHERE server_id = 2`).length, 1);
      await assert.rejects(sql`UPDATE audit_events SET what = 'x'`);
    });
    const secret = await stat(path.join(dataDir, "secrets", "auth"));
    assert.equal(secret.mode & 0o777, 0o600);
    const { size } = await stat(path.join(dataDir, "buckets/avatars/0b6c7a52-9f5e-4a53-8f4b-2f3ad2f1f0aa.webp"));
    assert.equal(size, 7);
    assert.ok(!(await readdir(dataDir)).includes("restore-unfinished"));
  });
});

test("a place that is not empty is refused, and nothing in it changes", async () => {
  const backup = await openBackup(file);
  const refused = (given: { dataDir: string; databaseUrl: string; authSecret?: string }, why: RegExp) =>
    assert.rejects(
      restoreBackup(backup, given, log),
      (error) => error instanceof BackupFileError && why.test(error.message),
    );
  const before = await contents(site.url);
  const dataDir = await place();
  await refused({ dataDir, databaseUrl: site.url }, /database is not empty/);
  assert.deepEqual(await contents(site.url), before);
  await writeFile(path.join(dataDir, "mine"), "mine");
  await refused({ dataDir, databaseUrl: await emptyDatabase() }, /is not empty \(mine\)/);
  assert.deepEqual(
    (await readdir(dataDir)).filter((name) => !/^(lock|holder)/.test(name)),
    ["mine"],
  );
  await refused(
    { dataDir: await place(), databaseUrl: await emptyDatabase(), authSecret: "x".repeat(32) },
    /AUTH_SECRET is not that/,
  );
  await backup.close();
});

describe("a hostile backup leaves an empty database and an empty folder behind", () => {
  const row = (name: string, change: (text: string) => string) => (entries: Entry[]) =>
    entries.map(([entry, bytes]): Entry => [entry, entry === name ? Buffer.from(change(bytes.toString())) : bytes]);
  const manifest = (change: (text: string) => string) => row("manifest.json", change);
  const cases: [about: string, change: (entries: Entry[]) => Entry[], why: RegExp][] = [
    ["rows that are no rows", row("database/users/000001.copy", () => "a\tb\n"), /refuses rows of users/],
    ["a row twice", row("database/users/000001.copy", (text) => text + text), /refuses rows of users/],
    ["a row of nobody", row("database/users/000001.copy", (text) => `${text.split("\n")[0]}\n`), /refuses rows of/],
    [
      "one row less",
      row("database/audit_events/000001.copy", (text) => `${text.split("\n")[0]}\n`),
      /audit_events has 1 rows now and had 3/,
    ],
    ["an end in the middle", row("database/audit_events/000001.copy", (text) => `\\.\n${text}`), /audit_events/],
    [
      "a changed row",
      row("database/audit_events/000001.copy", (text) => text.replace("sign_in", "sign_on")),
      /not the same/,
    ],
    [
      "another counter",
      row("summary.json", (text) =>
        text.replace('"audit_events",\n   "column": "event_id"', '"users",\n   "column": "user_id"'),
      ),
      /counter of users.user_id/,
    ],
    [
      "a table of the server's",
      manifest((text) => text.replace('"ip_blocks"', '"pg_authid"')),
      /makes no sense|pg_authid/,
    ],
    [
      "columns of another table",
      manifest((text) => text.replace('"ban_reason"', '"password_hash"')),
      /table users is not one/,
    ],
    [
      "a day that is none",
      manifest((text) => text.replace("gameserver_sample_20200229", "gameserver_sample_20209999")),
      /is no day/,
    ],
    ["another secret", row("secrets/auth", () => "x".repeat(40)), /AUTH_SECRET is a setting/],
  ];
  // One place for all of them: each finds it as empty as the first.
  let databaseUrl: string;
  let dataDir: string;
  before(async () => {
    databaseUrl = await emptyDatabase();
    dataDir = await place();
  });
  for (const [about, change, why] of cases) {
    test(about, async () => {
      const hostile = path.join(await place(), "hostile.tar.zst");
      await repack(file, hostile, change);
      await assert.rejects(
        async () => {
          const backup = await openBackup(hostile);
          await restoreBackup(backup, { dataDir, databaseUrl }, log).finally(() => backup.close());
        },
        (error) => {
          assert.ok(error instanceof BackupFileError, String(error));
          assert.match(error.message, why);
          return true;
        },
      );
      assert.deepEqual(await contents(databaseUrl), {});
      assert.deepEqual(
        (await readdir(dataDir)).filter((name) => !/^(lock|holder)/.test(name)),
        [],
      );
    });
  }
});

test("the files of one S3 store come into another: not where any are, and none of a store without its buckets", async () => {
  const [from, to] = [await startS3Store(), await startS3Store()];
  const KEY = "0b6c7a52-9f5e-4a53-8f4b-2f3ad2f1f0aa.webp";
  const about = { type: "image/webp", cacheControl: "no-store" };
  const dataDir = path.join(folder, "site");
  const target = path.join(folder, "of-s3.tar.zst");
  const make = (s3: S3Settings) => makeBackup({ dataDir, s3 }, site.url, target, { scheduled: false });
  try {
    const source = createObjectStorage({ dataDir, s3: from.settings });
    for (const bucket of ["avatars", "media"]) await source.put(bucket, KEY, Buffer.from(`of ${bucket}`), about);
    await assert.rejects(make({ ...from.settings, bucketPrefix: "nobodys-" }), StorageError);
    assert.equal(existsSync(target), false);
    assert.equal((await make(from.settings)).files, 2);

    const backup = await openBackup(target);
    const given = { dataDir: await place(), databaseUrl: await emptyDatabase(), s3: to.settings };
    const restored = createObjectStorage(given);
    await restored.put("media", KEY, Buffer.from("somebody's"), about);
    await assert.rejects(restoreBackup(backup, given, log), /the buckets are not empty/);
    assert.equal(String(await restored.find("media", KEY)), "somebody's");
    await restored.remove("media", KEY);
    await restoreBackup(backup, given, log);
    await backup.close();
    for (const bucket of ["avatars", "media"]) assert.equal(String(await restored.find(bucket, KEY)), `of ${bucket}`);
    assert.ok(!(await readdir(given.dataDir)).includes("buckets"), "what the store has is not in the folder as well");
  } finally {
    await from.stop();
    await to.stop();
  }
});

test("no backup is made with a secret that is not the site's: none there, or another than the running site has", async () => {
  const target = path.join(folder, "of-nobody.tar.zst");
  const make = (dataDir: string) => makeBackup({ dataDir }, site.url, target, { scheduled: false });
  const dataDir = await place();
  await assert.rejects(make(dataDir), /There is no secret in .* not the data folder of the site/);
  assert.deepEqual(await readdir(dataDir), [], "none was made");
  await mkdir(path.join(dataDir, "secrets"));
  await writeFile(path.join(dataDir, "secrets", "auth"), "x".repeat(43));
  const web = connectDatabase({ databaseUrl: site.url }, { max: 1, applicationName: nameWithCheck(SECRET) });
  await web.sql`SELECT 1`;
  try {
    await assert.rejects(make(dataDir), /runs with another secret/);
    assert.equal(existsSync(target), false);
    await make(path.join(folder, "site"));
  } finally {
    await web.close();
  }
});

test("a home of npm's is an empty place, and a restore that was killed there begins anew", async () => {
  const dataDir = await place();
  await mkdir(path.join(dataDir, ".npm", "_logs"), { recursive: true });
  // Killed before it had written whose mark it is.
  await writeFile(path.join(dataDir, "restore-unfinished"), "");
  await mkdir(path.join(dataDir, "secrets"));
  await writeFile(path.join(dataDir, "secrets", "auth"), "half of a");
  const backup = await openBackup(file);
  await restoreBackup(backup, { dataDir, databaseUrl: await emptyDatabase() }, log);
  await backup.close();
  assert.deepEqual(
    (await readdir(dataDir)).filter((name) => !/^(lock|holder)/.test(name)),
    [".npm", "buckets", "secrets"],
  );
});

test("a backup beside writers is one moment: what was written together is there together", async () => {
  const { sql } = site;
  await sql`CREATE TABLE IF NOT EXISTS written_here (n int)`;
  let stop = false;
  let acknowledged = 0;
  const writer = (async () => {
    for (let n = 1; !stop; n += 1) {
      await sql.begin(async (both) => {
        await both`INSERT INTO site_settings VALUES (${`n${n}`}, to_jsonb(${n}::int))`;
        await both`INSERT INTO ip_blocks (network, reason, blocked_until) VALUES (${`10.0.${n >> 8}.${n & 255}`}, ${`n${n}`}, now())`;
      });
      acknowledged = n;
    }
  })();
  writer.catch(() => {
    stop = true;
  });
  while (acknowledged < 20 && !stop) await new Promise((resolve) => setTimeout(resolve, 5));
  const atLeast = acknowledged;
  const target = path.join(folder, "moment.tar.zst");
  await makeBackup({ dataDir: path.join(folder, "site") }, site.url, target, { scheduled: false });
  const atMost = acknowledged + 1;
  stop = true;
  await writer;
  const backup = await openBackup(target);
  const url = await emptyDatabase();
  await restoreBackup(backup, { dataDir: await place(), databaseUrl: url }, log);
  await backup.close();
  await ask(url, async (restored) => {
    const [found] = await restored<{ settings: number; blocks: number; last: number }[]>`
      SELECT (SELECT count(*)::int FROM site_settings WHERE setting_key ~ '^n\\d+$') AS settings,
        (SELECT count(*)::int FROM ip_blocks) AS blocks, (SELECT max(substr(reason, 2)::int) FROM ip_blocks) AS last`;
    assert.equal(found?.settings, found?.blocks);
    assert.equal(found?.blocks, found?.last);
    assert.ok((found?.last ?? 0) >= atLeast && (found?.last ?? 0) <= atMost, `${atLeast} ${found?.last} ${atMost}`);
  });
});

test("while a backup goes on, nothing to migrate waits for nobody", async () => {
  const { sql, close } = connectDatabase({ databaseUrl: site.url }, { max: 1 });
  await sql`SELECT pg_advisory_lock_shared(5773100)`;
  await migrateDatabase(site.url);
  await close();
  assert.ok(listMigrations().length > 0);
});
