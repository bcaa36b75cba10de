// Lets React Router look among few routes: those that can answer at all where an address begins as it does. It tries every route
// of a site by regular expressions, twice a page, and lays all of them out anew for each page (decision 054).
import { createRequestHandler, type RequestHandler, type ServerBuild } from "react-router";
import { plainPath } from "../request/route-patterns.ts";

/** Routes that may answer whatever the first word is: those that begin with a parameter or a star, and the home page. */
const ANY = "";

/** Answers as `createRequestHandler(build, "production")` does, by a handler for each first word that addresses of the map have. */
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

/** The build with those routes alone that can answer an address whose first word this is, in the order that they had. */
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

/** The first word of an address, in lower case and without its language; null where it can be read in more than one way. */
export function firstWordAsked(pathname: string): string | null {
  const path = plainPath(pathname);
  if (path === "" || path === "/") return ANY;
  const word = /^\/([\w.-]+)(?:\/|$)/.exec(path)?.[1]?.toLowerCase();
  // React Router takes /DE for the language too.
  return word === undefined || word === "de" ? null : word;
}

/** The same of a route's whole path, where it begins with a word. */
function firstWordOf(routes: ServerBuild["routes"], id: string): string {
  let path = "";
  for (let at: string | undefined = id; at !== undefined; at = routes[at]?.parentId)
    path = `${routes[at]?.path ?? ""}/${path}`;
  const first = path.split("/").filter((part) => part !== "" && part !== "de?")[0] ?? "";
  return /^[\w.-]+$/.test(first) ? first.toLowerCase() : ANY;
}
