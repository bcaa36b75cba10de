// A scene for any name: the land, the view, the hour and the colour of its air follow from the name alone.
import {
  type Daytime,
  foldSceneName,
  LANDS,
  type Land,
  numberFrom,
  type SceneHint,
  sceneAir,
} from "#shared/scene-hint.ts";
import { landNamedIn } from "./land-words.ts";
import { VIEWS } from "./lands/lands.ts";
import { paletteOf } from "./palette.ts";
import { seeded } from "./random.ts";
import { FRAME, paintHour, type Stage } from "./stage.ts";
import { openStill, type Still } from "./still.ts";

/** What a name's picture shows. `mirrored`: it is hung the other way round. */
export type ScenePlan = {
  readonly land: Land;
  readonly view: string;
  readonly time: Daytime;
  readonly hue: number;
  readonly mirrored: boolean;
  readonly seed: number;
};

/** What is told of the pictures that hang beside it. */
export type Neighbour = { readonly land: string; readonly view: string; readonly hue: number };

/** So many places are thought of for each name, and the one that is least like its neighbours is drawn. */
const THOUGHTS = 12;

/**
 * Plans the picture of a name. `take` counts from 0: how many other pictures of this name were asked for before. The hour and
 * the hue are the name's own; the place is the first of those that come to mind at its name that no neighbour shows,
 * in the land that the name speaks of where it speaks of one.
 */
export function planScene(
  name: string,
  take = 0,
  hint: SceneHint = {},
  neighbours: readonly Neighbour[] = [],
): ScenePlan {
  const { time, hue } = sceneAir(name, take, hint);
  // Another one is asked for where the first was not liked: then any land may be it.
  const named = hint.land ?? (take === 0 ? landNamedIn(foldSceneName(name)) : null);
  let best: ScenePlan | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (let thought = 0; thought < THOUGHTS && least > 0; thought++) {
    const seed = numberFrom(foldSceneName(name), take * THOUGHTS + thought);
    const chance = seeded(seed);
    const drawn = oneOf(LANDS, chance());
    const land = named ?? drawn;
    const views = VIEWS[land].filter(({ never }) => !never?.includes(time));
    const view = oneOf(views, chance()).name;
    const likeness = neighbours.reduce((sum, other) => {
      if (other.land !== land) return sum;
      return sum + (other.view === view ? 9 : 3) + (Math.abs(other.hue - hue) < 30 ? 1 : 0);
    }, 0);
    if (likeness >= least) continue;
    least = likeness;
    best = { land, view, time, hue, mirrored: chance() < 0.5, seed };
  }
  if (!best) throw new Error("no place came to mind");
  return best;
}

function oneOf<Value>(list: readonly Value[], share: number): Value {
  const found = list[Math.floor(share * list.length)];
  if (found === undefined) throw new Error("there is nothing to choose from");
  return found;
}

/** Draws a plan, not yet mirrored. */
export function drawScene(plan: ScenePlan): Still {
  const view = VIEWS[plan.land].find(({ name }) => name === plan.view);
  if (!view) throw new Error(`${plan.land} has no view called ${plan.view}`);
  const chance = seeded(plan.seed ^ 0x5bd1e995);
  const { x, y, radius } = view.light;
  const light = {
    x: x + (chance() - 0.5) * 90,
    y: y + (chance() - 0.5) * 40,
    radius: radius * (0.82 + chance() * 0.36) * (plan.time === "night" ? 0.85 : 1),
  };
  const still = openStill(FRAME, light);
  const stage: Stage = { still, air: paletteOf(plan.hue, plan.time), time: plan.time, chance, seed: plan.seed };
  (view.sky ?? paintHour)(stage);
  view.paint(stage);
  return still;
}
