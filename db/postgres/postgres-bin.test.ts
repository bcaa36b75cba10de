/** POSTGRES_BIN: the same supervised cluster with this machine's own Postgres. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { connectDatabase } from "#db/client.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { findSystemPostgres } from "#tests/helpers/programs/system-postgres.ts";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";
import { findPostgresPrograms, PACKAGED } from "./programs.ts";

const log = { debug() {}, info() {}, warn() {} };
const SYSTEM = findSystemPostgres();
const skip = SYSTEM === null && "this machine has no Postgres of its own (Debian: postgresql)";

async function makeDataDir(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "spawnpoint-bin-"));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return path.join(folder, "data");
}

/** A folder with a program that says its version and nothing else. */
async function pretendPrograms(t: TestContext, version: string): Promise<string> {
  const folder = path.dirname(await makeDataDir(t));
  for (const name of ["postgres", "initdb"]) {
    await writeFile(path.join(folder, name), `#!/bin/sh\necho "${name} (PostgreSQL) ${version}"\n`);
    await chmod(path.join(folder, name), 0o755);
  }
  return folder;
}

test("a folder without Postgres, a program that does not run, and one that is too old are refused in one sentence", async (t) => {
  const empty = path.dirname(await makeDataDir(t));
  await assert.rejects(
    findPostgresPrograms(empty),
    /^EmbeddedPostgresError: POSTGRES_BIN names .*, where postgres is missing\./,
  );
  const mute = await pretendPrograms(t, "of nothing");
  await assert.rejects(findPostgresPrograms(mute), /postgres does not run here\. Set DATABASE_URL/);
  const old = await pretendPrograms(t, "14.23 (Debian 14.23-1)");
  await assert.rejects(findPostgresPrograms(old), /is Postgres 14\.23, and Spawnpoint takes 15 or newer$/);
});

test("a database of another major version is refused, by whichever of the two has not made it", async (t) => {
  const dataDir = await makeDataDir(t);
  await mkdir(path.join(dataDir, "postgres"), { recursive: true });
  await writeFile(path.join(dataDir, "postgres", "PG_VERSION"), "18\n");
  const bin = await pretendPrograms(t, "15.18 (Debian 15.18-0+deb12u1)");
  await chmod(path.dirname(dataDir), 0o755);
  await assert.rejects(startEmbeddedPostgres({ dataDir, bin, log }), {
    name: "EmbeddedPostgresError",
    damaged: false,
    message:
      /was made by Postgres 18, and \S+ is Postgres 15: set POSTGRES_BIN to the folder of the programs of Postgres 18, or/,
  });
});

test("the release date of the Postgres that Spawnpoint brings is that of its version", async () => {
  assert.equal((await findPostgresPrograms()).version, PACKAGED.version);
});

test("this machine's Postgres makes the cluster, holds our tables, orders as the packaged one does, and starts again", {
  skip,
}, async (t) => {
  const dataDir = await makeDataDir(t);
  const start = () => startEmbeddedPostgres({ dataDir, bin: SYSTEM ?? "", log });
  const first = await start();
  t.after(() => first.stop(true));
  await migrateDatabase(first.url);
  await first.stop();
  const second = await start();
  t.after(() => second.stop(true));
  const { major } = await findPostgresPrograms(SYSTEM ?? "");
  assert.equal(await readFile(path.join(dataDir, "postgres", "PG_VERSION"), "utf8"), `${major}\n`);
  const { sql, close } = connectDatabase({ databaseUrl: second.url }, { max: 1 });
  const [server] = await sql`select current_setting('server_version_num')::int / 10000 as major, lower('ÄÖ') as lower,
    (select string_agg(word, '' order by word) from unnest(array['b', 'a', 'B', 'ä']) word) as ordered, count(*)::int as games from games`;
  await close();
  assert.deepEqual({ ...server }, { major, lower: "äö", ordered: "Babä", games: 0 });
  // The packaged one refuses what it has not made.
  await second.stop();
  if (major !== 18) await assert.rejects(startEmbeddedPostgres({ dataDir, log }), /was made by Postgres \d+, and/);
});

test("the programs of this machine run where only root may enter the data folder", {
  skip: skip || (process.getuid?.() !== 0 && "not root"),
}, async (t) => {
  const dataDir = await makeDataDir(t);
  await chmod(path.dirname(dataDir), 0o700);
  const postgres = await startEmbeddedPostgres({ dataDir, bin: SYSTEM ?? "", log });
  await postgres.stop(true);
  assert.equal(spawnSync("stat", ["-c", "%a", path.dirname(dataDir)], { encoding: "utf8" }).stdout.trim(), "700");
});
