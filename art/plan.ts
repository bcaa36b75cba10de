// What is made: each picture's scene, shot, widths, and the most bytes an AVIF of each width may have.
import type { develop } from "./film.ts";
import { aion } from "./scenes/aion.ts";
import { ark } from "./scenes/ark.ts";
import { minecraft } from "./scenes/minecraft.ts";
import { projectZomboid } from "./scenes/project-zomboid.ts";
import { skyrim } from "./scenes/skyrim.ts";
import { tera } from "./scenes/tera.ts";
import { theFront } from "./scenes/the-front.ts";
import { valheim } from "./scenes/valheim.ts";
import type { Scene, Shot } from "./still.ts";

/** One picture to make. A WebP may have 1.35 times the bytes of the AVIF. */
export type Plan = {
  readonly slug: string;
  readonly scene: Scene;
  readonly shot: Shot;
  readonly film: NonNullable<Parameters<typeof develop>[1]>;
  readonly grain: number;
  readonly largest: number;
  readonly budgets: readonly (readonly [width: number, bytes: number])[];
};

const KB = 1024;
const CARD: Shot = { kind: "card", width: 1380, height: 862 };
const WIDE: Shot = { kind: "wide", width: 2560, height: 1100 };
const TALL: Shot = { kind: "tall", width: 900, height: 1200 };

/** The widths of a card, and the most bytes of an AVIF of each. */
export const CARD_BUDGETS = [
  [345, 14 * KB],
  [690, 34 * KB],
  [1035, 56 * KB],
  [1380, 80 * KB],
] as const;
/** How strong the grain of a card is. */
export const CARD_GRAIN = 2.2;
const WIDE_BUDGETS = [
  [960, 54 * KB],
  [1440, 98 * KB],
  [1920, 140 * KB],
  [2560, 190 * KB],
] as const;
const TALL_BUDGETS = [
  [480, 34 * KB],
  // What most phones take: 412 px at 1.75.
  [720, 40 * KB],
  [900, 84 * KB],
] as const;

const CARDS: readonly Plan[] = [aion, valheim, minecraft, projectZomboid, theFront, ark, skyrim, tera].map((scene) => ({
  slug: scene.slug,
  scene,
  shot: CARD,
  film: {},
  grain: CARD_GRAIN,
  largest: 1380,
  budgets: CARD_BUDGETS,
}));

const SLIDES: readonly Plan[] = [valheim, skyrim, tera].flatMap((scene, i): Plan[] => [
  {
    slug: `slide-${i + 1}`,
    scene,
    shot: WIDE,
    film: { sinksFrom: 0.64, calm: 0.42 },
    grain: 2,
    largest: 2560,
    budgets: WIDE_BUDGETS,
  },
  {
    slug: `slide-${i + 1}-portrait`,
    scene,
    shot: TALL,
    film: { sinksFrom: 0.7 },
    grain: 2,
    largest: 900,
    budgets: TALL_BUDGETS,
  },
]);

/** Every picture of the site: eight cards, three slides, and each slide once more for a phone held upright. */
export const PICTURES: readonly Plan[] = [...CARDS, ...SLIDES];
