/** What the collector's tests share: a database with game servers in it, pretend game servers on loopback. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, connect as openSocket, type Socket } from "node:net";
import pino from "pino";
import type { Outside } from "#collector/ask.ts";
import { startCollector } from "#collector/start.ts";
import { answerWithoutFigures } from "#outside/game-query/answer.ts";
import type { AdapterId, AdapterOptions, SealedSecrets } from "#shared/adapters.ts";
import type { Lifecycle } from "#shared/statuses.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { pause } from "./until.ts";

export type LiveRow = {
  server_id: number;
  status: string;
  user_online: number | null;
  bots_online: number | null;
  user_max_measured: number | null;
  user_peak: number | null;
  version_measured: string | null;
  password_protected: boolean | null;
  latency_ms: number | null;
  failure: string | null;
  failures_in_row: number;
  last_asked_at: string | null;
  claimed_by: string | null;
};

export type NewServer = {
  host?: string | null;
  game_port?: number | null;
  query_port?: number | null;
  adapter?: AdapterId;
  adapter_options?: AdapterOptions;
  adapter_secrets?: SealedSecrets;
  lifecycle?: Lifecycle;
  poll_interval_s?: number;
};

/** A log that keeps its lines, so that a test can ask what the operator was told. */
function keptLog() {
  const lines: { level: number; msg: string; failure?: string; server_id?: number }[] = [];
  return { lines, log: pino({ level: "info" }, { write: (line) => void lines.push(JSON.parse(line)) }) };
}

export async function createBed() {
  const database: TestDatabase = await createTestDatabase();
  const { sql, listen, connect, url } = database;
  await sql`INSERT INTO games (game_name, game_acronym, game_slug, tagline, description)
    VALUES ('Valheim', 'VH', 'valheim', '{"en":""}', '{"en":""}')`;
  const running: { stop(): Promise<void> }[] = [];
  return {
    sql,
    listen,
    connect,
    url,
    /** Adds a game server and returns its id. */
    async addServer(server: NewServer = {}): Promise<number> {
      const [row] = await sql<{ server_id: number }[]>`
        INSERT INTO gameserver (game_id, server_name, host, game_port, query_port, adapter, adapter_options, lifecycle,
          poll_interval_s, adapter_secrets)
        SELECT game_id, 'a game server', ${server.host === undefined ? "127.0.0.1" : server.host},
          ${server.game_port ?? null}, ${server.query_port ?? null}, ${server.adapter ?? "a2s"},
          ${JSON.stringify(server.adapter_options ?? {})}::jsonb, ${server.lifecycle ?? "active"},
          ${server.poll_interval_s ?? null}, ${JSON.stringify(server.adapter_secrets ?? {})}::jsonb
        FROM games LIMIT 1 RETURNING server_id`;
      return row?.server_id ?? 0;
    },
    async row(serverId: number): Promise<LiveRow> {
      const [row] = await sql<LiveRow[]>`SELECT * FROM gameserver_live_metrics WHERE server_id = ${serverId}`;
      if (!row) throw new Error(`no row of ${serverId}`);
      return row;
    },
    statuses: async (): Promise<Record<string, number>> => {
      const rows = await sql<{ status: string; n: number }[]>`
        SELECT status, count(*)::int AS n FROM gameserver_live_metrics GROUP BY status`;
      return Object.fromEntries(rows.map((row) => [row.status, row.n]));
    },
    async start(
      settings: {
        intervalS?: number;
        outside?: Partial<Outside>;
        databaseUrl?: string;
        allow?: string[];
        authSecret?: string;
      } = {},
    ) {
      const kept = keptLog();
      const collector = await startCollector(
        {
          databaseUrl: settings.databaseUrl ?? url,
          pollIntervalS: settings.intervalS ?? 1,
          probeAllowCidrs: settings.allow ?? ["127.0.0.0/8"],
          port: 1,
          webWorkers: 1,
          authSecret: settings.authSecret,
        },
        { log: kept.log, outside: settings.outside },
      );
      let stopped: Promise<void> | undefined;
      const stop = () => (stopped ??= collector.stop());
      running.push({ stop });
      return { ...collector, stop, lines: kept.lines };
    },
    /** Stops every collector and removes every game server: what a test leaves to the next. */
    async clear() {
      await Promise.all(running.splice(0).map((one) => one.stop()));
      await sql`DELETE FROM gameserver`;
    },
    end: () => database.drop(),
  };
}

export type PretendA2s = {
  port: number;
  players: number;
  asked: number;
  /** Takes every question and answers none. */
  mute: boolean;
  /** The share of packets that get lost, in each direction. */
  loss: number;
  /** How long it takes over an answer. */
  slowMs: number;
  close(): Promise<void>;
};

/** A game server that speaks A2S_INFO, with a challenge. */
export async function pretendA2s(players: number, port = 0, address = "127.0.0.1"): Promise<PretendA2s> {
  const socket = createSocket("udp4");
  const challenge = Buffer.from([1, 2, 3, 4]);
  const server: PretendA2s = {
    port,
    players,
    asked: 0,
    mute: false,
    loss: 0,
    slowMs: 0,
    close: async () => {
      closed = true;
      socket.close();
      await once(socket, "close");
    },
  };
  let closed = false;
  socket.on("message", (message, from) => {
    if (message.length < 25 || message[4] !== 0x54 || Math.random() < server.loss) return;
    const answered = message.subarray(25).equals(challenge);
    if (answered) server.asked++;
    if (server.mute || Math.random() < server.loss) return;
    const reply = answered
      ? Buffer.concat([
          Buffer.from("\xff\xff\xff\xffI\x11Pretend\0hills\0valheim\0Valheim\0", "latin1"),
          Buffer.from([0, 0, server.players, 64, 0, 0x64, 0x6c, 0, 0]),
          Buffer.from("0.219.16\0\0"),
        ])
      : Buffer.concat([Buffer.from("\xff\xff\xff\xffA", "latin1"), challenge]);
    // A slow one may be closed by then.
    const send = () => closed || socket.send(reply, from.port, from.address, () => {});
    if (server.slowMs > 0) setTimeout(send, server.slowMs).unref();
    else send();
  });
  // A test that fails before it closes this must still end.
  socket.unref();
  socket.bind(port, address);
  await once(socket, "listening");
  server.port = socket.address().port;
  return server;
}

/**
 * A way to the database at `databaseUrl` that a test can `pause` (nothing passes, nobody is told), `cut` (connections
 * break, new ones are refused) and `heal`.
 */
export async function createDoor(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const folder = target.searchParams.get("host");
  const port = Number(target.port || 5432);
  const pairs = new Set<Socket>();
  let state: "open" | "paused" | "cut" = "open";
  const server = createServer((inner) => {
    if (state === "cut") return inner.destroy();
    const outer = openSocket(folder ? { path: `${folder}/.s.PGSQL.${port}` } : { host: target.hostname, port });
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      pairs.add(from);
      from.on("data", (bytes) => to.write(bytes));
      from.on("error", () => {});
      from.on("close", () => {
        pairs.delete(from);
        to.destroy();
      });
      if (state === "paused") from.pause();
    }
  });
  server.unref();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = new URL(databaseUrl);
  url.searchParams.delete("host");
  url.hostname = "127.0.0.1";
  url.port = String(typeof address === "object" && address ? address.port : 0);
  return {
    url: url.href,
    pause() {
      state = "paused";
      for (const socket of pairs) socket.pause();
    },
    cut() {
      state = "cut";
      for (const socket of pairs) socket.destroy();
    },
    heal() {
      state = "open";
      for (const socket of pairs) socket.resume();
    },
    async close() {
      for (const socket of pairs) socket.destroy();
      server.close();
    },
  };
}

/**
 * Game servers without sockets: each test decides what they answer. Their addresses are their hosts.
 * @param silence ends with the deadline of a silent one
 */
export function fakeWorld(
  answer: (address: string) => "up" | "refused" | "silent" | "network",
  silence: () => Promise<void> = () => pause(2_000),
) {
  const asked: { address: string; at: number }[] = [];
  const query: Outside["query"] = async (_, { address }) => {
    asked.push({ address, at: performance.now() });
    const is = answer(address);
    if (is === "silent") await silence();
    if (is === "up") {
      return { ok: true, latencyMs: 5, answer: { ...answerWithoutFigures, players: 3, maxPlayers: 10, version: "1" } };
    }
    return { ok: false, latencyMs: 5, failure: is === "silent" ? "no_reply" : is };
  };
  const resolver: Outside["resolver"] = {
    resolve: async ({ host, port }) => ({ ok: true, address: host, port: port ?? 1, family: 4 }),
  };
  return { asked, outside: { resolver, query } };
}
