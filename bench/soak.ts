/**
 * `node bench/soak.ts [MINUTES] [--memory MB]`: the whole site under a steady load for ten minutes, time compressed (each game server asked every
 * second, browsers that come and go and turn pages on their streams, pages, sign-ins). Memory, descriptors and database connections of the last third are
 * held against the first third's; growth fails. With `--memory` all of it, the pretend game servers too, has no more than that, as
 * under `MemoryMax=` of systemd: a process that is killed for it, or begins again for any other reason, fails. Run by `npm run soak`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { connectDatabase } from "#db/client.ts";
import { fetchLivePage, openStreams } from "#tests/faults/stream-browser.ts";
import { findFreePort } from "#tests/helpers/network/free-port.ts";
import { makeMemoryGroup } from "./instruments/memory-group.ts";
import { median } from "./instruments/pairs.ts";
import { openDescriptors, residentBytes } from "./instruments/process-size.ts";
import { formatColumns } from "./instruments/row.ts";
import { streamOfPage } from "./instruments/shown-topics.ts";
import { openStreamReaders } from "./instruments/stream-readers.ts";

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: { memory: { type: "string" } },
});
const MINUTES = Number(positionals[0] ?? 10);
const STREAMS = 300;
/** What they show, and where some of them go in turn. */
const LIVE_PAGES = ["/", "/dashboard", "/games/valheim", "/servers/1", "/join/1"];
const TURNING = 20;
const SHOWN_TRIES = 60;
const SAMPLE_MS = 2_000;
/** The caches fill and the compiler settles before this; it is no part of the thirds. */
const WARM_UP_SHARE = 0.1;
/** The thirds may differ by so much: what a garbage collector leaves lying, and a connection that comes and goes. */
const ALLOWED = {
  megabytes: (first: number) => Math.max(16, first * 0.15),
  "heap, least": (first: number) => Math.max(4, first * 0.1),
  descriptors: (first: number) => Math.max(8, first * 0.05),
  connections: () => 2,
};

type Figure = keyof typeof ALLOWED;
type Series = Map<string, number[]>;

async function main(): Promise<number> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "spawnpoint-soak-"));
  const dataDir = path.join(folder, "data");
  const port = await findFreePort();
  const metricsPort = await findFreePort();
  const group = given.memory === undefined ? null : await makeMemoryGroup(Number(given.memory));
  const command = [process.execPath, path.join(import.meta.dirname, "../cli/spawnpoint.ts"), "start", "--demo"];
  const [program = "", ...args] = [...(group?.prefix ?? []), ...command];
  const site = spawn(program, args, {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: String(port),
      HOST: "127.0.0.1",
      SITE_URL: "",
      DATABASE_URL: "",
      POLL_INTERVAL_S: "1",
      METRICS_PORT: String(metricsPort),
      LOG_LEVEL: "warn",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  site.stdout?.resume();
  let begunAgain = 0;
  createInterface({ input: site.stderr }).on("line", (line) => {
    if (/"level":[56]0/.test(line) || !line.startsWith("{")) console.error(line);
    if (!line.includes("starting it again")) return;
    console.error(line);
    begunAgain += 1;
  });
  try {
    await untilUp(`http://127.0.0.1:${port}/readyz`, site);
    const heaps = { collector: metricsPort, web: metricsPort + 1 };
    const code = await soak(site, port, heaps, await databaseUrlOf(dataDir));
    if (group === null) return code;
    const { most, killed } = await group.read();
    console.log(
      `in ${given.memory} MB: ${(most / 2 ** 20).toFixed(0)} MB at most, with what the kernel keeps of files; ${killed} processes were killed for memory, ${begunAgain} began again`,
    );
    return killed === 0 && begunAgain === 0 ? code : 1;
  } finally {
    const ended = once(site, "exit");
    site.kill("SIGTERM");
    await ended;
    await group?.remove();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** `heaps`: where each process tells what its heap holds. */
async function soak(
  site: ChildProcess,
  port: number,
  heaps: Record<string, number>,
  databaseUrl: string,
): Promise<number> {
  const ending = new AbortController();
  const failures: string[] = [];
  const shown = await untilShown(`http://127.0.0.1:${port}`);
  const work = [
    browse(port, ending.signal, failures),
    comeAndGo(port, ending.signal, ["/live", ...shown]),
    turnPages(port, ending.signal, failures),
    signInInVain(port, ending.signal),
  ];
  const steady = await Promise.all(shown.map((path) => openStreamReaders(port, STREAMS / LIVE_PAGES.length, { path })));
  const { sql, close } = connectDatabase({ databaseUrl }, { max: 1, applicationName: "soak" });
  const series = new Map<Figure, Series>();
  const note = (figure: Figure, who: string, value: number) => {
    const of: Series = series.get(figure) ?? new Map();
    series.set(figure, of.set(who, [...(of.get(who) ?? []), value]));
  };
  const until = performance.now() + MINUTES * 60_000;
  while (performance.now() < until) {
    const sizes = new Map<string, { megabytes: number; descriptors: number }>();
    for (const { pid, name } of await processesOf(site.pid ?? 0)) {
      const { megabytes, descriptors } = sizes.get(name) ?? { megabytes: 0, descriptors: 0 };
      sizes.set(name, {
        megabytes: megabytes + residentBytes(pid) / 2 ** 20,
        descriptors: descriptors + openDescriptors(pid),
      });
    }
    for (const [name, { megabytes, descriptors }] of sizes) {
      note("megabytes", name, megabytes);
      note("descriptors", name, descriptors);
    }
    for (const [name, at] of Object.entries(heaps)) note("heap, least", name, (await heapBytes(at)) / 2 ** 20);
    const rows = await sql<{ name: string; count: number }[]>`
      select application_name as name, count(*)::int as count from pg_stat_activity
      where backend_type = 'client backend' and application_name <> 'soak' group by 1`;
    for (const { name, count } of rows) note("connections", name, count);
    await pause(SAMPLE_MS);
  }
  const [asked] = await sql<{ samples: number }[]>`select count(*)::int as samples from gameserver_sample`;
  ending.abort();
  await Promise.allSettled(work);
  for (const readers of steady) await readers.close();
  await close();
  return report(series, asked?.samples ?? 0, failures);
}

function report(series: Map<Figure, Series>, samples: number, failures: string[]): number {
  const lines: string[][] = [];
  let grew = 0;
  for (const [figure, processes] of series) {
    for (const [who, values] of processes) {
      const warm = values.slice(Math.ceil(values.length * WARM_UP_SHARE));
      // Whoever was there for a moment only, such as a command that migrates, tells nothing.
      if (warm.length < 6) continue;
      const third = Math.floor(warm.length / 3);
      // What a heap holds right after a collection is what is kept; between two of them it only tells when the last was.
      const of = figure === "heap, least" ? (some: number[]) => Math.min(...some) : median;
      const [first, last] = [of(warm.slice(0, third)), of(warm.slice(-third))];
      const tooMuch = last - first > ALLOWED[figure](first);
      if (tooMuch) grew += 1;
      const shown = (value: number) => (Number.isNaN(value) ? "?" : value.toFixed(0));
      lines.push([figure, who, shown(first), shown(last), shown(Math.max(...warm)), tooMuch ? "GREW" : "flat"]);
    }
  }
  console.log(formatColumns([["figure", "process", "first third", "last third", "most", ""], ...lines]));
  console.log(
    `${samples} answers of game servers written in ${MINUTES} minutes; ${failures.length} requests failed ${failures[0] ?? ""}`,
  );
  return grew === 0 && failures.length === 0 && lines.length > 0 ? 0 : 1;
}

async function heapBytes(port: number): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  return Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(await answer.text())?.[1]);
}

/** Pages as visitors ask for them, a few at a time. */
async function browse(port: number, signal: AbortSignal, failures: string[]): Promise<void> {
  const pages = ["/", "/dashboard", "/de", "/games/valheim", "/servers/1", "/contact", "/nothing-here", "/robots.txt"];
  await Promise.all(
    pages.map(async (page) => {
      while (!signal.aborted) {
        const answer = await fetch(`http://127.0.0.1:${port}${page}`).catch((error: unknown) => String(error));
        if (typeof answer === "string" || answer.status >= 500)
          failures.push(`${page}: ${typeof answer === "string" ? answer : answer.status}`);
        else await answer.arrayBuffer();
        await pause(50);
      }
    }),
  );
}

/** Streams that are opened, read for a moment and gone: of what a page shows, and, as programs ask for it, of everything. */
async function comeAndGo(port: number, signal: AbortSignal, paths: string[]): Promise<void> {
  for (let n = 0; !signal.aborted; n += 1) {
    const readers = await openStreamReaders(port, 50, { path: paths[n % paths.length] ?? "/live" });
    await pause(500);
    await readers.close();
  }
}

/** Browsers that go from page to page, by the very code that runs in pages: their streams follow without being opened anew. */
async function turnPages(port: number, signal: AbortSignal, failures: string[]): Promise<void> {
  const site = `http://127.0.0.1:${port}`;
  const openBrowser = openStreams(site);
  await Promise.all(
    Array.from({ length: TURNING }, async (_, n) => {
      const browser = openBrowser(await fetchLivePage(site, LIVE_PAGES[n % LIVE_PAGES.length] ?? "/"));
      for (let turn = n; !signal.aborted; turn += 1) {
        await pause(1_000 + Math.random() * 500);
        const page = LIVE_PAGES[turn % LIVE_PAGES.length] ?? "/";
        const next = await fetchLivePage(site, page).catch((error: unknown) => String(error));
        if (typeof next === "string") failures.push(`${page}: ${next}`);
        else browser.goTo(next);
      }
      if (browser.store.state().state !== "joined")
        failures.push(`a browser that turns pages is ${browser.store.state().state}`);
      browser.leave();
    }),
  );
}

/** Sign-ins with a wrong password, which are counted, refused and forgotten. */
async function signInInVain(port: number, signal: AbortSignal): Promise<void> {
  for (let n = 0; !signal.aborted; n += 1) {
    const body = new URLSearchParams({
      intent: "login",
      email: `nobody-${n}@example.org`,
      password: "not the password",
    });
    const answer = await fetch(`http://127.0.0.1:${port}/login/`, {
      method: "POST",
      headers: { "Sec-Fetch-Site": "same-origin" },
      body,
    });
    await answer.arrayBuffer();
    await pause(1_000);
  }
}

/** The demo shows its game servers once they have their addresses. @returns the streams of the pages */
async function untilShown(site: string): Promise<string[]> {
  for (let tries = 0; ; tries += 1) {
    try {
      const streams = await Promise.all(LIVE_PAGES.map((page) => streamOfPage(site, page)));
      return streams.map(({ path }) => path);
    } catch (error) {
      if (tries === SHOWN_TRIES) throw error;
      await pause(1_000);
    }
  }
}

async function untilUp(url: string, site: ChildProcess): Promise<void> {
  for (;;) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.status === 200) return;
    if (site.exitCode !== null) throw new Error(`the site ended with code ${site.exitCode}`);
    await pause(100);
  }
}

/** This process and those of ours below it, however deep, each by what it runs: several workers have one name. */
async function processesOf(parent: number): Promise<{ pid: number; name: string }[]> {
  const parents = new Map<number, number>();
  for (const entry of await readdir("/proc")) {
    const stat = /^\d+$/.test(entry) ? await readFile(`/proc/${entry}/stat`, "utf8").catch(() => "") : "";
    const of = /\) \S (\d+) /.exec(stat)?.[1];
    if (of !== undefined) parents.set(Number(entry), Number(of));
  }
  const isBelow = (pid: number): boolean => {
    const of = parents.get(pid);
    return of !== undefined && (of === parent || isBelow(of));
  };
  const found = [{ pid: parent, name: "start" }];
  for (const pid of parents.keys()) {
    if (!isBelow(pid)) continue;
    const [, script = "", ...args] = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
    if (script.endsWith("spawnpoint.ts")) found.push({ pid, name: args.join(" ").trim() });
    else if (/\.m?[jt]s$/.test(script)) found.push({ pid, name: path.basename(script) });
  }
  return found;
}

async function databaseUrlOf(dataDir: string): Promise<string> {
  const lines = (await readFile(path.join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n");
  return `postgres://spawnpoint@localhost/spawnpoint?host=${encodeURIComponent(lines[4] ?? "")}`;
}

if (import.meta.main) process.exit(await main());
