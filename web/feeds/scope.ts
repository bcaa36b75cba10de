// Finds the subject of a feed or a calendar, and caches finished texts for the site's content.
import type { SiteSnapshot } from "../pages/site-snapshot.ts";
import { tagOf } from "../request/etag.ts";

/** The subject of a feed or calendar. */
export type Scope =
  | { of: "site" }
  | { of: "game"; slug: string; name: string }
  | { of: "server"; server_id: number; game_slug: string; name: string };

/** Finds the subject of an address; null: nothing that visitors may see. */
export function findScope(site: SiteSnapshot, of: Scope["of"], id: string): Scope | null {
  if (of === "site") return { of };
  if (of === "game") {
    const game = site.games.find(({ game_slug }) => game_slug === id);
    return game ? { of, slug: game.game_slug, name: game.game_name } : null;
  }
  const server = site.gameServers.find(({ server_id }) => String(server_id) === id);
  return server ? { of, server_id: server.server_id, game_slug: server.game_slug, name: server.server_name } : null;
}

type Made = { body: string; etag: string };
/** Per state of the site's content. */
const MOST_KEPT = 500;

/**
 * Makes a cache of finished texts. A text without a name is not cached. One is made again when the content changed, and after
 * `keptMs` even without a change; figures, which change all the time, are in none. `now`: the time of making, in ms since 1970.
 */
export function createMadeTexts(keptMs = Number.POSITIVE_INFINITY) {
  let kept = { catalog: "", since: 0, made: new Map<string, Made>() };
  return (snapshot: SiteSnapshot, name: string | null, make: (now: number) => string): Made => {
    const now = Date.now();
    if (kept.catalog !== snapshot.catalog || Math.abs(now - kept.since) > keptMs)
      kept = { catalog: snapshot.catalog, since: now, made: new Map() };
    const found = name !== null && kept.made.get(name);
    if (found) return found;
    const body = make(now);
    const made = { body, etag: tagOf(body) };
    if (name !== null && kept.made.size < MOST_KEPT) kept.made.set(name, made);
    return made;
  };
}
