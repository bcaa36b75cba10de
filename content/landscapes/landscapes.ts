// Library of landscapes: pictures for games that have no other. The masters are beside this file; `npm run landscapes` writes
// landscapes.json.
import { createHash } from "node:crypto";
import path from "node:path";
import { SHIPPED_PICTURES } from "../pictures/shipped.ts";
import list from "./landscapes.json" with { type: "json" };

/**
 * `name`: of its file, stored in `games.picture`. `focus`: the point that stays visible when cropped, in percent from the left and
 * from the top. `id`: hash of its bytes, so that a new master has new addresses.
 */
export type Landscape = { name: string; focus: number[]; id: string; placeholder: string };

export const LANDSCAPES: readonly Landscape[] = list;

/** Path of a landscape's master. */
export const masterOf = ({ name }: Pick<Landscape, "name">): string => path.join(import.meta.dirname, `${name}.webp`);

const byName = new Map(LANDSCAPES.map((landscape) => [landscape.name, landscape]));
const byId = new Map(LANDSCAPES.map((landscape) => [landscape.id, landscape]));

export const findLandscape = (name: string): Landscape | null => byName.get(name) ?? null;
export const findLandscapeById = (id: string): Landscape | null => byId.get(id) ?? null;

/** Returns a name's landscape: by its hash, or the next one that isn't `taken`, if any. */
export function landscapeFor(name: string, taken: ReadonlySet<string> = new Set()): Landscape {
  const folded = name.normalize("NFKC").toLowerCase().replace(/\s+/g, "");
  const start = createHash("sha256").update(folded).digest().readUInt32BE() % LANDSCAPES.length;
  const row = [...LANDSCAPES.slice(start), ...LANDSCAPES.slice(0, start)];
  const found = row.find((landscape) => !taken.has(landscape.name)) ?? row[0];
  if (!found) throw new Error("the library is empty");
  return found;
}

type Pictured = { game_name: string; game_slug: string; picture: string | null };

/** Returns the landscape of a game without its own picture; null: it has one of the eight's. */
export function landscapeOf({ game_name, game_slug, picture }: Pictured): Landscape | null {
  if (SHIPPED_PICTURES.includes(picture ?? game_slug)) return null;
  return (picture === null ? null : findLandscape(picture)) ?? landscapeFor(game_name);
}
