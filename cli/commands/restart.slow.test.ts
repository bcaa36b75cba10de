/** A restart under load: fresh processes take over, nobody is refused, and what cannot be restarted goes on as it was. */
import assert from "node:assert/strict";
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { Agent, get } from "node:http";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";

const ROOT = path.join(import.meta.dirname, "../..");

type Site = { process: ChildProcess; base: string; folder: string; database: TestDatabase; env: NodeJS.ProcessEnv };
const sites: Site[] = [];

after(async () => {
  for (const { process: started, folder, database } of sites) {
    if (started.exitCode === null) {
      const ended = once(started, "exit");
      started.kill("SIGTERM");
      await ended;
    }
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
});

/** A whole site, started by a link that stands for /opt/spawnpoint. */
async function startSite(workers: number): Promise<Site> {
  const database = await createTestDatabase();
  const folder = await mkdtemp(path.join(os.tmpdir(), "restart-"));
  await symlink(ROOT, path.join(folder, "spawnpoint"));
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    DATA_DIR: path.join(folder, "data"),
    PORT: "0",
    SITE_URL: "",
    WEB_WORKERS: String(workers),
    LOG_LEVEL: "warn",
    SPAWNPOINT_SUPERVISED: "",
  };
  const started = fork(path.join(folder, "spawnpoint/cli/spawnpoint.ts"), ["start"], {
    env,
    stdio: "pipe",
    // Those of a test would have it write a report at each SIGUSR2.
    execArgv: [],
  });
  const site: Site = { process: started, base: "", folder, database, env };
  sites.push(site);
  let said = "";
  for (const stream of [started.stdout, started.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  await until(
    () => /Spawnpoint is at (\S+)/.test(said) || started.exitCode !== null,
    () => said,
  );
  const port = new URL(/Spawnpoint is at (\S+)/.exec(said)?.[1] ?? "").port;
  site.base = `http://127.0.0.1:${port}`;
  return site;
}

async function until(holds: () => boolean | Promise<boolean>, what: () => string, withinMs = 180_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > deadline) assert.fail(`not within ${withinMs} ms: ${what()}`);
    await pause(50);
  }
}

/** What `spawnpoint restart` says, and its exit code. */
async function restart({ env }: Site): Promise<{ code: number; said: string }> {
  const command = spawn(process.execPath, [path.join(ROOT, "cli/spawnpoint.ts"), "restart"], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [command.stdout, command.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  const [code] = await once(command, "close");
  return { code, said };
}

/** The processes that one has started, whose command holds these words. */
async function childrenOf(parent: number, words: string): Promise<number[]> {
  const found: number[] = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const [stat, command] = await Promise.all(
      ["stat", "cmdline"].map((file) => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "")),
    );
    const isChild = Number(/\) \S (\d+) /.exec(stat ?? "")?.[1]) === parent;
    if (isChild && command?.replaceAll("\0", " ").includes(words)) found.push(Number(pid));
  }
  return found;
}

/** Asks again and again, by kept and by new connections, until it is told to end; gives how often each outcome came. */
function askOnAndOn(base: string): { end(): Promise<Map<string, number>> } {
  const outcomes = new Map<string, number>();
  let ending = false;
  const one = async (keepAlive: boolean) => {
    const agent = new Agent({ keepAlive, maxSockets: 1 });
    while (!ending) {
      const outcome = await new Promise<string>((resolve) => {
        get(`${base}/`, { agent }, (response) => {
          response.resume().on("end", () => resolve(String(response.statusCode)));
          response.on("error", (error) => resolve(`cut: ${error.message}`));
        }).on("error", (error: NodeJS.ErrnoException) => resolve(`refused: ${error.code}`));
      });
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    agent.destroy();
  };
  const asking = [true, true, true, false, false, false].map(one);
  return {
    async end() {
      ending = true;
      await Promise.all(asking);
      return outcomes;
    },
  };
}

/** A live stream with all that was said on it. */
async function openStream(base: string): Promise<{ said: string; epoch: string; ended: boolean }> {
  const stream = { said: "", epoch: "", ended: false };
  get(`${base}/live`, { agent: new Agent() }, (response) => {
    response.setEncoding("utf8").on("data", (text: string) => {
      stream.said += text;
    });
    response.on("close", () => {
      stream.ended = true;
    });
    response.on("error", () => {});
  });
  await until(
    () => /"epoch":"[^"]+"/.test(stream.said),
    () => `the stream said ${stream.said.slice(0, 300)}`,
  );
  stream.epoch = /"epoch":"([^"]+)"/.exec(stream.said)?.[1] ?? "";
  return stream;
}

for (const workers of [1, 2]) {
  test(`a restart with ${workers} web process${workers > 1 ? "es" : ""}: nobody is refused, streams are told to come back`, async (t) => {
    if (workers > 1 && process.platform !== "linux") return t.skip("several processes share a port on Linux");
    const site = await startSite(workers);
    const stream = await openStream(site.base);
    const load = askOnAndOn(site.base);
    await pause(300);
    for (let turn = 1; turn <= 2; turn += 1) {
      const { code, said } = await restart(site);
      assert.equal(code, 0, said);
      assert.match(said, /^Restarted, without a refused request: Spawnpoint \d/m);
    }
    await until(
      () => stream.ended,
      () => "the old stream ended",
    );
    await pause(300);
    const outcomes = await load.end();
    assert.deepEqual([...outcomes.keys()], ["200"], JSON.stringify([...outcomes]));
    assert.match(stream.said, /event: bye/);
    const next = await openStream(site.base);
    assert.notEqual(next.epoch, stream.epoch, "another process answers");
    // The one whose turn it is holds the port by itself now, and comes again when it dies.
    const { pid } = JSON.parse(await readFile(path.join(site.folder, "data/holder.json"), "utf8"));
    assert.equal(pid, site.process.pid, "the start that was asked still holds the folder");
  });
}

test("a web process that is slow to hand over what it listens on is waited for, and nobody is refused", async (t) => {
  if (process.platform !== "linux") return t.skip("several processes share a port on Linux");
  const site = await startSite(2);
  const load = askOnAndOn(site.base);
  t.after(load.end);
  await pause(300);
  // As on a machine that has no time for it: one that answers visitors stands still.
  const workers = await childrenOf(site.process.pid ?? 0, " web --worker");
  assert.equal(workers.length, 2);
  process.kill(workers[1] ?? 0, "SIGSTOP");
  const restarting = restart(site);
  await pause(8_000);
  process.kill(workers[1] ?? 0, "SIGCONT");
  const { code, said } = await restarting;
  assert.equal(code, 0, said);
  assert.deepEqual([...(await load.end()).keys()], ["200"]);
});

test("a version that is not there is refused in words, and the site goes on; after its end there is nothing to restart", async () => {
  const site = await startSite(1);
  const { epoch } = await openStream(site.base);
  await rm(path.join(site.folder, "spawnpoint"));
  const { code, said } = await restart(site);
  assert.equal(code, 1, said);
  assert.match(said, /Not restarted, and the site goes on as it was: .*spawnpoint.* is not there/);
  assert.equal((await openStream(site.base)).epoch, epoch, "the same process answers");
  const ended = once(site.process, "exit");
  site.process.kill("SIGTERM");
  assert.deepEqual(await ended, [0, null]);
  assert.match((await restart(site)).said, /No site runs on/);
});
