// The library of landscapes: finished pictures, one of which every game shows that has no other. The masters lie beside this
// file; landscapes.json is written by `npm run landscapes`.
import { createHash } from "node:crypto";
import path from "node:path";
import { SHIPPED_PICTURES } from "../pictures/shipped.ts";
import list from "./landscapes.json" with { type: "json" };

/**
 * `name`: of its file, and what games keep in `games.picture`. `focus`: what has to stay in sight where it is cropped, in percent
 * from the left and from the top. `id`: of its bytes, so that another master has other addresses.
 */
export type Landscape = { name: string; focus: number[]; id: string; placeholder: string };

export const LANDSCAPES: readonly Landscape[] = list;

/** Where the master of a landscape lies. */
export const masterOf = ({ name }: Pick<Landscape, "name">): string => path.join(import.meta.dirname, `${name}.webp`);

const byName = new Map(LANDSCAPES.map((landscape) => [landscape.name, landscape]));
const byId = new Map(LANDSCAPES.map((landscape) => [landscape.id, landscape]));

export const findLandscape = (name: string): Landscape | null => byName.get(name) ?? null;
export const findLandscapeById = (id: string): Landscape | null => byId.get(id) ?? null;

/** The landscape that a name gets: where its hash points, or the next one that is not `taken` while there is one. */
export function landscapeFor(name: string, taken: ReadonlySet<string> = new Set()): Landscape {
  const folded = name.normalize("NFKC").toLowerCase().replace(/\s+/g, "");
  const start = createHash("sha256").update(folded).digest().readUInt32BE() % LANDSCAPES.length;
  const row = [...LANDSCAPES.slice(start), ...LANDSCAPES.slice(0, start)];
  const found = row.find((landscape) => !taken.has(landscape.name)) ?? row[0];
  if (!found) throw new Error("the library is empty");
  return found;
}

type Pictured = { game_name: string; game_slug: string; picture: string | null };

/** The landscape that a game without a picture of its own shows; null: it has one of those that ship for the eight. */
export function landscapeOf({ game_name, game_slug, picture }: Pictured): Landscape | null {
  if (SHIPPED_PICTURES.includes(picture ?? game_slug)) return null;
  return (picture === null ? null : findLandscape(picture)) ?? landscapeFor(game_name);
}
