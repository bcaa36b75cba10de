// What is known of the scene of a game before it is drawn: what may be said of it, and the colour of its air.

/** The lands that a scene can show. */
export const LANDS = [
  "forest",
  "mountains",
  "desert",
  "city",
  "ruins",
  "sea",
  "snow",
  "cavern",
  "industry",
  "space",
  "battlefield",
  "race",
  "arena",
  "castle",
  "farm",
  "jungle",
  "wasteland",
] as const;
export type Land = (typeof LANDS)[number];

export type Daytime = "dawn" | "noon" | "dusk" | "night";

/** `hue`: in degrees of OKLCH (0 to 360). What is not said is drawn from the game's name. */
export type SceneHint = { land?: Land; time?: Daytime; hue?: number };

/** Dusk is the hour of the house; the others come by. */
const HOURS: readonly Daytime[] = ["dusk", "dusk", "dusk", "dusk", "dawn", "dawn", "noon", "night", "night"];

/**
 * What the air may be, in degrees, and whether at night as well: colours that people tell apart. What lies near the light's own
 * orange is left out: it would be brown.
 */
const HUES: readonly (readonly [hue: number, atNight: boolean])[] = [
  [125, false],
  [155, true],
  [188, true],
  [222, true],
  [252, true],
  [282, true],
  [310, true],
  [340, true],
  [5, false],
  [28, false],
];

/**
 * The hour and the hue of the scene of a name. `take`: how many other pictures of this name were asked for before. Case, spaces
 * and forms of a letter do not count, and a name of nothing is a name as well.
 */
export function sceneAir(name: string, take: number, hint: SceneHint = {}): { time: Daytime; hue: number } {
  const seed = numberFrom(foldSceneName(name), take);
  const time = hint.time ?? HOURS[seed % HOURS.length] ?? "dusk";
  const colour = numberFrom("hue", seed);
  const hues = HUES.filter(([, atNight]) => time !== "night" || atNight);
  const [around] = hues[colour % hues.length] ?? [200];
  return { time, hue: hint.hue ?? (around + ((colour >>> 8) % 15) - 7 + 360) % 360 };
}

export const foldSceneName = (name: string): string => name.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();

/** A number (32 bits) from a text and a number, the same everywhere: FNV-1a over UTF-16 units, and a last stir. */
export function numberFrom(text: string, number: number): number {
  let hash = 0x811c9dc5;
  for (const unit of `${text}#${number}`.split("")) hash = Math.imul(hash ^ unit.charCodeAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}
