// Limits React Router to the routes that can match an address by its first word. It tries every route of a site by regular
// expressions, twice a page, and flattens all of them again for each page (decision 054).
import { createRequestHandler, type RequestHandler, type ServerBuild } from "react-router";
import { plainPath } from "../request/route-patterns.ts";

/** Routes that may match any first word: those that begin with a parameter or a star, and the home page. */
const ANY = "";

/** Works like `createRequestHandler(build, "production")`, with a handler for each first word of the routes. */
export function createNearHandler(build: ServerBuild): RequestHandler {
  const whole = createRequestHandler(build, "production");
  const words = new Set(Object.keys(build.routes).map((id) => firstWordOf(build.routes, id)));
  const near = new Map<string, RequestHandler>();
  return (request, context) => {
    const asked = firstWordAsked(new URL(request.url).pathname);
    if (asked === null) return whole(request, context);
    const word = words.has(asked) ? asked : ANY;
    const handler = near.get(word) ?? createRequestHandler(cutTo(build, word), "production");
    near.set(word, handler);
    return handler(request, context);
  };
}

/** Cuts the build to the routes that can match an address with this first word, in their order. */
export function cutTo(build: ServerBuild, word: string): ServerBuild {
  const kept = new Set<string>();
  for (const [id, route] of Object.entries(build.routes)) {
    if (!route || (route.path === undefined && !route.index)) continue;
    const first = firstWordOf(build.routes, id);
    if (first !== ANY && first !== word) continue;
    for (let at: string | undefined = id; at !== undefined; at = build.routes[at]?.parentId) kept.add(at);
  }
  const cut = <T>(routes: Record<string, T>) =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => kept.has(id)));
  return { ...build, routes: cut(build.routes), assets: { ...build.assets, routes: cut(build.assets.routes) } };
}

/** Gets the first word of an address, in lower case and without its language; null if it is ambiguous. */
export function firstWordAsked(pathname: string): string | null {
  const path = plainPath(pathname);
  if (path === "" || path === "/") return ANY;
  const word = /^\/([\w.-]+)(?:\/|$)/.exec(path)?.[1]?.toLowerCase();
  // React Router accepts /DE for the language too.
  return word === undefined || word === "de" ? null : word;
}

/** Gets the first word of a route's whole path, if it begins with one. */
function firstWordOf(routes: ServerBuild["routes"], id: string): string {
  let path = "";
  for (let at: string | undefined = id; at !== undefined; at = routes[at]?.parentId)
    path = `${routes[at]?.path ?? ""}/${path}`;
  const first = path.split("/").filter((part) => part !== "" && part !== "de?")[0] ?? "";
  return /^[\w.-]+$/.test(first) ? first.toLowerCase() : ANY;
}
