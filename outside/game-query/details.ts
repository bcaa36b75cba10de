/** Defines a game server's details beyond figures: requested rarely, and hostile until parsed here. */
import type { ToldLine } from "#shared/told-text.ts";

/** Contains no markup or addresses: texts are cleaned spans, the icon is a PNG of 64 × 64, not decoded yet. */
export type GameDetails = {
  /** Its description: two lines at most. */
  lines: ToldLine[];
  /** The file as received, under 64 KB; null: none, or not such a file. */
  icon: Buffer | null;
  /** The names of its mods, 200 at most. */
  mods: string[];
};

/** The most names of mods. */
export const MOST_MODS = 200;
/** The most names of players: no reader needs a longer list. */
export const MOST_NAMES = 200;
