// Every land with its compositions.
import type { Land } from "#shared/scene-hint.ts";
import type { View } from "../stage.ts";
import { ARENA } from "./arena.ts";
import { BATTLEFIELD } from "./battlefield.ts";
import { CASTLE } from "./castle.ts";
import { CAVERN } from "./cavern.ts";
import { CITY } from "./city.ts";
import { DESERT } from "./desert.ts";
import { FARM } from "./farm.ts";
import { FOREST } from "./forest.ts";
import { INDUSTRY } from "./industry.ts";
import { JUNGLE } from "./jungle.ts";
import { MOUNTAINS } from "./mountains.ts";
import { RACE } from "./race.ts";
import { RUINS } from "./ruins.ts";
import { SEA } from "./sea.ts";
import { SNOW } from "./snow.ts";
import { SPACE } from "./space.ts";
import { WASTELAND } from "./wasteland.ts";

export const VIEWS: Record<Land, readonly View[]> = {
  forest: FOREST,
  mountains: MOUNTAINS,
  desert: DESERT,
  city: CITY,
  ruins: RUINS,
  sea: SEA,
  snow: SNOW,
  cavern: CAVERN,
  industry: INDUSTRY,
  space: SPACE,
  battlefield: BATTLEFIELD,
  race: RACE,
  arena: ARENA,
  castle: CASTLE,
  farm: FARM,
  jungle: JUNGLE,
  wasteland: WASTELAND,
};
