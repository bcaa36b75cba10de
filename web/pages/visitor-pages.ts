// Caches anonymous pages; the route map says which addresses are cached and in whose turn each is rendered.
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
  /** Answers from memory, rendering first where needed. False: the request is not for a cached page. */
  serve(request: IncomingMessage, response: ServerResponse): boolean;
  stop(): void;
};

/** Makes the caches. `headers` are sent with every page; `onServe` is called for each one. */
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

  /** A page that everyone needs takes the site's turn; the others are unlimited, so they take the client's turn and slot. */
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
    // Clients notified of another catalog request it at once, and hidden content must be gone.
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
