// Runs the demo: a mock game server for each row that may have one, polled by the same collector over the same protocols.
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "#config";
import { connectDatabase, type Database } from "#db/client.ts";
import { hashHeartbeatToken } from "#domain/game-servers/heartbeats.ts";
import { ADAPTER_FACTS } from "#shared/adapters.ts";
import { behaviourOf, DEMO_LINKS } from "./fleet-plan.ts";
import { type FleetRow, insertDemoOnly, listFleetRows, writeFleetAddresses } from "./fleet-rows.ts";
import { startHeartbeat } from "./heartbeat-sender.ts";
import { type LivedServer, writeLivedHistory } from "./lived-history.ts";
import { playersAt } from "./player-wave.ts";
import { maxPlayersOf, type PretendServer, startPretendServer, versionOf } from "./pretend-server.ts";

type FleetLog = Record<"info" | "warn" | "debug", (text: string) => void>;

export type DemoFleet = {
  /** Settles when every game server is up and its address is in the database. */
  ready: Promise<void>;
  stop(): Promise<void>;
};

type FleetServer = {
  row: FleetRow;
  past: LivedServer;
  server: PretendServer;
  token: string | null;
  players: () => number;
};

const LONGEST_PAUSE_MS = 5000;

/**
 * Starts the fleet and returns at once; retries while the database is unavailable.
 * @param config `host` and `port` are where the site receives heartbeats; with port 0 none are sent.
 * @throws {ConfigError} without a database address.
 */
export async function startDemoFleet(
  config: Pick<Config, "databaseUrl" | "host" | "port" | "pollIntervalS">,
  { log }: { log: FleetLog },
): Promise<DemoFleet> {
  const stopping = new AbortController();
  const parts: { stop(): Promise<void> }[] = [];
  const database = connectDatabase(config, { max: 1, applicationName: "spawnpoint demo" });
  const ready = assemble(database, parts, stopping.signal, log)
    .then((fleet) => {
      if (stopping.signal.aborted) return;
      log.info(`${fleet.length} pretend game servers are up`);
      parts.push(...sendHeartbeats(fleet, config, log));
    })
    .finally(database.close);
  ready.catch((error: unknown) => {
    if (!stopping.signal.aborted) log.warn(`the demo did not start: ${errorText(error)}`);
  });
  return {
    ready,
    async stop() {
      stopping.abort();
      await ready.catch(() => {});
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}

async function assemble(
  { db, sql }: Database,
  parts: { stop(): Promise<void> }[],
  stopping: AbortSignal,
  log: FleetLog,
): Promise<FleetServer[]> {
  const rows = await persistently(stopping, log, async () => {
    await insertDemoOnly(db);
    return listFleetRows(db);
  });
  const fleet: FleetServer[] = [];
  for (const row of rows) {
    try {
      const started = await startFleetServer(row);
      fleet.push(started);
      parts.push(started.server);
    } catch (error) {
      log.warn(`no pretend game server for ${row.server_name}: ${errorText(error)}`);
    }
  }
  // Before they have an address, and are polled.
  await persistently(stopping, log, () =>
    writeLivedHistory(
      sql,
      fleet.map(({ past }) => past),
    ),
  );
  await persistently(stopping, log, () =>
    writeFleetAddresses(
      db,
      fleet.map(({ row, server, token }) => ({
        server_id: row.server_id,
        ...movePorts(row, server.port),
        heartbeat_token_hash: token === null ? null : hashHeartbeatToken(token),
        links: DEMO_LINKS[row.game_slug] ?? [],
      })),
    ),
  );
  return fleet;
}

async function startFleetServer(row: FleetRow): Promise<FleetServer> {
  const behaviour = behaviourOf(row);
  const wave = {
    seed: row.server_id,
    max: maxPlayersOf(row),
    busy: behaviour.busy,
    // January's: the same all year.
    utcOffsetMinutes: -new Date(new Date().getFullYear(), 0, 1).getTimezoneOffset(),
  };
  const players = () => playersAt(wave, Date.now());
  const tells = ADAPTER_FACTS[row.adapter].tells.players || behaviour.heartbeat === true;
  return {
    row,
    past: { server_id: row.server_id, wave, fails: behaviour.fails ?? false, tells },
    players,
    server: await startPretendServer(row, behaviour, players),
    token: behaviour.heartbeat ? randomBytes(32).toString("base64url") : null,
  };
}

/** Returns the actual ports: if the query port had to move, the game port moves along. */
function movePorts({ game_port, query_port }: FleetRow, asked: number | null) {
  if (asked === null) return { game_port, query_port };
  if (query_port === null) return { game_port: asked, query_port };
  const moved = game_port === null ? null : game_port + asked - query_port;
  return { game_port: moved !== null && (moved < 1024 || moved > 65_535) ? asked : moved, query_port: asked };
}

function sendHeartbeats(
  fleet: FleetServer[],
  config: Pick<Config, "host" | "port" | "pollIntervalS">,
  log: FleetLog,
): { stop(): Promise<void> }[] {
  if (config.port === 0) {
    log.warn("no heartbeats are sent: with PORT=0 nobody knows where the site is");
    return [];
  }
  return fleet.flatMap(({ row, token, players }) => {
    if (token === null) return [];
    let last: number | null | undefined;
    return startHeartbeat({
      url: `http://${reachable(config.host)}:${config.port}`,
      token,
      everyMs: config.pollIntervalS * 1000,
      report: () => ({
        players: players(),
        maxPlayers: maxPlayersOf(row),
        version: versionOf(row, behaviourOf(row)),
      }),
      onSent(status) {
        if (status !== last) log.debug(`heartbeat of ${row.server_name}: ${status ?? "no answer"}`);
        last = status;
      },
    });
  });
}

/** A server on all addresses is reached on loopback. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

/** Retries until it works or the fleet is stopped; logs each reason once. */
async function persistently<Result>(
  stopping: AbortSignal,
  log: FleetLog,
  work: () => Promise<Result>,
): Promise<Result> {
  let said = "";
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    stopping.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      const text = errorText(error);
      if (text !== said) log.warn(`the demo waits for the database: ${text}`);
      said = text;
      await pause(pauseMs, undefined, { signal: stopping });
    }
  }
}

/** Unwraps the error of Postgres or the network from Drizzle's. */
function errorText(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
