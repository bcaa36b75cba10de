/** Every address of the route map, for tests that walk all of them. */
import type { RouteConfigEntry } from "@react-router/dev/routes";
import routes from "../../app/routes.ts";

/** An address without its language, and the id and the file (from app/ on) of the route that answers it. */
export type Mapped = { address: string; id: string; file: string };

function flatten(entries: RouteConfigEntry[], at = ""): Mapped[] {
  return entries.flatMap((entry) => {
    const here = entry.path ? `${at}/${entry.path}` : at;
    const own = entry.index || (entry.path && !entry.children);
    const id = entry.id ?? entry.file.replace(/\.tsx?$/, "");
    return [
      ...(own ? [{ address: here.replace(/^\/de\?/, "") || "/", id, file: entry.file }] : []),
      ...(entry.children ? flatten(entry.children, here) : []),
    ];
  });
}

export const MAP: Mapped[] = flatten(await routes);

/** An address with values in the place of its parameters. */
export const fillAddress = (address: string, values: Record<string, string>): string =>
  address.replace(/:(\w+)|\*/g, (found, name) => values[name ?? found] ?? "1");

/** Where the router asks for the data of a page. */
export const dataOf = (path: string): string => (path === "/" ? "/_.data" : `${path}.data`);
