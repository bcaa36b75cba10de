// Lists the games that a site can add, in display order.
import type { CatalogueGame } from "./catalogue-game.ts";
import { CLASSIC_GAMES_A_M } from "./classic-games-a-m.ts";
import { CLASSIC_GAMES_N_Z } from "./classic-games-n-z.ts";
import { FIRST_EIGHT } from "./first-eight.ts";
import { OTHER_GAMES } from "./other-games.ts";
import { PLAYED_TODAY } from "./played-today.ts";
import { STEAM_GAMES } from "./steam-games.ts";

const byName = (one: CatalogueGame, other: CatalogueGame) => one.name.localeCompare(other.name, "en");

export const CATALOGUE: readonly CatalogueGame[] = [
  ...FIRST_EIGHT,
  ...PLAYED_TODAY,
  ...[...STEAM_GAMES, ...OTHER_GAMES, ...CLASSIC_GAMES_A_M, ...CLASSIC_GAMES_N_Z].sort(byName),
];
