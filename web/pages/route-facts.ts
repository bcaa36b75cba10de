// What the site knows of an address besides what is at it: said beside its route, in React Router's `handle`, and read here from
// the build for whoever has to know (the page cache, the sitemap, robots.txt, the footer, the limits of forms).
import { generatePath } from "react-router";
import { LEGAL_UPDATED } from "#content/legal/legal-text.ts";
import { createRoutePatterns, plainPath } from "../request/route-patterns.ts";
import type { SiteSnapshot } from "./site-snapshot.ts";

/** The `handle` of a route. What a layout says holds for every address below it that does not say otherwise. */
export type RouteFacts = {
  /**
   * Whether visitors get the page from memory (decision 004): every page that does not say `false`. What is kept was made for
   * nobody in particular and without a query, so a page that depends on either, or on a token or a moment, says so.
   */
  kept?: boolean;
  /**
   * The page shows a list whose filter is in the query (decision 012); `paged`: whether the list has further pages; `ofParam`: it
   * is that of one game, which the address names by itself.
   */
  filtered?: { paged: boolean; ofParam?: true };
  /**
   * What of it the sitemap lists: every page without parameters that does not say `false`. One with parameters says which
   * values they may have. `changed`: the day (2024-12-31) on which it last changed, where that is known.
   */
  sitemap?: false | ((site: Listed) => { params?: Record<string, string>; changed?: string }[]);
  /** `false`: robots.txt asks search engines to stay away, from everything that begins like it too. The sitemap has none of it. */
  robots?: false;
  /**
   * In whose turn a page is made that is not in memory: one with parameters, of which there is no end, in the turn of whoever
   * asks. `site`: as one that everybody needs, where the sitemap lists it.
   */
  turn?: "site";
  /** What its link in the footer of every page says, where it has one there. */
  footer?: () => string;
  /** The page goes out without script: nothing on it is live, and all of it works as it stands. */
  still?: true;
  /** Nobody gets anything of it of whom it cannot be told who they are, because the database is away. */
  forMembers?: true;
  /** How many bytes a form may have, where that is more than forms have as a rule (web/request/limited-body.ts). */
  maxBody?: number;
  /** Its forms bring files: the action reads them by itself, within limits of its own (web/forms/file-form.ts). */
  takesFiles?: true;
};

/** What there is to list: as visitors may see it. */
type Listed = Pick<SiteSnapshot, "games" | "gameServers" | "news"> & { legalUpdated: typeof LEGAL_UPDATED };

/** `pattern`: without its language, as `/games/:slug`. */
export type Address = {
  pattern: string;
  facts: RouteFacts;
  /** Whether visitors get it from memory, and whether the sitemap may list it. */
  kept: boolean;
  listed: boolean;
};

/** Every address of the route map but those that mean "any other". */
export type RouteMap = {
  addresses: Address[];
  /** The address that answers a path, in either language, as a page or as its data. */
  find(pathname: string): Address | undefined;
  /** Whether a path is one of a page that is kept. */
  isKept(pathname: string): boolean;
};

/** As much of React Router's build as is read. */
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

/** Reads the map off the routes of a server build. */
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
    // What has no component answers with data, a file, or another address.
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
 * One expression for all paths of pages that are kept: it is asked at every request. A parameter has signs that need no escape,
 * in as many as a slug or a number has at most, so that each page is kept once.
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
  // An address of its own that looks like another with parameters, as /games/create like /games/:slug, and is not kept.
  const nearer = addresses.filter((one) => !one.kept && likeKept.test(one.pattern.replaceAll(":", "")));
  const ending = "(?:/|\\.data|/_\\.data)?$";
  return new RegExp(`^(?:/de)?(?!${oneOf(nearer)}${ending})${kept}${ending}`);
}

/** The pages of an address that the sitemap lists, in English. */
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

/** The links of the footer, in the order of the map and in the language of the request; `to` is an address in English. */
export function footerLinks({ addresses }: RouteMap): { to: string; text: string }[] {
  return addresses.flatMap(({ pattern, facts }) => (facts.footer ? [{ to: pattern, text: facts.footer() }] : []));
}

/** Whether a kept page is made in the site's own turn: all need it, or there is but one such address. */
export function isForAll(map: RouteMap, pathname: string, site: Omit<Listed, "legalUpdated">): boolean {
  const address = map.find(pathname);
  if (!address?.kept) return false;
  if (!hasParams(address.pattern)) return true;
  const path = plainPath(pathname);
  return address.facts.turn === "site" && listedPages(address, site).some((page) => page.path === path);
}

const hasParams = (pattern: string): boolean => /[:*]/.test(pattern);
