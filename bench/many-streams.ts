/**
 * P5: 25,000 live streams of what home shows at once: a change reaches every one, and what a stream weighs ÷ a bare node:http
 * response held open. `BENCH_STREAMS` opens another number, for a quick look. Needs as many descriptors (`ulimit -n`).
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { BareOrder } from "./instruments/bare-server.ts";
import { measurePairs, median, rowOfPairs } from "./instruments/pairs.ts";
import { residentBytes } from "./instruments/process-size.ts";
import type { Row } from "./instruments/row.ts";
import { streamOfPage } from "./instruments/shown-topics.ts";
import { changeOneRow, startBaseline, startSite } from "./instruments/site-process.ts";
import { openStreamReaders } from "./instruments/stream-readers.ts";

/** What a process weighs is compared between these two, so that its own weight is no part of it. */
const FEW = 500;
/** As many as may be open at once here, where that is fewer; some descriptors are for everything else. */
const MANY = Math.min(Number(process.env.BENCH_STREAMS) || 25_000, descriptorsAllowed() - 500);
const COLLECTING = [
  "--expose-gc",
  "--import",
  pathToFileURL(path.join(import.meta.dirname, "instruments/collect-garbage.ts")).href,
];

export async function measure(): Promise<Row[]> {
  const shares: number[] = [];
  const ours = async () => {
    const site = await startSite({ nodeArgs: COLLECTING });
    try {
      const { path: stream, servers } = await streamOfPage(site.url, "/");
      return await weigh(site, stream, async (readers) => {
        const text = `mark-${Math.random()}`;
        const arrived = await readers.untilAll(text, () => changeOneRow(site.database, text, servers[0]));
        shares.push((arrived.length / readers.count) * 100);
      });
    } finally {
      await site.stop();
    }
  };
  const bare = async () => {
    const server = await startBaseline("bare-server.ts", COLLECTING);
    const headers = ["content-type", "text/event-stream; charset=utf-8", "cache-control", "no-store"];
    server.child.send({ order: "stream", headers, first: ": welcome\n\n" } satisfies BareOrder);
    await pause(100);
    try {
      return await weigh(server, "/live", async () => {
        server.child.send({ order: "broadcast", text: `data: ${"x".repeat(400)}\n\n` } satisfies BareOrder);
        await pause(500);
      });
    } finally {
      await server.stop();
    }
  };
  const pairs = await measurePairs(ours, bare);
  return [
    {
      claim: "P5",
      what: `${MANY} streams of what home shows: a change reaches of all`,
      ours: `${median(shares)} %`,
      value: Math.min(...shares),
      unit: " %",
      floor: 100,
      goal: 100,
      better: "more",
    },
    {
      claim: "P5",
      what: `${MANY} streams: memory of each ÷ bare node:http response held open`,
      ...rowOfPairs(pairs, "KB"),
      floor: 1,
      goal: 0.7,
      better: "less",
    },
  ];
}

type Readers = Awaited<ReturnType<typeof openStreamReaders>>;

/** KB that a process grows by with each stream, after a change has gone through all of them. */
async function weigh(
  { port, pid }: { port: number; pid: number },
  stream: string,
  change: (readers: Readers) => Promise<void>,
): Promise<number> {
  const few = await openStreamReaders(port, FEW, { path: stream });
  await change(few);
  const before = await collectedBytes(pid);
  const many = await openStreamReaders(port, MANY - FEW, { path: stream });
  await change(many);
  const after = await collectedBytes(pid);
  await many.close();
  await few.close();
  if (after <= before) throw new Error(`${MANY} streams are too few to be told from what the process takes itself`);
  return (after - before) / 1024 / (MANY - FEW);
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

async function collectedBytes(pid: number): Promise<number> {
  for (let round = 0; round < 2; round += 1) {
    process.kill(pid, "SIGUSR2");
    await pause(700);
  }
  return residentBytes(pid);
}
