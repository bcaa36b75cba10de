/** Every page there is, read from the route map, so that none can be forgotten: a part of an address without a value fails. */
import type { RouteConfigEntry } from "@react-router/dev/routes";
import routes from "../../app/routes.ts";

/** Who opens a page: the folder of its file says who may enter. */
export type Who = "nobody" | "member" | "admin";

export type MappedPage = { who: Who; address: string };

const FOLDERS: Record<string, Who> = { public: "nobody", account: "member", admin: "admin" };

/**
 * Every address of the map that has something to look at, without its language. Files that only answer (`.ts`) show nothing.
 * @param values what stands in an address in place of `:slug` and its like.
 */
export async function listPages(values: Record<string, string>): Promise<MappedPage[]> {
  const read = (entries: RouteConfigEntry[], at: string): MappedPage[] =>
    entries.flatMap((entry) => {
      const here = entry.path ? `${at}/${entry.path}` : at;
      if (entry.children) return read(entry.children, here);
      if (!entry.file.endsWith(".tsx")) return [];
      const folder = entry.file.split("/")[1] ?? "";
      const who = FOLDERS[folder];
      if (!who) throw new Error(`access-map.ts does not know who may enter ${folder}/ (${entry.file})`);
      return [{ who, address: fill(here.replace(/^\/de\?/, "") || "/", values) }];
    });
  return read(await routes, "");
}

function fill(address: string, values: Record<string, string>): string {
  return address.replace(/:(\w+)|\*/g, (part, name?: string) => {
    const value = name ? values[name] : "nothing/here";
    if (value === undefined) throw new Error(`access-site.ts has no value for ${part} of ${address}`);
    return value;
  });
}
