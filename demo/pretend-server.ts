// Runs one mock game server: speaks its row's protocol, on its port or any free one.
import { EMULATORS, type Listener } from "./emulators.ts";
import type { Behaviour } from "./fleet-plan.ts";
import type { FleetRow } from "./fleet-rows.ts";
import { namesOf } from "./player-names.ts";

/** A running game server. `port` is the query port; null: it only sends heartbeats and doesn't listen. */
export type PretendServer = { port: number | null; stop(): Promise<void> };

const FAILS_EVERY_MS = 12 * 60_000;
const FAILS_FOR_MS = 2 * 60_000;
const OUTAGE_CHECK_MS = 1000;

/**
 * Starts the game server of a row. `players` is called for each answer.
 * @throws the system's error if there is no free port at all.
 */
export async function startPretendServer(
  row: FleetRow,
  behaviour: Behaviour,
  players: () => number,
): Promise<PretendServer> {
  const emulate = EMULATORS[row.adapter];
  if (emulate === null) return { port: null, stop: async () => {} };
  const shown = {
    name: row.server_name,
    game_slug: row.game_slug,
    version: versionOf(row, behaviour),
    map: behaviour.map ?? "",
    maxPlayers: maxPlayersOf(row),
    players,
    says: behaviour.says,
    names: behaviour.named ? () => namesOf(players()) : undefined,
    options: row.adapter_options,
  };
  const open = (port: number) => emulate(shown, port);
  const listener = await open(row.query_port ?? row.game_port ?? 0).catch(() => open(0));
  return behaviour.fails
    ? failNowAndThen(row.server_id, listener, open)
    : { port: listener.port, stop: listener.close };
}

/** Returns the maximum of a row's game server, with a default if the record has none. */
export function maxPlayersOf(row: Pick<FleetRow, "user_max">): number {
  return row.user_max ?? 50;
}

/** Returns the version that a row's game server reports. */
export function versionOf(row: Pick<FleetRow, "version">, behaviour: Behaviour): string {
  return row.version ?? behaviour.version ?? "1.0";
}

/** Returns whether a failing game server is down at a time (ms since 1970): two minutes in twelve. */
export function isDownAt(seed: number, atMs: number): boolean {
  // Each fails at its own minute; the large odd step separates neighbours.
  return (atMs + seed * 7 * 37_000) % FAILS_EVERY_MS < FAILS_FOR_MS;
}

/** Closes the port while it is down and reopens it; retries if it is in use by then. */
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
