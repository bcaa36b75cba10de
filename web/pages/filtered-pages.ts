// Lists of game servers under the filters of their addresses: finished pages too, on a shelf of their own, so that however
// many combinations somebody asks for, neither the pages that everybody needs nor the process suffer (decision 012).
import type { IncomingMessage } from "node:http";
import { filterChoices, filterQuery, readFilter } from "#shared/server-filter.ts";
import type { Asker } from "../request/fair-queue.ts";
import type { Places } from "../request/places.ts";
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
 * The one address of a filtered list: known names and values only, in one order. Null where nothing is filtered: what is
 * unknown to us makes no further page. A favourite is the browser's business, so that it makes none either.
 */
export function filteredAddress(url: string, site: SiteReader, map: RouteMap): string | null {
  const at = url.indexOf("?");
  if (at === -1) return null;
  const pathname = url.slice(0, at);
  const filtered = map.find(pathname)?.facts.filtered;
  if (!filtered || pathname.endsWith(".data")) return null;
  const choices = filterChoices(
    site.read().gameServers.map(({ game_slug, server_locations }) => ({ game_slug, locations: server_locations })),
  );
  const filter = readFilter(new URLSearchParams(url.slice(at)), choices);
  const page = filtered.paged ? filter.page : 1;
  const query = filterQuery({ ...filter, favourites: false, page });
  return query === "" ? null : pathname + query;
}
