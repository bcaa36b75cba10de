// Maps a request's path to the pattern of its route, for metrics: the number of paths is unlimited.

/** The pattern of unknown addresses. */
export const NO_PATTERN = "other";

/**
 * Makes the finder. A pattern is `/games/:slug` or, for everything below, `/avatars/*`; the German twin of an address, its data for
 * client navigation and a trailing slash count as the address itself.
 * @param patterns in any order; a static address wins over one with parameters, and that over one with a star
 */
export function createRoutePatterns(patterns: Iterable<string>): (pathname: string) => string {
  const fixed = new Map<string, string>();
  const open: { pattern: string; segments: string[]; star: boolean }[] = [];
  for (const pattern of new Set(patterns)) {
    const segments = pattern.split("/").slice(1);
    const star = segments.at(-1) === "*";
    if (star) segments.pop();
    if (star || segments.some((segment) => segment.startsWith(":"))) open.push({ pattern, segments, star });
    else fixed.set(pattern === "/" ? "" : pattern, pattern);
  }
  open.sort((a, b) => Number(a.star) - Number(b.star) || b.segments.length - a.segments.length);

  return (pathname) => {
    const path = plainPath(pathname);
    const known = fixed.get(path);
    if (known !== undefined) return known;
    const segments = path.split("/").slice(1);
    const found = open.find(
      (one) =>
        (one.star ? segments.length >= one.segments.length : segments.length === one.segments.length) &&
        one.segments.every((segment, at) => segment.startsWith(":") || segment === segments[at]),
    );
    return found?.pattern ?? NO_PATTERN;
  };
}

/**
 * Strips the language, the suffix of its data for client navigation (React Router documents `.data` and `/_.data`) and a
 * trailing slash; the home page becomes empty.
 */
export function plainPath(pathname: string): string {
  const ending = pathname.endsWith("/_.data") ? 7 : pathname.endsWith(".data") ? 5 : pathname.endsWith("/") ? 1 : 0;
  const path = ending === 0 ? pathname : pathname.slice(0, -ending);
  return path === "/de" || path.startsWith("/de/") ? path.slice(3) : path;
}
