/** A backup of a running site under load, restored where nothing was; and what is left when any of it is killed. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { connectDatabase, type Database } from "#db/client.ts";
import { createObjectStorage } from "#outside/object-storage.ts";
import { makeBackup } from "../../../cli/backup/make-backup.ts";
import { startS3Store } from "../../heavy/s3-store.ts";
import { createTestDatabase } from "../../helpers/database.ts";
import { findKeeper, makeKeeper } from "../../helpers/keeper.ts";
import { tell } from "../figure.ts";
import { killGroup, listProcessesOf, makePlace, type RealSite, startRealSite } from "../real-site.ts";

const WRITES_PER_S = 100;
/** So many rows make the backup last long enough to be written into. */
const ROWS = 400_000;

type Run = { code: number | null; output: string; ms: number };

/** Runs a command as an operator would; its process can be killed meanwhile. */
function runCommand(args: string[], env: NodeJS.ProcessEnv): { child: ChildProcess; ended: Promise<Run> } {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["cli/spawnpoint.ts", ...args], {
    cwd: path.join(import.meta.dirname, "../../.."),
    env: { ...process.env, DATABASE_URL: "", LOG_LEVEL: "warn", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const ended = once(child, "close").then(([code]) => ({ code, output, ms: performance.now() - startedAt }));
  return { child, ended };
}

async function succeed(args: string[], env: NodeJS.ProcessEnv): Promise<Run> {
  const run = await runCommand(args, env).ended;
  assert.equal(run.code, 0, run.output);
  return run;
}

async function beginSite(t: TestContext, place: Awaited<ReturnType<typeof makePlace>>): Promise<RealSite> {
  const site = startRealSite(place);
  t.after(async () => {
    if (site.process.exitCode === null) killGroup(site.process.pid ?? 0, "SIGTERM");
    await site.ended;
  });
  await site.untilReady(120_000);
  return site;
}

/** Writes at a steady pace, each time three tables in one transaction, until told to stop. */
function startWriter({ sql }: Database) {
  let stop = false;
  let acknowledged = 0;
  const tookMs: number[] = [];
  const done = (async () => {
    const startedAt = performance.now();
    for (let n = 1; !stop; n += 1) {
      const ahead = startedAt + (n * 1000) / WRITES_PER_S - performance.now();
      if (ahead > 0) await pause(ahead);
      const sentAt = performance.now();
      await sql.begin(async (all) => {
        await all`INSERT INTO contacts (name, email, message, locale) VALUES ('Writer', 'w@example.org', ${`message ${n}`}, 'en')`;
        await all`INSERT INTO audit_events (what, subject_id) VALUES ('written', ${String(n)})`;
        await all`INSERT INTO site_settings (setting_key, setting_value) VALUES ('written', to_jsonb(${n}::int))
          ON CONFLICT (setting_key) DO UPDATE SET setting_value = excluded.setting_value`;
      });
      acknowledged = n;
      tookMs.push(performance.now() - sentAt);
    }
  })();
  done.catch(() => {});
  return {
    acknowledged: () => acknowledged,
    /** Forgets what was measured so far. */
    begin: () => void tookMs.splice(0),
    p99: () => tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length * 0.99)] ?? 0,
    async stop() {
      stop = true;
      await done;
    },
  };
}

/** What a moment looks like from outside: each table's rows and an ordered checksum, the writer's up to its n-th write. */
async function readMoment({ sql }: Database, upTo: number) {
  await sql`SET statement_timeout = 0`;
  const found: Record<string, unknown> = {};
  for (const [table, where] of [
    ["users", "true"],
    ["accounts", "true"],
    ["profiles", "true"],
    ["roles", "true"],
    ["two_factors", "true"],
    ["games", "true"],
    ["gameserver_rollup_1d", "starts_at < '2020-01-01'"],
    ["contacts", `message ~ '^message ' AND substr(message, 9)::int <= ${upTo}`],
    ["audit_events", `what <> 'written' AND actor_id IS NOT NULL OR what = 'written' AND subject_id::int <= ${upTo}`],
  ]) {
    const [row] = await sql.unsafe(
      `SELECT count(*)::int AS rows, md5(coalesce(string_agg(md5(r::text), '' ORDER BY md5(r::text)), '')) AS sum FROM (SELECT * FROM ${table} WHERE ${where}) AS r`,
    );
    found[table ?? ""] = { rows: row?.rows, sum: row?.sum };
  }
  return found;
}

test(`a backup under ${WRITES_PER_S} writes a second, restored where nothing was, is one moment and a whole site`, async (t) => {
  const place = await makePlace();
  const elsewhere = await makePlace();
  t.after(() => Promise.all([place.remove(), elsewhere.remove()]));
  const file = path.join(path.dirname(place.dataDir), "site.tar.zst");
  const site = await beginSite(t, place);
  const source = site.openDatabase();
  const keeper = await makeKeeper(site.url, source);
  await source.sql`SET statement_timeout = 0`;
  await source.sql`INSERT INTO gameserver_rollup_1d (server_id, starts_at, user_sum, user_count, asked, up_s, down_s)
      SELECT (SELECT min(server_id) FROM gameserver), timestamptz '2010-01-01Z' - n * interval '1 second', n, n, n, n % 86400, 0
      FROM generate_series(1, ${ROWS}::int) AS n`;

  const writing = site.openDatabase();
  const writer = startWriter(writing);
  await pause(2000);
  const quietP99 = writer.p99();
  writer.begin();
  const atLeast = writer.acknowledged();
  const made = await succeed(["backup", file], { DATA_DIR: place.dataDir });
  const atMost = writer.acknowledged() + 1;
  const busyP99 = writer.p99();
  await writer.stop();
  await writing.close();
  const { size, mode } = await stat(file);
  assert.equal(mode & 0o777, 0o600);
  assert.ok(!made.output.includes(keeper.totp));
  tell(
    t,
    "a backup under load",
    `made in ${Math.round(made.ms)} ms, ${atMost - 1 - atLeast} writes meanwhile, p99 of a write ${busyP99.toFixed(1)} ms (before: ${quietP99.toFixed(1)} ms), ${size} bytes`,
  );

  const proven = await succeed(["backup", "--verify", file], { DATA_DIR: place.dataDir });
  assert.match(proven.output, /restored and found the same/);
  const [known] = await source.sql`SELECT proven_at FROM backups`;
  assert.ok(known?.proven_at);
  assert.ok(!existsSync(path.join(place.dataDir, "proving", "postgres")));

  const restored = await succeed(["restore", file], { DATA_DIR: elsewhere.dataDir });
  tell(t, "a backup under load", `proven in ${Math.round(proven.ms)} ms, restored in ${Math.round(restored.ms)} ms`);
  const copy = await beginSite(t, elsewhere);
  const target = copy.openDatabase();
  const [last] = await target.sql<{ n: number; messages: number; acts: number }[]>`
      SELECT (SELECT setting_value::int FROM site_settings WHERE setting_key = 'written') AS n,
        (SELECT count(*)::int FROM contacts WHERE message ~ '^message ') AS messages,
        (SELECT count(*)::int FROM audit_events WHERE what = 'written') AS acts`;
  assert.ok(last && last.n >= atLeast && last.n <= atMost, `${atLeast} <= ${last?.n} <= ${atMost}`);
  assert.deepEqual([last.messages, last.acts], [last.n, last.n]);
  // Those of the demo get new passwords at each start.
  const withoutDemo = async (database: Database) => {
    await database.sql`DELETE FROM users WHERE email LIKE '%@demo.invalid'`;
    return readMoment(database, last.n);
  };
  const [then, now] = [await withoutDemo(source), await withoutDemo(target)];
  assert.deepEqual(now, then);
  tell(
    t,
    "a backup under load",
    `one moment: after write ${last.n} (${atLeast} to ${atMost} could have been), ${JSON.stringify(now)}`,
  );

  await findKeeper(copy.url, keeper);
  tell(t, "a backup under load", "signed in with password and code; the avatar is the same");
  await source.close();
  await target.close();
});

test("a restore that is killed keeps the site from starting, and the next one begins anew", async (t) => {
  const place = await makePlace();
  const elsewhere = await makePlace();
  t.after(() => Promise.all([place.remove(), elsewhere.remove()]));
  const site = await beginSite(t, place);
  const file = path.join(path.dirname(place.dataDir), "site.tar.zst");
  await succeed(["backup", file], { DATA_DIR: place.dataDir });
  const env = { DATA_DIR: elsewhere.dataDir };
  let kills = 0;
  for (const afterMs of [100, 500, 1500]) {
    const { child, ended } = runCommand(["restore", file], env);
    while (!existsSync(path.join(elsewhere.dataDir, "restore-unfinished"))) await pause(2);
    await pause(afterMs);
    child.kill("SIGKILL");
    await ended;
    kills += 1;
    if (!existsSync(path.join(elsewhere.dataDir, "restore-unfinished"))) break;
    const refused = await runCommand(["start"], { ...env, PORT: String(elsewhere.port) }).ended;
    assert.equal(refused.code, 1);
    assert.match(refused.output, /was not finished\. Run it again/);
  }
  if (existsSync(path.join(elsewhere.dataDir, "restore-unfinished"))) await succeed(["restore", file], env);
  assert.deepEqual(await listProcessesOf(elsewhere.dataDir), []);
  const again = await runCommand(["restore", file], env).ended;
  assert.equal(again.code, 1);
  assert.match(again.output, /is not empty/);
  const copy = await beginSite(t, elsewhere);
  assert.equal((await fetch(`${copy.url}/readyz`)).status, 200);
  assert.equal((await fetch(`${site.url}/readyz`)).status, 200);
  tell(t, "a restore killed", `after ${kills} kills no start on what was half done, and the next restore was whole`);
});

/** A migrated site in a database of our own, a file of it with as many pictures as given, and a database without anything. */
async function makeFile(t: TestContext, pictures: number) {
  const site = await createTestDatabase();
  const { dataDir, remove } = await makePlace();
  const name = `test_${randomBytes(8).toString("hex")}`;
  await site.sql.unsafe(`CREATE DATABASE ${name} TEMPLATE template0`);
  t.after(async () => {
    await site.sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
    await site.drop();
    await remove();
  });
  await site.sql`INSERT INTO users (email) SELECT n || '@example.org' FROM generate_series(1, 1000) AS n`;
  await mkdir(path.join(dataDir, "secrets"), { recursive: true });
  await writeFile(path.join(dataDir, "secrets", "auth"), "a secret of at least thirty-two characters");
  await mkdir(path.join(dataDir, "buckets", "media"), { recursive: true });
  for (let n = 0; n < pictures; n += 1) {
    await writeFile(path.join(dataDir, "buckets", "media", `${randomUUID()}.webp`), randomBytes(1000));
  }
  const file = path.join(path.dirname(dataDir), "site.tar.zst");
  await makeBackup({ dataDir }, site.url, file, { scheduled: false });
  const target = new URL(site.url);
  target.pathname = `/${name}`;
  return { file, databaseUrl: target.href };
}

const isMarked = (dataDir: string) => existsSync(path.join(dataDir, "restore-unfinished"));

test("a restore that is killed while it puts files into an S3 store is run again, and nobody's files are overwritten", async (t) => {
  const { file, databaseUrl } = await makeFile(t, 300);
  const store = await startS3Store();
  const place = await makePlace();
  t.after(() => Promise.all([store.stop(), place.remove()]));
  const { settings: s3 } = store;
  const env = {
    DATA_DIR: place.dataDir,
    DATABASE_URL: databaseUrl,
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    S3_BUCKET_PREFIX: s3.bucketPrefix,
  };
  const storage = createObjectStorage({ dataDir: place.dataDir, s3 });
  const list = async () => (await Array.fromAsync(storage.list("media"))).flat().map(({ key }) => key);
  const { child, ended } = runCommand(["restore", file], env);
  while ((await list()).length === 0 && child.exitCode === null) await pause(10);
  child.kill("SIGKILL");
  await ended;
  const left = (await list()).length;
  assert.ok(left > 0 && left < 300 && isMarked(place.dataDir), `${left} files were put`);

  for (const command of ["start", "web", "collector", "migrate"]) {
    const refused = await runCommand([command], { ...env, PORT: String(place.port) }).ended;
    assert.ok(refused.code !== 0);
    assert.match(refused.output, /was not finished\. Run it again/, command);
  }
  // What is not of this backup is somebody's.
  await storage.put("media", "somebodys.webp", Buffer.from("x"), { type: "image/webp", cacheControl: "no-store" });
  const refused = await runCommand(["restore", file], env).ended;
  assert.match(refused.output, /the buckets are not empty/);
  assert.equal((await list()).length, left + 1);
  await storage.remove("media", "somebodys.webp");
  await succeed(["restore", file], env);
  assert.equal((await list()).length, 300);
  assert.ok(!isMarked(place.dataDir));
  tell(t, "a restore killed", `killed after ${left} of 300 files in an S3 store; the next restore was whole`);
});

test("a restore that is killed when the database has taken it is finished by running it again", async (t) => {
  const { file, databaseUrl } = await makeFile(t, 3);
  const place = await makePlace();
  t.after(() => place.remove());
  const database = connectDatabase({ databaseUrl }, { max: 1 });
  t.after(() => database.close());
  await database.sql`SET statement_timeout = 0`;
  const env = { DATA_DIR: place.dataDir, DATABASE_URL: databaseUrl };
  const { child, ended } = runCommand(["restore", file], env);
  // It holds this lock until it has committed; what we wait for is given to us in that very moment.
  const isAtIt = () => database.sql`SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 5773100 AND granted`;
  while ((await isAtIt()).length === 0 && child.exitCode === null) await pause(2);
  await database.sql`SELECT pg_advisory_lock(5773100)`;
  child.kill("SIGKILL");
  await ended;
  await database.sql`SELECT pg_advisory_unlock(5773100)`;
  const count = async () => (await database.sql`SELECT count(*)::int AS rows FROM users`)[0]?.rows;
  assert.equal(await count(), 1000);
  assert.ok(isMarked(place.dataDir));

  // A database that another restore has filled is somebody's.
  const other = await makePlace();
  t.after(() => other.remove());
  await mkdir(other.dataDir, { recursive: true });
  const mark = await readFile(path.join(place.dataDir, "restore-unfinished"), "utf8");
  await writeFile(path.join(other.dataDir, "restore-unfinished"), mark.replace(/ .*\n/, ` ${randomUUID()}\n`));
  const refused = await runCommand(["restore", file], { ...env, DATA_DIR: other.dataDir }).ended;
  assert.match(refused.output, /database is not empty/);

  const again = await succeed(["restore", file], env);
  assert.match(again.output, /Restored: .* 3 files/);
  assert.equal(await count(), 1000);
  assert.ok(!isMarked(place.dataDir));
  assert.deepEqual((await readdir(path.join(place.dataDir, "buckets", "media"))).length, 3);
  assert.match((await runCommand(["restore", file], env).ended).output, /is not empty/);
  tell(t, "a restore killed", "killed after its COMMIT; the next one found its own rows and finished");
});
