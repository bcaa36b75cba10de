/** Backups that nobody asks for: when one is due, what is told of them, which are kept, and that there is one at a time. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { readConfig } from "#config";
import { connectDatabase } from "#db/client.ts";
import { isBackupDue, readBackupState, recordProof } from "#domain/site/backups.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { lockDataFolder } from "../site/data-folder-lock.ts";
import { makeBackup } from "./make-backup.ts";
import { openBackup } from "./read-backup-file.ts";
import { runScheduledBackup } from "./scheduled-backup.ts";

const log = pino({ level: "silent" });
let site: TestDatabase;
let folder: string;
let file: string;

before(async () => {
  site = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), "spawnpoint-backup-"));
  const dataDir = path.join(folder, "site");
  await mkdir(path.join(dataDir, "secrets"), { recursive: true });
  await writeFile(path.join(dataDir, "secrets", "auth"), "a secret of at least thirty-two characters");
  file = path.join(folder, "site.tar.zst");
  await makeBackup({ dataDir }, site.url, file, { scheduled: false });
});

after(async () => {
  await site.drop();
  await rm(folder, { recursive: true, force: true });
});

test("the site knows its backups: when one is due, made, failed and proven, and whether it is that very file", async () => {
  const state = await readBackupState(site.db);
  assert.ok(state.made_at !== null && (state.bytes ?? 0) > 0);
  assert.deepEqual([state.proven_at, state.error], [null, null]);
  assert.equal(await isBackupDue(site.db, 24), true);
  const { manifest, sha256, close } = await openBackup(file);
  await close();
  const proof = { backup_id: manifest.id, sha256, error: null };
  assert.equal(await recordProof(site.db, { ...proof, sha256: "0".repeat(64) }), "other");
  assert.equal(await recordProof(site.db, { ...proof, backup_id: "0b6c7a52-9f5e-4a53-8f4b-2f3ad2f1f0ab" }), "unknown");
  assert.equal((await readBackupState(site.db)).proven_at, null);
  assert.equal(await recordProof(site.db, proof), "recorded");
  assert.ok((await readBackupState(site.db)).proven_at !== null);
  // A failure is news for an hour, and then it is tried again.
  const dataDir = path.join(folder, "site");
  const nowhere = path.join(folder, "nowhere", "x.tar.zst");
  await assert.rejects(makeBackup({ dataDir }, site.url, nowhere, { scheduled: true }), /cannot be made/);
  assert.match((await readBackupState(site.db)).error ?? "", /cannot be made/);
  assert.equal(await isBackupDue(site.db, 24), false);
  await site.sql`UPDATE backups SET started_at = started_at - interval '61 minutes' WHERE scheduled`;
  assert.equal(await isBackupDue(site.db, 24), true);
});

test("a typed name that is taken or mistyped is refused in words, and is no failed backup", async () => {
  const dataDir = path.join(folder, "site");
  const before = await readBackupState(site.db);
  const make = (name: string) => makeBackup({ dataDir }, site.url, path.join(folder, name), { scheduled: false });
  await assert.rejects(make("site.tar.zst"), /site\.tar\.zst exists already, and is not written over$/);
  await assert.rejects(make("bakcups/site.tar.zst"), /the folder \S+\/bakcups is missing\. Make it first$/);
  await writeFile(path.join(folder, "half.tar.zst.unfinished"), "");
  await assert.rejects(make("half.tar.zst"), /another backup is at it, or was ended\. Remove it$/);
  const { error, made_at } = await readBackupState(site.db);
  assert.deepEqual({ error, made_at }, { error: before.error, made_at: before.made_at });
  const [{ count } = { count: -1 }] = await site.sql<{ count: number }[]>`
    select count(*)::int as count from backups where not scheduled and error is not null`;
  assert.equal(count, 0);
});

describe("a backup that nobody asked for", () => {
  const dir = () => path.join(folder, "kept");
  const settings = (over: Record<string, string> = {}) =>
    readConfig({
      DATA_DIR: path.join(folder, "site"),
      DATABASE_URL: site.url,
      BACKUP_DIR: dir(),
      BACKUP_KEEP: "1",
      SITE_URL: "https://play.example.org",
      ...over,
    });
  const run = (config = settings()) => runScheduledBackup(config, log, new AbortController().signal);
  const passHours = () => site.sql`UPDATE backups SET started_at = started_at - interval '25 hours'`;
  /** While somebody else proves one here, every proof fails, and at once. */
  let proving: { release(): void };
  before(() => {
    proving = lockDataFolder(path.join(folder, "site", "proving"));
  });
  after(() => proving.release());

  test("that has no folder to lie in is news on the dashboard, and is not tried again every minute", async () => {
    await passHours();
    await writeFile(path.join(folder, "plain"), "");
    await assert.rejects(run(settings({ BACKUP_DIR: path.join(folder, "plain", "backups") })), /cannot be written to/);
    assert.match((await readBackupState(site.db)).error ?? "", /BACKUP_DIR .*plain\/backups cannot be written to/);
    assert.equal(await isBackupDue(site.db, 24), false);
  });

  test("leaves the newest and the newest that was proven, while no proof succeeds", async () => {
    await passHours();
    await mkdir(dir());
    const old = [1, 2, 3, 4].map((day) => `spawnpoint-play.example.org-2026010${day}T000000Z.tar.zst`);
    for (const name of [...old, "mine.tar.zst"]) await writeFile(path.join(dir(), name), "");
    for (const [name = "", error] of [
      [old[0], null],
      [old[1], null],
      [old[2], "damaged since"],
    ]) {
      await site.sql`INSERT INTO backups (backup_id, file_name, machine, scheduled, started_at, made_at, proven_at, error)
        VALUES (gen_random_uuid(), ${name}, 'x', true, now() - interval '99 days', now(), now(), ${error ?? null})`;
    }
    await assert.rejects(run(), /already runs/);
    const [mine, proven, newest, ...others] = (await readdir(dir())).toSorted();
    assert.deepEqual([mine, proven, others], ["mine.tar.zst", old[1], []]);
    assert.match(newest ?? "", /^spawnpoint-play\.example\.org-20/);
    assert.match((await readBackupState(site.db)).error ?? "", /already runs/);
  });

  test("keeps others from making one for as long as it takes", async () => {
    await passHours();
    const { sql, close } = connectDatabase({ databaseUrl: site.url }, { max: 1 });
    const isHeld = () => sql`SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 5773110 AND granted`;
    // A backup waits for migrations.
    await sql`SELECT pg_advisory_lock(5773100)`;
    // Files are named by second: another site's name is not taken.
    const running = run(settings({ SITE_URL: "https://other.example.org" }));
    let over = false;
    const ended = assert.rejects(running, /already runs/).finally(() => {
      over = true;
    });
    try {
      while ((await isHeld()).length === 0) {
        assert.ok(!over);
        await pause(5);
      }
      assert.equal(await run(), 0);
    } finally {
      await sql`SELECT pg_advisory_unlock(5773100)`;
      await ended;
    }
    await close();
  });
});
