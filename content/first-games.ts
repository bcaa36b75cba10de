// The eight games that ship with Spawnpoint, with guides: offered to every site, published only by the demo.
import type { FirstGame } from "./first-game.ts";
import { aion } from "./games/aion.ts";
import { arksurvivalevolved } from "./games/arksurvivalevolved.ts";
import { minecraft } from "./games/minecraft.ts";
import { projectzomboid } from "./games/projectzomboid.ts";
import { skyrimtogheter } from "./games/skyrimtogheter.ts";
import { tera } from "./games/tera.ts";
import { thefront } from "./games/thefront.ts";
import { valheim } from "./games/valheim.ts";

/** In the order of the specification's home page. */
export const FIRST_GAMES: readonly FirstGame[] = [
  aion,
  valheim,
  minecraft,
  projectzomboid,
  thefront,
  arksurvivalevolved,
  skyrimtogheter,
  tera,
];
