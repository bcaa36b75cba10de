/** What a game server tells of itself beyond figures: asked seldom, and hostile until it was read here. */
import type { ToldLine } from "#shared/told-text.ts";

/** Nothing in here is markup or an address: texts are cleaned spans, the icon is a PNG of 64 × 64 that nobody has decoded yet. */
export type GameDetails = {
  /** Its own words: two lines at most. */
  lines: ToldLine[];
  /** The file as it was told, under 64 KB; null: none, or no such file. */
  icon: Buffer | null;
  /** Names of the mods that it runs, 200 at most. */
  mods: string[];
};

/** More names of mods are not kept. */
export const MOST_MODS = 200;
/** More names of players are not kept: a list of people is read, and nobody reads more. */
export const MOST_NAMES = 200;
