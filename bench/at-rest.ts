/**
 * N1 and N2: what the whole tree of `spawnpoint start` takes while 20 game servers answer and nobody looks: its share of one core,
 * and its memory. CPU is what the kernel has counted, so a busy machine changes nothing. Linux.
 *
 * `node bench/at-rest.ts` alone prints both by process. `BENCH_SETTLE_S`, `BENCH_REST_S`: seconds to wait
 * and to measure (120, 90).
 */
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connectDatabase } from "#db/client.ts";
import { seedDemoContent } from "#demo/demo-content.ts";
import { startA2sServer } from "#demo/protocols/a2s-server.ts";
import { findFreePort } from "#tests/helpers/network/free-port.ts";
import { proportionalBytes, readProcessTree } from "./instruments/process-tree.ts";
import { formatColumns, formatTable, type Row } from "./instruments/row.ts";

const SERVERS = 20;
const PORT = 27_715;
/** First everything that a start does once: compiled, rolled up, written down; and its connections have closed. */
const SETTLE_S = Number(process.env.BENCH_SETTLE_S ?? 120);
const MEASURE_S = Number(process.env.BENCH_REST_S ?? 90);
const READY_WITHIN_MS = 120_000;
const ROOT = path.join(import.meta.dirname, "..");
const addressOf = (index: number) => `127.62.0.${index + 1}`;

/** The pretend game servers, in a process of their own. */
async function serve(): Promise<void> {
  process.once("disconnect", () => process.exit());
  const began = performance.now();
  for (let index = 0; index < SERVERS; index += 1) {
    // Somebody comes or goes every two minutes, on each.
    const players = () => 5 + (Math.floor((performance.now() - began) / 120_000 + index / SERVERS) % 3);
    const told = { name: `Server ${index}`, map: "m", folder: "f", game: "g", bots: 0, maxPlayers: 32, version: "1.0" };
    await startA2sServer({ host: addressOf(index), port: PORT, info: () => ({ ...told, players: players() }) });
  }
  process.send?.("serving");
}

export type AtRest = {
  /** Seconds of CPU a second, and bytes, by process. */
  processes: { name: string; count: number; cpu: number; bytes: number; fileBytes: number }[];
  cpu: number;
  bytes: number;
  asked: number;
};

/** Starts such a site with these settings as well, lets it settle, measures it, and takes all of it away. */
export async function measureAtRest(env: NodeJS.ProcessEnv = {}, measureS = MEASURE_S): Promise<AtRest> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "spawnpoint-bench-"));
  // A program of its own: another site on this machine that runs the same file would be counted for a part of its pages.
  const node = path.join(folder, "node");
  await copyFile(process.execPath, node);
  const dataDir = path.join(folder, "data");
  const port = await findFreePort();
  const servers = fork(import.meta.filename, ["serve"]);
  await once(servers, "message");
  const site = spawn(node, [path.join(ROOT, "cli/spawnpoint.ts"), "start"], {
    env: {
      ...process.env,
      NODE_ENV: "production",
      DATA_DIR: dataDir,
      PORT: String(port),
      HOST: "127.0.0.1",
      SITE_URL: "",
      DATABASE_URL: "",
      WEB_WORKERS: "1",
      PROBE_ALLOW_CIDRS: "127.0.0.0/8",
      LOG_LEVEL: "warn",
      ...env,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(site, "exit");
  try {
    await untilReady(`http://127.0.0.1:${port}/readyz`, site);
    const socket = encodeURIComponent(path.join(dataDir, "postgres"));
    const databaseUrl = `postgres://spawnpoint@localhost/spawnpoint?host=${socket}`;
    await withDatabase(databaseUrl, async ({ db, sql }) => {
      await seedDemoContent(db);
      await sql`delete from gameserver`;
      await sql`
        insert into gameserver (game_id, server_name, adapter, host, query_port, visibility)
        select (select min(game_id) from games), 'Server ' || n, 'a2s', '127.62.0.' || n, ${PORT}::int, 'public'
        from generate_series(1, ${SERVERS}::int) n`;
    });
    await pause(SETTLE_S * 1000);
    const figures = await watchTree(site.pid ?? 0, measureS);
    const asked = await withDatabase(databaseUrl, async ({ sql }) => {
      const [row] = await sql<{ online: number }[]>`
        select count(*)::int as online from gameserver_live_metrics
        where status = 'online' and last_answered_at > now() - interval '45 seconds'`;
      return row?.online ?? 0;
    });
    if (asked !== SERVERS) throw new Error(`only ${asked} of ${SERVERS} game servers are watched`);
    return { ...figures, asked };
  } finally {
    servers.disconnect();
    site.kill("SIGTERM");
    const patience = setTimeout(() => site.kill("SIGKILL"), 60_000);
    await ended;
    clearTimeout(patience);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function watchTree(root: number, seconds: number) {
  const before = new Map((await readProcessTree(root)).map((each) => [each.pid, each]));
  const began = performance.now();
  await pause(seconds * 1000);
  const after = await readProcessTree(root);
  const tookS = (performance.now() - began) / 1000;
  const byName = new Map<string, AtRest["processes"][number]>();
  for (const { pid, name, cpuS } of after) {
    const sum = byName.get(name) ?? { name, count: 0, cpu: 0, bytes: 0, fileBytes: 0 };
    const memory = await proportionalBytes(pid);
    sum.count += 1;
    sum.cpu += (cpuS - (before.get(pid)?.cpuS ?? 0)) / tookS;
    sum.bytes += memory.all;
    sum.fileBytes += memory.files;
    byName.set(name, sum);
    before.delete(pid);
  }
  // Who has ended meanwhile left its seconds to its parent, also those from before.
  const gone = [...before.values()].reduce((sum, { cpuS }) => sum + cpuS, 0) / tookS;
  const processes = [...byName.values()].toSorted((a, b) => b.bytes - a.bytes);
  const total = (of: "cpu" | "bytes") => processes.reduce((sum, each) => sum + each[of], 0);
  return { processes, cpu: total("cpu") - gone, bytes: total("bytes") };
}

async function withDatabase<T>(
  databaseUrl: string,
  work: (database: ReturnType<typeof connectDatabase>) => Promise<T>,
) {
  const database = connectDatabase({ databaseUrl }, { max: 1, applicationName: "bench" });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

export async function measure(): Promise<Row[]> {
  const figures = await measureAtRest();
  console.log(tableOf(figures));
  const heaviest = figures.processes.slice(0, 3).map(({ name, bytes }) => `${name} ${(bytes / 2 ** 20).toFixed(0)}`);
  const busiest = figures.processes
    .toSorted((a, b) => b.cpu - a.cpu)
    .slice(0, 3)
    .map(({ name, cpu }) => `${name} ${(cpu * 100).toFixed(2)}`);
  return [
    {
      claim: "N1",
      what: `the whole site at rest, ${SERVERS} game servers, nobody looking: CPU over ${MEASURE_S} s, share of one core`,
      ours: busiest.join(", "),
      value: figures.cpu * 100,
      unit: " %",
      floor: 2,
      goal: 0.7,
      better: "less",
    },
    {
      claim: "N2",
      what: "memory (PSS) of the whole tree, one web process",
      ours: heaviest.join(", "),
      value: figures.bytes / 2 ** 20,
      unit: " MB",
      floor: 320,
      goal: 220,
      better: "less",
    },
  ];
}

function tableOf({ processes, cpu, bytes }: AtRest): string {
  const megabytes = (of: number) => (of / 2 ** 20).toFixed(1);
  const lines = processes.map((each) => [
    each.name,
    String(each.count),
    (each.cpu * 100).toFixed(2),
    megabytes(each.bytes),
    megabytes(each.fileBytes),
  ]);
  const sum = ["together", "", (cpu * 100).toFixed(2), megabytes(bytes), ""];
  return formatColumns([["process", "of them", "CPU, % of a core", "PSS, MB", "of files, MB"], ...lines, sum]);
}

async function untilReady(url: string, site: ReturnType<typeof spawn>): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const answer = await fetch(url).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    if (site.exitCode !== null) throw new Error(`the site ended with code ${site.exitCode} before it was ready`);
    if (performance.now() > deadline) throw new Error("the site was not ready in two minutes");
    await pause(100);
  }
}

if (process.argv[2] === "serve") await serve();
else if (import.meta.main) console.log(formatTable(await measure()));
