import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, type TestContext, test } from "node:test";
import { connectDatabase } from "#db/client.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#db/postgres/embedded-postgres.ts";
import { findPostgresPrograms } from "#db/postgres/programs.ts";

const isRoot = process.getuid?.() === 0;

async function makeDataDir(t: TestContext, name = "data"): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "spawnpoint-pg-"));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return path.join(folder, name);
}

/** As `makeDataDir`, with a cluster that was used before: one is made, the others are copies. */
async function makeUsedDataDir(t: TestContext, name?: string): Promise<string> {
  used ??= makeUsed();
  const dataDir = await makeDataDir(t, name);
  await mkdir(dataDir, { recursive: true });
  // With its owner, who may be another than ours.
  const copied = spawnSync("cp", ["-a", path.join(await used, "postgres"), dataDir]);
  assert.equal(copied.status, 0, String(copied.stderr));
  return dataDir;
}

let used: Promise<string> | undefined;
after(async () => {
  if (used) await rm(await used, { recursive: true, force: true, maxRetries: 5 });
});

async function makeUsed(): Promise<string> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "spawnpoint-pg-"));
  const postgres = await startEmbeddedPostgres({ dataDir, log: { debug() {}, info() {}, warn() {} } });
  await postgres.stop();
  return dataDir;
}

async function start(t: TestContext, dataDir: string, unshare?: string): Promise<EmbeddedPostgres> {
  const log = { debug() {}, info() {}, warn() {} };
  const postgres = await startEmbeddedPostgres({ dataDir, log, unshare });
  t.after(() => postgres.stop(true));
  return postgres;
}

async function ask<T>(url: string, statement: string): Promise<T[]> {
  const { sql, close } = connectDatabase({ databaseUrl: url }, { max: 1 });
  try {
    return await sql.unsafe<(T & object)[]>(statement);
  } finally {
    await close();
  }
}

/** Runs a Postgres from a process of its own that can be killed; gives both process numbers. */
async function startElsewhere(dataDir: string): Promise<{ starter: number; server: number; url: string }> {
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL("./embedded-postgres.ts", import.meta.url).href)};
    const log = { debug() {}, info() {}, warn() {} };
    const { pid, url } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log });
    console.log(JSON.stringify({ pid, url }));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  const { pid, url } = JSON.parse(String(line));
  return { starter: child.pid ?? 0, server: pid, url };
}

/** Also true of a process that nobody has collected yet. */
async function hasEnded(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ") Z");
  return status.slice(status.lastIndexOf(")")).startsWith(") Z");
}

test("a folder that cannot be made is refused with a reason", async (t) => {
  const dataDir = await makeDataDir(t);
  await mkdir(path.dirname(dataDir), { recursive: true });
  await writeFile(dataDir, "a file");
  await assert.rejects(start(t, dataDir), /EEXIST|ENOTDIR/);
});

test("a cluster of another version is refused with one sentence that says what to set", async (t) => {
  const dataDir = await makeUsedDataDir(t);
  await writeFile(path.join(dataDir, "postgres", "PG_VERSION"), "12\n");
  await assert.rejects(start(t, dataDir), {
    name: "EmbeddedPostgresError",
    message: /^the database in .* was made by Postgres 12, and .* is Postgres 18: set POSTGRES_BIN [^\n]*$/,
  });
});

test("it keeps what was committed, with fsync on, in folders that only we can enter, without a network port", async (t) => {
  const dataDir = await makeDataDir(t);
  const first = await start(t, dataDir);
  await ask(first.url, "CREATE TABLE note AS SELECT 1 AS id");
  await first.stop();
  assert.equal((await first.exited).code, 0);
  const second = await start(t, dataDir);
  assert.equal(second.url, first.url);
  assert.deepEqual([...(await ask(second.url, "SELECT id FROM note"))], [{ id: 1 }]);
  for (const [setting, value] of [
    ["fsync", "on"],
    ["full_page_writes", "on"],
    ["synchronous_commit", "on"],
    ["listen_addresses", ""],
    ["server_encoding", "UTF8"],
  ]) {
    assert.deepEqual([...(await ask(second.url, `SHOW ${setting}`))], [{ [setting ?? ""]: value }]);
  }
  assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
  assert.equal((await stat(path.join(dataDir, "postgres"))).mode & 0o777, 0o700);
});

test("after kill -9 of the server and its starter the next start is ready in 10 s with every commit", async (t) => {
  const dataDir = await makeUsedDataDir(t);
  const killed = await startElsewhere(dataDir);
  await ask(killed.url, "CREATE TABLE note AS SELECT generate_series(1, 1000) AS id");
  process.kill(killed.starter, "SIGKILL");
  process.kill(killed.server, "SIGKILL");
  const next = await start(t, dataDir);
  assert.deepEqual([...(await ask(next.url, "SELECT count(*)::int AS notes FROM note"))], [{ notes: 1000 }]);
});

test("a server whose starter was killed is stopped and followed by ours, even when it hangs", async (t) => {
  const dataDir = await makeUsedDataDir(t);
  const orphaned = await startElsewhere(dataDir);
  await ask(orphaned.url, "CREATE TABLE note AS SELECT 1 AS id");
  process.kill(orphaned.starter, "SIGKILL");
  process.kill(orphaned.server, "SIGSTOP");
  const next = await start(t, dataDir);
  assert.notEqual(next.pid, orphaned.server);
  assert.ok(await hasEnded(orphaned.server));
  assert.deepEqual([...(await ask(next.url, "SELECT id FROM note"))], [{ id: 1 }]);
});

test("a stale pid file whose number now belongs to a stranger does not stop it, nor the stranger", async (t) => {
  const dataDir = await makeUsedDataDir(t);
  const killed = await startElsewhere(dataDir);
  process.kill(killed.starter, "SIGKILL");
  process.kill(killed.server, "SIGKILL");
  const stranger = spawn("sleep", ["60"]);
  t.after(() => stranger.kill());
  const pidFile = path.join(dataDir, "postgres", "postmaster.pid");
  const content = await readFile(pidFile, "utf8");
  await writeFile(pidFile, content.replace(/^\d+/, String(stranger.pid)));
  await start(t, dataDir);
  assert.equal(stranger.exitCode, null);
  assert.equal(stranger.signalCode, null);
});

test("a cluster that was killed while it was being made is made anew", async (t) => {
  const dataDir = await makeDataDir(t);
  await mkdir(path.join(dataDir, "postgres.unfinished", "base"), { recursive: true });
  await writeFile(path.join(dataDir, "postgres.unfinished", "PG_VERSION"), "18\n");
  const postgres = await start(t, dataDir);
  assert.equal((await ask(postgres.url, "SELECT 1")).length, 1);
});

test("a path too long for a socket gets a private folder elsewhere, the same one each time", async (t) => {
  const dataDir = await makeUsedDataDir(t, "long".repeat(30));
  const first = await start(t, dataDir);
  const folder = new URL(first.url).searchParams.get("host") ?? "";
  t.after(() => rm(folder, { recursive: true, force: true }));
  assert.ok(!folder.startsWith(dataDir));
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  await first.stop();
  const second = await start(t, dataDir);
  assert.equal(second.url, first.url);
  assert.equal((await ask(second.url, "SELECT 1")).length, 1);
});

test("root without user namespaces runs it as another user", async (t) => {
  if (!isRoot) return t.skip("needs root");
  const { postgres: program } = await findPostgresPrograms();
  if (spawnSync("test", ["-x", program], { uid: 65_534 }).status !== 0) {
    return t.skip("only root can enter this checkout, so no other user can run its programs");
  }
  const dataDir = await makeDataDir(t);
  await mkdir(dataDir, { recursive: true });
  await chmod(path.dirname(dataDir), 0o711);
  const postgres = await start(t, dataDir, "/no/such/unshare");
  assert.notEqual((await stat(path.join(dataDir, "postgres"))).uid, 0);
  assert.equal((await ask(postgres.url, "SELECT 1")).length, 1);
});

test("root without any way is told of DATABASE_URL", { skip: !isRoot && "needs root" }, async (t) => {
  const dataDir = await makeDataDir(t);
  await assert.rejects(start(t, dataDir, "/no/such/unshare"), {
    name: "EmbeddedPostgresError",
    message: /^Postgres refuses to run as root.*DATABASE_URL[^\n]*$/,
  });
});

test("on a full disk no site begins, and its first start says so", {
  skip: !isRoot && "only root can mount one",
}, async (t) => {
  const dataDir = await makeDataDir(t);
  await mkdir(dataDir, { recursive: true });
  assert.equal(spawnSync("mount", ["-t", "tmpfs", "-o", "size=30m,mode=0755", "spawnpoint-test", dataDir]).status, 0);
  const refused = assert.rejects(
    startEmbeddedPostgres({ dataDir, log: { debug() {}, info() {}, warn() {} } }),
    /^EmbeddedPostgresError: The disk of .* is full: (?:29|30) MB are free, and a new site needs 200\. Make room there, or set DATA_DIR/,
  );
  await refused.finally(() => spawnSync("umount", [dataDir]));
});
