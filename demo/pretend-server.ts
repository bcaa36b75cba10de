// One pretend game server: speaks the protocol that its row is asked by, on its port or any free one.
import type { AdapterOptions } from "#shared/adapters.ts";
import type { Behaviour } from "./fleet-plan.ts";
import type { FleetRow } from "./fleet-rows.ts";
import { startA2sServer } from "./protocols/a2s-server.ts";
import { startMinecraftServer } from "./protocols/minecraft-server.ts";
import { startTcpGreetingServer } from "./protocols/tcp-greeting-server.ts";

type Listener = { port: number; close(): Promise<void> };

/** A game server that is up. `port` is the one that is asked; null: it only reports itself and listens nowhere. */
export type PretendServer = { port: number | null; stop(): Promise<void> };

/** What Steam's games call themselves in an A2S reply, and the maximum that they tell where it is not the true one. */
const STEAM_GAMES: Record<string, { folder: string; game: string; appId: number; toldMax?: number }> = {
  valheim: { folder: "valheim", game: "Valheim", appId: 892970, toldMax: 64 },
  projectzomboid: { folder: "zomboid", game: "Project Zomboid", appId: 108600 },
  thefront: { folder: "ProjectWar", game: "The Front", appId: 2285150, toldMax: 100 },
};

/** Minecraft's protocol number of 1.21.4. */
const MINECRAFT_PROTOCOL = 769;

/** Any bytes do: only Tera's first four are known, and Aion's greeting differs at each connection in real life too. */
const ANY_GREETING = "0600000000000000";

const FAILS_EVERY_MS = 12 * 60_000;
const FAILS_FOR_MS = 2 * 60_000;
const OUTAGE_CHECK_MS = 1000;

/**
 * Starts the game server of a row. `players` is asked at each answer.
 * @throws the system's error when not even a free port can be had.
 */
export async function startPretendServer(
  row: FleetRow,
  behaviour: Behaviour,
  players: () => number,
): Promise<PretendServer> {
  const open = opener(row, behaviour, players);
  if (open === null) return { port: null, stop: async () => {} };
  const listener = await open(row.query_port ?? row.game_port ?? 0).catch(() => open(0));
  return behaviour.fails
    ? failNowAndThen(row.server_id, listener, open)
    : { port: listener.port, stop: listener.close };
}

function opener(
  row: FleetRow,
  behaviour: Behaviour,
  players: () => number,
): ((port: number) => Promise<Listener>) | null {
  const maxPlayers = maxPlayersOf(row);
  const version = versionOf(row, behaviour);
  switch (row.adapter) {
    case "a2s": {
      const { toldMax, ...game } = STEAM_GAMES[row.game_slug] ?? { folder: row.game_slug, game: row.game_slug };
      return (port) =>
        startA2sServer({
          port,
          info: () => ({
            ...game,
            name: row.server_name,
            map: behaviour.map ?? "",
            players: players(),
            maxPlayers: toldMax ?? maxPlayers,
            version,
          }),
        });
    }
    case "minecraft":
      return (port) =>
        startMinecraftServer({
          port,
          info: () => ({
            players: players(),
            maxPlayers,
            version,
            protocol: MINECRAFT_PROTOCOL,
            description: row.server_name,
          }),
        });
    case "tcp":
      return (port) => startTcpGreetingServer({ port, greetingHex: greetingFor(row.adapter_options.expect) });
    case "heartbeat":
    // The fleet has no game of the long tail.
    case "gamedig":
      return null;
  }
}

/** The maximum that a row's game server has, where the record names none. */
export function maxPlayersOf(row: Pick<FleetRow, "user_max">): number {
  return row.user_max ?? 50;
}

/** The version that a row's game server tells. */
export function versionOf(row: Pick<FleetRow, "version">, behaviour: Behaviour): string {
  return row.version ?? behaviour.version ?? "1.0";
}

function greetingFor(expect: AdapterOptions["expect"]): string {
  return typeof expect === "object" ? expect.prefixHex : ANY_GREETING;
}

/** Whether a game server that fails is down at this moment (ms since 1970): two minutes in twelve. */
export function isDownAt(seed: number, atMs: number): boolean {
  // Each fails at its own minute; the large odd step keeps neighbours apart.
  return (atMs + seed * 7 * 37_000) % FAILS_EVERY_MS < FAILS_FOR_MS;
}

/** Closes the port while it is down and opens the same one again; when somebody took it meanwhile, tries on. */
function failNowAndThen(seed: number, first: Listener, open: (port: number) => Promise<Listener>): PretendServer {
  const { port } = first;
  let listener: Listener | null = first;
  let stopped = false;
  let turn = Promise.resolve();

  const follow = async () => {
    if (stopped) return;
    const down = isDownAt(seed, Date.now());
    if (down && listener) {
      const closing = listener;
      listener = null;
      await closing.close();
    } else if (!down && !listener) {
      listener = await open(port).catch(() => null);
    }
  };
  const timer = setInterval(() => {
    turn = turn.then(follow);
  }, OUTAGE_CHECK_MS);

  return {
    port,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await turn;
      await listener?.close();
    },
  };
}
