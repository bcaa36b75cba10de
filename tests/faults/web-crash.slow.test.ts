/** A web process is killed under 200 requests a second: connections that it had accepted are cut, and nobody else notices. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { Agent, get, type IncomingMessage } from "node:http";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { patience, tell } from "./figure.ts";
import { killGroup, listProcessesOf, makePlace, type RealSite, startRealSite } from "./real-site.ts";

const EVERY_MS = 5;
/** One in this many requests goes to /livez. */
const ALIVE_EACH = 20;

async function begin(t: TestContext, workers: number): Promise<{ site: RealSite; findWeb(): Promise<number> }> {
  const place = await makePlace();
  const site = startRealSite(place, {
    command: [process.execPath, "cli/spawnpoint.ts", "start"],
    env: { WEB_WORKERS: String(workers), ONE_PROCESS: "0", POLL_INTERVAL_S: "30" },
  });
  t.after(async () => {
    killGroup(site.process.pid ?? 0, "SIGTERM");
    await site.ended;
    await place.remove();
  });
  await site.untilReady(patience(60_000));
  // Each listens at the port by a socket of its own.
  const listening = () => execFileSync("ss", ["-Htln", `sport = :${place.port}`], { encoding: "utf8" }).trim();
  while (listening().split("\n").length < workers) await pause(50);
  const findWeb = async () => {
    const lines = await listProcessesOf(place.dataDir);
    const line = lines.find((text) => / web( --with-collector| --worker.*| --inherit.*)?$/.test(text)) ?? "";
    return Number.parseInt(line, 10);
  };
  return { site, findWeb };
}

type Outcome = { begun: number; path: string; what: string };

/** Asks at an even pace, whether answers come or not, half of it over kept connections. */
function askAtPace(url: string): { begunCount(): number; stop(): void; end(): Promise<Outcome[]> } {
  const kept = new Agent({ keepAlive: true, maxSockets: 50 });
  const asked: Promise<Outcome>[] = [];
  const one = (path: string, agent: Agent | false): Promise<Outcome> =>
    new Promise((resolve) => {
      const begun = performance.now();
      const settle = (what: string) => resolve({ begun, path, what });
      const request = get(`${url}${path}`, { agent }, (response) => {
        response.resume().on("end", () => settle(String(response.statusCode)));
        response.on("error", (error: NodeJS.ErrnoException) => settle(error.code ?? error.message));
      }).on("error", (error: NodeJS.ErrnoException) => {
        // Browsers and proxies ask again, too, where a kept connection turns out to be closed (RFC 9112, 9.3.1).
        if (request.reusedSocket && error.code === "ECONNRESET") void one(path, false).then(resolve);
        else settle(error.code ?? error.message);
      });
    });
  const began = performance.now();
  const timer = setInterval(() => {
    while (asked.length * EVERY_MS < performance.now() - began) {
      const path = asked.length % ALIVE_EACH === 0 ? "/livez" : "/";
      asked.push(one(path, asked.length % 2 === 0 && kept));
    }
  }, EVERY_MS);
  return {
    begunCount: () => asked.length,
    stop: () => clearInterval(timer),
    async end() {
      clearInterval(timer);
      const outcomes = await Promise.all(asked);
      kept.destroy();
      return outcomes;
    },
  };
}

/** Kills it, and settles when it has let go of its connections. */
async function kill(pid: number): Promise<void> {
  process.kill(pid, "SIGKILL");
  while (existsSync(`/proc/${pid}`)) await pause(1);
}

/** Over a connection of its own: a kept one may be that of the process that died. */
const ask = (url: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false, headers: { accept: "text/html" } }, (answer) => resolve(answer.resume())).on(
      "error",
      reject,
    );
  });

for (const workers of [1, 2]) {
  test(`killed under load, ${workers} web process${workers > 1 ? "es" : ""}: later requests are answered, /livez always`, async (t) => {
    if (process.platform !== "linux") return t.skip("finds the processes in /proc");
    const { site, findWeb } = await begin(t, workers);
    const load = askAtPace(site.url);
    t.after(load.stop);
    while (load.begunCount() < 400) await pause(10);
    const killed = await findWeb();
    await kill(killed);
    const gone = performance.now();
    assert.equal((await ask(site.url)).statusCode, 200);
    const againMs = performance.now() - gone;
    const enough = load.begunCount() + 400;
    while (load.begunCount() < enough) await pause(10);
    const outcomes = await load.end();

    const failed = outcomes.filter(({ what }) => what !== "200");
    const said = JSON.stringify(
      Object.entries(Object.groupBy(failed, ({ what }) => what)).map(([what, all]) => [what, all?.length]),
    );
    assert.deepEqual(
      failed.filter(({ begun }) => begun > gone),
      [],
      `${said}; the site said:\n${site.output()}`,
    );
    // Cut with the process that had accepted them; nobody was refused or told to come back.
    assert.deepEqual(
      [...new Set(failed.map(({ what }) => what))].filter((what) => what !== "ECONNRESET"),
      [],
      said,
    );
    tell(
      t,
      "a web process killed under 200 requests a second",
      `one of ${workers}: ${failed.length} of ${outcomes.length} cut, 0 refused; the next answer after ${Math.round(againMs)} ms`,
    );
  });
}

test("killed while the database is silent: visitors read so, /livez is 200, and both come back", async (t) => {
  if (process.platform !== "linux") return t.skip("finds the processes in /proc");
  const { site, findWeb } = await begin(t, 1);
  await site.signalPostgres("SIGSTOP");
  try {
    await kill(await findWeb());
    const { statusCode, headers } = await ask(site.url);
    assert.equal(statusCode, 503);
    assert.ok(headers["retry-after"]);
    assert.equal((await ask(`${site.url}/livez`)).statusCode, 200);
  } finally {
    await site.signalPostgres("SIGCONT");
  }
  while ((await ask(site.url)).statusCode !== 200) await pause(50);
});
