/**
 * P6: a whole round of the collector over 2,000 A2S servers that fall due at once, from the moment that they are due to the last row
 * in Postgres, ÷ bare sockets that send them the same packets, 100 in flight, and read and write nothing; and how many were
 * called down that were not.
 */
import { fork } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "#db/sql.ts";
import { startA2sServer } from "#demo/protocols/a2s-server.ts";
import { measurePairs, rowOfPairs } from "../instruments/pairs.ts";
import type { Row } from "../instruments/row.ts";
import { startSite } from "../instruments/site-process.ts";

const SERVERS = 2_000;
const IN_FLIGHT = 100;
const PORT = 27_615;
const LIMIT_MS = 30_000;
/** For a second an answer counts for whoever asks the same address again (collector/ask.ts): a round any sooner would ask nobody. */
const ASKED_ANEW_MS = 1_500;
const INFO = { name: "Bench", map: "m", folder: "f", game: "g", players: 9, bots: 2, maxPlayers: 32, version: "1.0" };
/** Each has an address of its own, as on the internet: at one address few are asked at a time. Needs all of 127/8 (Linux). */
const addressOf = (index: number) => `127.61.${index >> 8}.${index & 255}`;

/** The pretend game servers, in a process of their own. */
async function serve(): Promise<void> {
  for (let index = 0; index < SERVERS; index += 1)
    await startA2sServer({ host: addressOf(index), port: PORT, info: () => INFO });
  process.send?.("serving");
  process.once("disconnect", () => process.exit());
}

const QUESTION = Buffer.from("\xff\xff\xff\xffTSource Engine Query\0", "latin1");

function askBare(address: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = createSocket("udp4");
    socket.on("message", (reply) => {
      if (reply[4] === 0x41) return socket.send(Buffer.concat([QUESTION, reply.subarray(5, 9)]));
      socket.close();
      resolve();
    });
    socket.connectSync(PORT, address);
    socket.send(QUESTION);
  });
}

async function bareRound(): Promise<number> {
  const began = performance.now();
  let next = 0;
  const askInTurn = async () => {
    for (let index = next++; index < SERVERS; index = next++) await askBare(addressOf(index));
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, askInTurn));
  return performance.now() - began;
}

/** Makes all due, as though they had answered a turn ago, and waits for the rows. */
async function collectorRound(sql: Sql): Promise<number> {
  await pause(ASKED_ANEW_MS);
  const [due] = await sql<{ at: string; server_ids: number }[]>`
    with due as (
      update gameserver_live_metrics set next_poll_at = now(), claimed_by = null, claimed_until = null, status = 'online',
        failures_in_row = 0, failure = null, last_answered_at = now() - interval '30 seconds' returning server_id)
    select now()::text as at, count(*)::int as server_ids, pg_notify('polls', '') from due`;
  const began = performance.now();
  const written = async () => {
    const [row] = await sql<{ written: number }[]>`
      select count(*)::int as written from gameserver_live_metrics where last_answered_at >= ${due?.at ?? ""}::timestamptz`;
    return row?.written ?? 0;
  };
  while ((await written()) < SERVERS) {
    if (performance.now() - began > LIMIT_MS) throw new Error(`${await written()} of ${SERVERS} answered`);
    await pause(10);
  }
  return performance.now() - began;
}

export async function measure(): Promise<Row[]> {
  const responder = fork(import.meta.filename, ["serve"]);
  await once(responder, "message");
  const collector = await startSite({
    command: "collector",
    env: { PROBE_ALLOW_CIDRS: "127.0.0.0/8", POLL_INTERVAL_S: "3600", PORT: "3999" },
  });
  const { sql } = collector.database;
  try {
    await sql`delete from gameserver`;
    await sql`
      insert into gameserver (game_id, server_name, adapter, host, query_port, visibility)
      select (select min(game_id) from games), 'server ' || n, 'a2s', '127.61.' || (n >> 8) || '.' || (n & 255), ${PORT}::int, 'public'
      from generate_series(0, ${SERVERS - 1}::int) n`;
    await collectorRound(sql);
    await bareRound();
    let down = 0;
    const round = async () => {
      const took = await collectorRound(sql);
      const [row] = await sql<{ down: number }[]>`
        select count(*)::int as down from gameserver_live_metrics where status <> 'online' or failures_in_row > 0`;
      down += row?.down ?? SERVERS;
      return took;
    };
    const pairs = await measurePairs(round, bareRound);
    return [
      {
        claim: "P6",
        what: `the collector's round of ${SERVERS} A2S servers, each asked anew, claimed to written ÷ bare sockets, ${IN_FLIGHT} in flight`,
        ...rowOfPairs(pairs, "ms"),
        floor: 3,
        goal: 1.5,
        better: "less",
      },
      {
        claim: "P6",
        what: `game servers called down that were not, in ${pairs.ours.length} rounds`,
        ours: String(down),
        value: down,
        unit: "",
        floor: 0,
        goal: 0,
        better: "less",
      },
    ];
  } finally {
    responder.disconnect();
    await collector.stop();
  }
}

if (import.meta.main && process.argv[2] === "serve") await serve();
