// Reads facts about addresses from the `handle` of their routes in the build, for the page cache, the sitemap, robots.txt, the
// footer and the limits of forms.
import { generatePath } from "react-router";
import { LEGAL_UPDATED } from "#content/legal/legal-text.ts";
import { createRoutePatterns, plainPath } from "../request/route-patterns.ts";
import type { SiteSnapshot } from "./site-snapshot.ts";

/** The `handle` of a route. A layout's facts apply to every address below it that does not override them. */
export type RouteFacts = {
  /**
   * Whether visitors get the page from the cache (decision 004): every page without `false`. Cached pages are rendered without a
   * member or a query, so a page that depends on either, or on a token or a moment, sets `false`.
   */
  kept?: boolean;
  /**
   * The page shows a list with its filter in the query (decision 012); `paged`: the list has further pages; `ofParam`: it is that
   * of one game, which the address names.
   */
  filtered?: { paged: boolean; ofParam?: true };
  /**
   * The page's entries in the sitemap: every page without parameters and without `false` has one. One with parameters lists their
   * values. `changed`: the day (2024-12-31) of its last change, if known.
   */
  sitemap?: false | ((site: Listed) => { params?: Record<string, string>; changed?: string }[]);
  /** `false`: robots.txt excludes it from search engines, with everything that begins like it. The sitemap lists none of it. */
  robots?: false;
  /**
   * The turn that rendering an uncached page takes: with parameters, which are unlimited, the client's. `site`: the site's, if
   * the sitemap lists the page.
   */
  turn?: "site";
  /** The text of its link in the footer, if it has one there. */
  footer?: () => string;
  /** The page is static: sent without script, and works without it. */
  still?: true;
  /** Refused while the database is unavailable, if the member is unknown. */
  forMembers?: true;
  /** The size limit of forms in bytes, if above the usual one (web/request/limited-body.ts). */
  maxBody?: number;
  /** Its forms upload files: the action reads them itself, within its own limits (web/forms/file-form.ts). */
  takesFiles?: true;
};

/** The content to list, as visitors may see it. */
type Listed = Pick<SiteSnapshot, "games" | "gameServers" | "news"> & { legalUpdated: typeof LEGAL_UPDATED };

/** `pattern`: without its language, as `/games/:slug`. */
export type Address = {
  pattern: string;
  facts: RouteFacts;
  /** Whether visitors get it from the cache, and whether the sitemap may list it. */
  kept: boolean;
  listed: boolean;
};

/** Every address of the route map except the catch-all routes. */
export type RouteMap = {
  addresses: Address[];
  /** Finds the address that matches a path, in either language, as a page or as its data. */
  find(pathname: string): Address | undefined;
  /** Checks whether a path is one of a cached page. */
  isKept(pathname: string): boolean;
};

/** The parts of React Router's build that are read. */
type Routes = Record<
  string,
  | {
      parentId?: string | undefined;
      path?: string | undefined;
      index?: boolean | undefined;
      module: { default?: unknown; handle?: unknown };
    }
  | undefined
>;

/** Reads the map from the routes of a server build. */
export function readRouteMap(routes: Routes): RouteMap {
  const around = (id: string | undefined): { path: string; facts: RouteFacts } => {
    const route = id === undefined ? undefined : routes[id];
    if (!route) return { path: "", facts: {} };
    const { path, facts } = around(route.parentId);
    return {
      path: route.path ? `${path}/${route.path}` : path,
      facts: { ...facts, ...(route.module.handle as RouteFacts | undefined) },
    };
  };
  const addresses = Object.entries(routes).flatMap(([id, route]): Address[] => {
    if (!route?.path && !route?.index) return [];
    const { path, facts } = around(id);
    const pattern = path.replace(/^\/de\?/, "") || "/";
    if (pattern === "/*") return [];
    // Routes without a component answer with data, a file, or a redirect.
    const isPage = route.module.default !== undefined;
    const kept = isPage && facts.kept !== false && !pattern.endsWith("*");
    return [{ pattern, facts, kept, listed: isPage && facts.sitemap !== false && facts.robots !== false }];
  });
  const patternOf = createRoutePatterns(addresses.map(({ pattern }) => pattern));
  const byPattern = new Map(addresses.map((address) => [address.pattern, address]));
  const kept = keptPaths(addresses);
  return {
    addresses,
    find: (pathname) => byPattern.get(patternOf(pathname)),
    isKept: (pathname) => kept.test(pathname),
  };
}

/**
 * Builds one expression for all paths of cached pages, which runs at every request. A parameter has characters that need no
 * escape, up to the length of a slug or a number, so that each page is cached once.
 */
function keptPaths(addresses: Address[]): RegExp {
  const pathOf = ({ pattern }: Address) =>
    (pattern === "/" ? "" : pattern)
      .split("/")
      .map((part) => (part.startsWith(":") ? "[\\w-]{1,80}" : RegExp.escape(part)))
      .join("/");
  const oneOf = (some: Address[]) => (some.length === 0 ? "(?!)" : `(?:${some.map(pathOf).join("|")})`);
  const kept = oneOf(addresses.filter((address) => address.kept));
  const likeKept = new RegExp(`^${kept}$`);
  // Uncached addresses that look like a parameter of another, as /games/create like /games/:slug.
  const nearer = addresses.filter((one) => !one.kept && likeKept.test(one.pattern.replaceAll(":", "")));
  const ending = "(?:/|\\.data|/_\\.data)?$";
  return new RegExp(`^(?:/de)?(?!${oneOf(nearer)}${ending})${kept}${ending}`);
}

/** Lists the pages of an address for the sitemap, in English. */
export function listedPages(
  { pattern, facts, listed }: Address,
  site: Omit<Listed, "legalUpdated">,
): { path: string; changed?: string | undefined }[] {
  if (!listed) return [];
  const { games, gameServers, news } = site;
  const pages = facts.sitemap
    ? facts.sitemap({ games, gameServers, news, legalUpdated: LEGAL_UPDATED })
    : hasParams(pattern)
      ? []
      : [{ changed: undefined }];
  return pages.map(({ params = {}, changed }) => ({ path: generatePath(pattern, params), changed }));
}

/** Lists the links of the footer, in the order of the map and in the language of the request; `to` is an address in English. */
export function footerLinks({ addresses }: RouteMap): { to: string; text: string }[] {
  return addresses.flatMap(({ pattern, facts }) => (facts.footer ? [{ to: pattern, text: facts.footer() }] : []));
}

/** Checks whether a cached page is rendered in the site's own turn: everyone needs it, or there is only one such address. */
export function isForAll(map: RouteMap, pathname: string, site: Omit<Listed, "legalUpdated">): boolean {
  const address = map.find(pathname);
  if (!address?.kept) return false;
  if (!hasParams(address.pattern)) return true;
  const path = plainPath(pathname);
  return address.facts.turn === "site" && listedPages(address, site).some((page) => page.path === path);
}

const hasParams = (pattern: string): boolean => /[:*]/.test(pattern);
