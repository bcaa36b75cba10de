// Lists the shipped pictures of games by name.
import made from "./made/pictures.json" with { type: "json" };

/** Their names, without those of slides. */
export const SHIPPED_PICTURES: readonly string[] = Object.keys(made).filter((name) => !name.startsWith("slide-"));

/** Returns the name of a game's shipped picture; null if there is none. */
export function shippedPictureOf({ picture, game_slug }: { picture: string | null; game_slug: string }): string | null {
  const name = picture ?? game_slug;
  return SHIPPED_PICTURES.includes(name) ? name : null;
}
