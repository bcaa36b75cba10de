// Lists of game servers under the filters of their addresses: finished pages too, on a shelf of their own, so that however
// many combinations somebody asks for, neither the pages that everybody needs nor the process suffer (decision 012).
import type { IncomingMessage } from "node:http";
import { filterQuery, isOwn, readFilter } from "#shared/server-filter.ts";
import type { Asker } from "../request/fair-queue.ts";
import type { Places } from "../request/places.ts";
import { choicesOf } from "./catalog-index.ts";
import { createResponseCache, type ResponseCache } from "./response-cache.ts";
import type { RouteMap } from "./route-facts.ts";
import type { SiteReader } from "./site-snapshot.ts";

const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Makes the shelf; `of` is what the page cache is made of. What it answers is asked for before the page cache is. Lists are
 * made as `places` allow it, in turns of those who ask.
 */
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
 * The one address of a filtered list, or of its data: known names and values only, in one order. Null where nothing is filtered:
 * what is unknown to us makes no further page; a favourite is the browser's business, so that it makes none either. Null too
 * for what is made for whoever asks.
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

/** Whether an address is one of a list as only whoever asks has any use for it: a search, or game servers by their ids. */
export function isOwnList(url: string, map: RouteMap): boolean {
  const asked = listQuery(url, map);
  return asked !== null && isOwn(asked.query);
}

/** An address of a list with a query; null: another. */
function listQuery(url: string, map: RouteMap) {
  const at = url.indexOf("?");
  if (at === -1) return null;
  const pathname = url.slice(0, at);
  const facts = map.isKept(pathname) ? map.find(pathname)?.facts.filtered : undefined;
  return facts ? { pathname, facts, query: new URLSearchParams(url.slice(at)) } : null;
}
