// Visitors' pages as finished bytes: which addresses have one says the route map, and so does it in whose turn each is made.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Members } from "../accounts/members.ts";
import type { AppParts } from "../context.ts";
import type { LiveHub } from "../live/hub.ts";
import { createFilteredPages, isOwnList } from "./filtered-pages.ts";
import type { RenderPage } from "./page-renderer.ts";
import type { Refusals } from "./refusals.ts";
import type { Refuse } from "./refuse.ts";
import { createResponseCache, type ResponseCacheResult } from "./response-cache.ts";
import { isForAll, type RouteMap } from "./route-facts.ts";

export type VisitorPages = {
  /** Answers from memory, rendering first where needed. False: the request is not for a page that is kept. */
  serve(request: IncomingMessage, response: ServerResponse): boolean;
  stop(): void;
};

/** Makes the shelves. `headers` go out with every page; `onServe` is told of each that is served. */
export function createVisitorPages(options: {
  map: RouteMap;
  hub: LiveHub;
  render: RenderPage;
  refusals: Refusals;
  refuse: Refuse;
  members: Members;
  parts: Pick<AppParts, "addresses" | "shares" | "siteUrl" | "log">;
  headers: Record<string, string>;
  onServe?: ((result: ResponseCacheResult) => void) | undefined;
}): VisitorPages {
  const { map, hub, render, refusals, refuse, members, headers, onServe } = options;
  const { addresses, shares, siteUrl, log } = options.parts;
  const site = { read: () => hub.read("public") };

  /** A page that everybody needs is nobody's in particular; of others there is no end, so whoever asks for them pays. */
  async function make(request: Request, cause: IncomingMessage): Promise<Response> {
    if (isForAll(map, new URL(request.url).pathname, site.read())) return render(request);
    const asker = members.askerOf(cause);
    const leave = await shares.pages.take(asker);
    return render(request, undefined, asker).finally(leave);
  }

  const ofPages = { siteUrl, headers, log, onServe, onError: refuse.sendFailed };
  const pages = createResponseCache({
    ...ofPages,
    render: make,
    addressOf: (url) => {
      if (isOwnList(url, map)) return null;
      const [pathname = url] = url.split("?", 1);
      return map.isKept(pathname) ? pathname : null;
    },
  });
  const filtered = createFilteredPages({ ...ofPages, render: (request) => render(request) }, site, {
    map,
    places: shares.lists,
    askerOf: members.askerOf,
  });
  const unsubscribe = hub.subscribe("public", ({ whole }) => {
    // Whoever is told of another catalog asks for it at once, and what was hidden is gone.
    const shown = whole ? "no more" : undefined;
    pages.invalidate(shown);
    filtered.invalidate(shown);
    if (whole) refusals.forget();
  });

  return {
    serve(request, response) {
      const origin = addresses.cacheOrigin(request);
      if (origin === null) return false;
      return filtered.serve(request, response, origin) || pages.serve(request, response, origin);
    },
    stop: unsubscribe,
  };
}
