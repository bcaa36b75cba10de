// Caches filtered lists of game servers separately, so that any number of requested combinations harms neither the pages that
// everyone needs nor the process (decision 012).
import type { IncomingMessage } from "node:http";
import { filterQuery, isOwn, readFilter } from "#shared/server-filter.ts";
import type { Asker } from "../request/fair-queue.ts";
import type { Places } from "../request/places.ts";
import { choicesOf } from "./catalog-index.ts";
import { createResponseCache, type ResponseCache } from "./response-cache.ts";
import type { RouteMap } from "./route-facts.ts";
import type { SiteReader } from "./site-snapshot.ts";

const MAX_BYTES = 16 * 1024 * 1024;

/** Makes the cache; `of` are the options of the page cache, which it runs before. `places` limits rendering, clients in turn. */
export function createFilteredPages(
  of: Omit<Parameters<typeof createResponseCache>[0], "addressOf">,
  site: SiteReader,
  { map, places, askerOf }: { map: RouteMap; places: Places; askerOf: (request: IncomingMessage) => Asker },
): ResponseCache {
  return createResponseCache({
    ...of,
    async render(request, cause) {
      const leave = await places.take(askerOf(cause));
      return of.render(request, cause).finally(leave);
    },
    maxBytes: MAX_BYTES,
    addressOf: (url) => filteredAddress(url, site, map),
  });
}

/**
 * Canonicalises the address of a filtered list or its data: known names and values only, in one order. Null without a known
 * filter or with favourites alone, which the browser filters: neither makes a further page. Null too for lists that suit one
 * client only.
 */
export function filteredAddress(url: string, site: SiteReader, map: RouteMap): string | null {
  const asked = listQuery(url, map);
  if (!asked || isOwn(asked.query)) return null;
  const filter = readFilter(asked.query, choicesOf(site.read()));
  const query = filterQuery({
    ...filter,
    favourites: false,
    game: asked.facts.ofParam ? "" : filter.game,
    page: asked.facts.paged ? filter.page : 1,
  });
  return query === "" ? null : asked.pathname + query;
}

/** Checks for a list that suits one client only: a search, or game servers by their ids. */
export function isOwnList(url: string, map: RouteMap): boolean {
  const asked = listQuery(url, map);
  return asked !== null && isOwn(asked.query);
}

/** Parses a list's address with a query; null: another. */
function listQuery(url: string, map: RouteMap) {
  const at = url.indexOf("?");
  if (at === -1) return null;
  const pathname = url.slice(0, at);
  const facts = map.isKept(pathname) ? map.find(pathname)?.facts.filtered : undefined;
  return facts ? { pathname, facts, query: new URLSearchParams(url.slice(at)) } : null;
}
