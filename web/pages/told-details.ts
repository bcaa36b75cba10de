// Caches the details that game servers report for a moment; uses them longer while the database is unavailable.
import type { Db } from "#db/client.ts";
import { findDetails, type ToldDetails } from "#domain/game-servers/details.ts";
import type { GameServer } from "#domain/game-servers/game-servers.ts";

const KEPT_MS = 5_000;
/** Another process may know a newer icon: unknown ones are looked up this often. */
const LOOKED_FOR_MS = 1_000;
const MOST_KEPT = 1_000;

export type ToldDetailsShelf = {
  /** The game server's details; null: none, not to be shown, or unknown. Never rejects. */
  find(server: GameServer): Promise<ToldDetails | null>;
  /** Its icon of that name. Null: it has no such icon (any more). Never rejects. */
  icon(server: GameServer, id: string): Promise<Buffer | null>;
};

type Kept = { readAt: number; value: ToldDetails | null; reading: Promise<ToldDetails | null> | null };

/**
 * Makes the cache. The caller checks whether the client may see the game server.
 * @param optionalPartMs how long a page waits for optional parts
 */
export function createToldDetails(db: Db, optionalPartMs: number): ToldDetailsShelf {
  const shelf = new Map<string, Kept>();

  function read(serverId: number, kept: Kept): Promise<ToldDetails | null> {
    kept.reading ??= findDetails(db, serverId)
      .then((value) => {
        kept.value = value;
        kept.readAt = performance.now();
        return value;
      })
      .catch(() => kept.value)
      .finally(() => {
        kept.reading = null;
      });
    const enough = new Promise<void>((resolve) => setTimeout(resolve, optionalPartMs).unref());
    return Promise.race([kept.reading, enough.then(() => kept.value)]);
  }

  /** Keyed by address too: details reported from another address are no longer its own. */
  function find(server: GameServer, keptMs: number): Promise<ToldDetails | null> {
    if (!server.show_details) return Promise.resolve(null);
    const name = JSON.stringify([server.server_id, server.adapter, server.host, server.game_port]);
    const kept = shelf.get(name) ?? { readAt: Number.NEGATIVE_INFINITY, value: null, reading: null };
    shelf.delete(name);
    shelf.set(name, kept);
    const [oldest] = shelf.keys();
    if (shelf.size > MOST_KEPT && oldest !== undefined) shelf.delete(oldest);
    return performance.now() - kept.readAt < keptMs ? Promise.resolve(kept.value) : read(server.server_id, kept);
  }

  return {
    find: (server) => find(server, KEPT_MS),
    async icon(server, id) {
      const known = await find(server, KEPT_MS);
      const told = known?.icon?.id === id ? known : await find(server, LOOKED_FOR_MS);
      return told?.icon?.id === id ? told.icon.bytes : null;
    },
  };
}
