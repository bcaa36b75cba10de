/**
 * P6b: 20,000 A2S servers, each asked every 30 s, in turns as on a real site: what of one core the collector takes, what Postgres takes
 * for it, and how many were called down that were not. CPU is what the kernel has counted, so a busy machine changes little.
 * The game servers are two processes with 10,000 sockets each (`ulimit -n`) and have all of 127.0.0.0/8. Linux.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "postgres";
import { startA2sServer } from "#demo/protocols/a2s-server.ts";
import { openDescriptors } from "../instruments/process-size.ts";
import { readProcessTree } from "../instruments/process-tree.ts";
import type { Row } from "../instruments/row.ts";
import { type SiteProcess, startSite } from "../instruments/site-process.ts";

const SERVERS = Number(process.env.BENCH_GAME_SERVERS) || 20_000;
const RESPONDERS = 2;
const EVERY_S = 30;
const PORT = 27_616;
/** All are due when the collector starts; from their second turn on they are spread over the interval. */
const SETTLE_S = 75;
const MEASURE_S = 2 * EVERY_S;
/** A round of this many questions fewer than there were turns has not been kept up with. */
const LEAST_ASKED = 0.97;
/** The collector asks some hundreds at once and has a few connections; more than this is a leak. */
const MOST_DESCRIPTORS = 1_000;

/** Those of `first`, `first + RESPONDERS`, …: somebody comes or goes every minute on each. */
async function serve(first: number): Promise<void> {
  process.once("disconnect", () => process.exit());
  const told = { map: "m", folder: "f", game: "g", bots: 2, maxPlayers: 32, version: "1.0" };
  for (let index = first; index < SERVERS; index += RESPONDERS) {
    const players = () => 5 + (Math.floor(performance.now() / 60_000 + index / SERVERS) % 9);
    const info = () => ({ ...told, name: `Bench ${index}`, players: players() });
    await startA2sServer({ host: `127.64.${index >> 8}.${index & 255}`, port: PORT, info });
  }
  process.send?.("serving");
}

export async function measure(): Promise<Row[]> {
  const responders: ChildProcess[] = [];
  for (let first = 0; first < RESPONDERS; first += 1)
    responders.push(fork(import.meta.filename, ["serve", String(first)]));
  await Promise.all(responders.map(untilServing));
  const collector = await startSite({
    command: "collector",
    env: { PROBE_ALLOW_CIDRS: "127.0.0.0/8", POLL_INTERVAL_S: String(EVERY_S), PORT: "3998" },
  });
  try {
    await addGameServers(collector.database.sql);
    await pause(SETTLE_S * 1000);
    return rowsOf(await watch(collector));
  } finally {
    for (const responder of responders) responder.disconnect();
    await collector.stop();
  }
}

async function untilServing(responder: ChildProcess): Promise<void> {
  const ended = once(responder, "exit").then(([code]) => {
    throw new Error(`the pretend game servers ended with code ${code}`);
  });
  await Promise.race([once(responder, "message"), ended]);
}

/** As though their own words had been asked for at some time of the last ten minutes, as on a site that has run for long. */
async function addGameServers(sql: Sql): Promise<void> {
  await sql`delete from gameserver`;
  await sql`
    insert into gameserver (game_id, server_name, adapter, host, query_port, visibility)
    select (select min(game_id) from games), 'Server ' || n, 'a2s', '127.64.' || (n >> 8) || '.' || (n & 255), ${PORT}::int, 'public'
    from generate_series(0, ${SERVERS - 1}::int) n`;
  await sql`update gameserver_live_metrics set details_asked_at = now() - random() * interval '600 seconds'`;
  await sql`analyze`;
}

type Watched = {
  cpu: number;
  postgres: number;
  asked: number;
  turns: number;
  late: number;
  down: number;
  open: number;
};

async function watch({ pid, database: { sql } }: SiteProcess): Promise<Watched> {
  const postmaster = await findPostmaster(sql);
  const seconds = async (root: number) => (await readProcessTree(root)).reduce((sum, { cpuS }) => sum + cpuS, 0);
  const [begun] = await sql<{ at: string }[]>`select now()::text as at`;
  const since = begun?.at ?? "";
  const began = performance.now();
  const [own, theirs] = [await seconds(pid), await seconds(postmaster)];
  let open = 0;
  while (performance.now() - began < MEASURE_S * 1000) {
    open = Math.max(open, openDescriptors(pid));
    await pause(500);
  }
  const tookS = (performance.now() - began) / 1000;
  const [cpu, postgres] = [((await seconds(pid)) - own) / tookS, ((await seconds(postmaster)) - theirs) / tookS];
  const [row] = await sql<{ asked: number; late: number; down: number }[]>`
    select (select count(*)::int from gameserver_sample where asked_at >= ${since}::timestamptz) as asked,
      (select count(*)::int from gameserver_live_metrics where last_answered_at < now() - ${EVERY_S * 1.5}::float8 * interval '1 second') as late,
      (select count(*)::int from gameserver_live_metrics where status <> 'online')
        + (select count(*)::int from gameserver_status_event where changed_at >= ${since}::timestamptz and to_status <> 'online') as down`;
  if (!row) throw new Error("nothing was counted");
  return { cpu, postgres, ...row, turns: (SERVERS * tookS) / EVERY_S, open };
}

/** The server that the database's connections are children of. */
async function findPostmaster(sql: Sql): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${row?.pid}/status`, "utf8"))?.[1]);
}

function rowsOf({ cpu, postgres, asked, turns, late, down, open }: Watched): Row[] {
  const shares = `the collector took ${(cpu * 100).toFixed(1)} % of a core, Postgres ${(postgres * 100).toFixed(1)} %`;
  if (asked < turns * LEAST_ASKED)
    throw new Error(`${asked} questions in the time of ${turns.toFixed(0)}: too few; ${shares}`);
  if (open > MOST_DESCRIPTORS) throw new Error(`the collector had ${open} descriptors open`);
  const fleet = `${SERVERS} A2S servers every ${EVERY_S} s`;
  const aQuestion = (share: number) => `${((share * MEASURE_S * 1e6) / asked).toFixed(0)} µs a question`;
  return [
    {
      claim: "P6b",
      what: `${fleet}: the collector's share of one core (${open} descriptors at most)`,
      ours: aQuestion(cpu),
      value: cpu * 100,
      unit: " %",
      floor: 25,
      goal: 15,
      better: "less",
    },
    {
      claim: "P6b",
      what: `${fleet}: Postgres' share of one core for it`,
      ours: aQuestion(postgres),
      value: postgres * 100,
      unit: " %",
      better: "less",
    },
    {
      claim: "P6b",
      what: `${fleet}: called down that were not, in ${MEASURE_S} s (${late} of them were asked late)`,
      ours: `${asked} asked`,
      value: down,
      unit: "",
      floor: 0,
      goal: 0,
      better: "less",
    },
  ];
}

if (import.meta.main && process.argv[2] === "serve") await serve(Number(process.argv[3]));
