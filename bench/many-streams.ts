/**
 * P5: 25,000 live streams of what home shows at once, in two processes of the site: a change reaches every one, and what a stream weighs
 * ÷ a bare node:http response held open, in two processes as well. `BENCH_STREAMS` opens another number, for a quick look. Each
 * process needs half as many descriptors (`ulimit -n`). Linux.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { BareOrder } from "./instruments/bare-server.ts";
import { measurePairs, median, pairsWanted, rowOfPairs } from "./instruments/pairs.ts";
import { openDescriptors, residentBytes } from "./instruments/process-size.ts";
import { readProcessTree } from "./instruments/process-tree.ts";
import { openReaderProcesses, type ReaderProcesses } from "./instruments/reader-processes.ts";
import type { Row } from "./instruments/row.ts";
import { streamOfPage } from "./instruments/shown-topics.ts";
import { changeOneRow, startBaseline, startSite } from "./instruments/site-process.ts";

const PROCESSES = 2;
/** Each opens 50,000 connections; bytes differ less from one to the next than times do. */
const PAIRS = 3;
/** What a process weighs is compared between these two, so that its own weight is no part of it. Of each process. */
const FEW = 250;
/** As many as one may hold open here, where that is fewer; some descriptors are for everything else, and for an uneven share. */
const MANY = Math.min((Number(process.env.BENCH_STREAMS) || 25_000) / PROCESSES, descriptorsAllowed() - 1_000);
/** The kernel shares connections out by chance; a process with less than this part of an even share had not begun to listen. */
const LEAST_SHARE = 0.8;
const READY_WITHIN_MS = 60_000;
const COLLECTING = pathToFileURL(path.join(import.meta.dirname, "instruments/collect-garbage.ts")).href;

export async function measure(): Promise<Row[]> {
  const shares: number[] = [];
  const ours = async () => {
    const env = { WEB_WORKERS: String(PROCESSES), NODE_OPTIONS: `--import=${COLLECTING}` };
    const site = await startSite({ env });
    try {
      const { path: stream, servers } = await streamOfPage(site.url, "/");
      const pids = await untilAllListen(site);
      const ports = Array.from({ length: PROCESSES }, () => site.port);
      return await weigh({ ports, pids, stream }, async (readers) => {
        const text = `mark-${Math.random()}`;
        const arrived = await readers.untilAll(text, () => changeOneRow(site.database, text, servers[0]));
        shares.push((arrived / readers.count) * 100);
      });
    } finally {
      await site.stop();
    }
  };
  const bare = async () => {
    const servers = await Promise.all(
      Array.from({ length: PROCESSES }, () => startBaseline("bare-server.ts", [`--import=${COLLECTING}`])),
    );
    const headers = ["content-type", "text/event-stream; charset=utf-8", "cache-control", "no-store"];
    const order = (what: BareOrder) => {
      for (const { child } of servers) child.send(what);
    };
    order({ order: "stream", headers, first: ": welcome\n\n" });
    await pause(100);
    try {
      const at = { ports: servers.map(({ port }) => port), pids: servers.map(({ pid }) => pid), stream: "/live" };
      return await weigh(at, async () => {
        order({ order: "broadcast", text: `data: ${"x".repeat(400)}\n\n` });
        await pause(500);
      });
    } finally {
      for (const server of servers) await server.stop();
    }
  };
  const pairs = await measurePairs(ours, bare, pairsWanted(PAIRS));
  return [
    {
      claim: "P5",
      what: `${PROCESSES * MANY} streams of what home shows in ${PROCESSES} processes: a change reaches of all`,
      ours: `${median(shares)} %`,
      value: Math.min(...shares),
      unit: " %",
      floor: 100,
      goal: 100,
      better: "more",
    },
    {
      claim: "P5",
      what: `${PROCESSES * MANY} streams: memory of each ÷ bare node:http response held open`,
      ...rowOfPairs(pairs, "KB"),
      floor: 1,
      goal: 0.7,
      better: "less",
    },
  ];
}

type Holders = { ports: readonly number[]; pids: readonly number[]; stream: string };

/** KB that the processes grow by with each stream, after a change has gone through all of them. */
async function weigh({ ports, pids, stream }: Holders, change: (readers: ReaderProcesses) => Promise<void>) {
  const few = await openReaderProcesses(ports, FEW, stream);
  await change(few);
  const before = await collectedBytes(pids);
  const many = await openReaderProcesses(ports, MANY - FEW, stream);
  await change(many);
  const after = await collectedBytes(pids);
  const uneven = pids.map(openDescriptors).filter((open) => open < MANY * LEAST_SHARE);
  await many.close();
  await few.close();
  if (uneven.length > 0) throw new Error(`a process holds ${uneven.join()} connections of ${PROCESSES * MANY}`);
  if (after <= before) throw new Error(`${MANY} streams are too few to be told from what a process takes itself`);
  return (after - before) / 1024 / (PROCESSES * (MANY - FEW));
}

/** The second of our processes begins to listen when the first has answered already. @returns those that hold streams */
async function untilAllListen({ port, pid }: { port: number; pid: number }): Promise<number[]> {
  const listening = () =>
    readFileSync("/proc/net/tcp", "utf8").match(
      new RegExp(`:${port.toString(16).toUpperCase().padStart(4, "0")} 00000000:0000 0A `, "g"),
    )?.length ?? 0;
  const deadline = performance.now() + READY_WITHIN_MS;
  while (listening() < PROCESSES) {
    if (performance.now() > deadline) throw new Error(`${listening()} of ${PROCESSES} processes listen`);
    await pause(50);
  }
  const tree = await readProcessTree(pid);
  return tree.filter(({ name }) => name.startsWith("web --worker")).map((worker) => worker.pid);
}

/** Of a process; without a word from the system (/proc), no bound. */
function descriptorsAllowed(): number {
  try {
    return Number(
      /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? Number.POSITIVE_INFINITY,
    );
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

async function collectedBytes(pids: readonly number[]): Promise<number> {
  for (let round = 0; round < 2; round += 1) {
    for (const pid of pids) process.kill(pid, "SIGUSR2");
    await pause(1_000);
  }
  return pids.reduce((sum, pid) => sum + residentBytes(pid), 0);
}
