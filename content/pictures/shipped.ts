// Which pictures of games the site ships with, by name.
import made from "./made/pictures.json" with { type: "json" };

/** Their names; those of slides are not among them. */
export const SHIPPED_PICTURES: readonly string[] = Object.keys(made).filter((name) => !name.startsWith("slide-"));

/** The name of the shipped picture of a game; null when there is none. */
export function shippedPictureOf({ picture, game_slug }: { picture: string | null; game_slug: string }): string | null {
  const name = picture ?? game_slug;
  return SHIPPED_PICTURES.includes(name) ? name : null;
}
