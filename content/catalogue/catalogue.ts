// The catalogue: the games that a site can take, in the order in which they are offered.
import type { CatalogueGame } from "./catalogue-game.ts";
import { FIRST_EIGHT } from "./first-eight.ts";

export const CATALOGUE: readonly CatalogueGame[] = [...FIRST_EIGHT];
