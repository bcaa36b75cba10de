// From a request's path to the pattern of the address that answers it: what may stand in a metric, because there is no end to paths.

/** What no address of ours answers. */
export const NO_PATTERN = "other";

/**
 * Makes the finder. A pattern is `/games/:slug` or, for everything below, `/avatars/*`; the German twin of an address, its
 * data for client navigation and a slash at the end count as the address itself.
 * @param patterns in any order; a static address wins over one with parameters, and that over one with a star
 */
export function createRoutePatterns(patterns: Iterable<string>): (pathname: string) => string {
  const fixed = new Set<string>();
  const open: { pattern: string; segments: string[]; star: boolean }[] = [];
  for (const pattern of new Set(patterns)) {
    const segments = pattern.split("/").slice(1);
    const star = segments.at(-1) === "*";
    if (star) segments.pop();
    if (star || segments.some((segment) => segment.startsWith(":"))) open.push({ pattern, segments, star });
    else fixed.add(pattern);
  }
  open.sort((a, b) => Number(a.star) - Number(b.star) || b.segments.length - a.segments.length);

  return (pathname) => {
    const path = plainPath(pathname);
    if (fixed.has(path)) return path;
    const segments = path.split("/").slice(1);
    const found = open.find(
      (one) =>
        (one.star ? segments.length >= one.segments.length : segments.length === one.segments.length) &&
        one.segments.every((segment, at) => segment.startsWith(":") || segment === segments[at]),
    );
    return found?.pattern ?? NO_PATTERN;
  };
}

function plainPath(pathname: string): string {
  let path = pathname.endsWith(".data") ? pathname.slice(0, -5) : pathname;
  if (path === "/de" || path.startsWith("/de/")) path = path.slice(3);
  if (path.endsWith("/")) path = path.slice(0, -1);
  return path === "" || path === "/_" || path === "/_root" ? "/" : path;
}

/** The patterns of React Router's build: each route's path, joined with those of the routes around it. */
export function pagePatterns(
  routes: Record<
    string,
    { parentId?: string | undefined; path?: string | undefined; index?: boolean | undefined } | undefined
  >,
): string[] {
  const fullPath = (id: string): string => {
    const route = routes[id];
    if (!route) return "";
    const parent = route.parentId === undefined ? "" : fullPath(route.parentId);
    return route.path ? `${parent}/${route.path}` : parent;
  };
  return (
    Object.entries(routes)
      .filter(([, route]) => route?.path || route?.index)
      .map(([id]) => fullPath(id).replace(/^\/de\?/, "") || "/")
      // What nothing else answers is no address.
      .filter((pattern) => pattern !== "/*")
  );
}
