// The files of a name's picture, that the pictures of a site are different places, and a walk over every view there is.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import sharp from "sharp";
import { LANDS } from "#shared/scene-hint.ts";
import { develop, printAt } from "./film.ts";
import { VIEWS } from "./lands/lands.ts";
import { drawScene, planScene, type ScenePlan } from "./named-scene.ts";
import { CARD_BUDGETS } from "./plan.ts";
import { makeSceneFiles } from "./scene-files.ts";
import { toSvg } from "./still.ts";

const TWELVE = [
  ...["Emberfall", "Iron Tundra", "Starhold", "Mossgate", "Dustrunners", "Neon Verge", "Hollow Keep"],
  ...["Tidebreakers", "Ashen March", "Greenmantle", "Skyforge Arena", "Deepcore"],
];

/** Twelve plans as a site makes them: one after another, each knowing those before it. */
function plansOf(names: readonly string[]): ScenePlan[] {
  const plans: ScenePlan[] = [];
  for (const name of names) plans.push(planScene(name, 0, {}, plans));
  return plans;
}

/** What an eye takes in at a glance: 24 by 15 lightnesses (0..1), the picture's own mean taken out. */
async function glance(plan: ScenePlan): Promise<number[]> {
  // Drawn small from the start: it is looked at from afar.
  const svg = toSvg(drawScene(plan)).replace('width="1380" height="862"', 'width="345" height="216"');
  const image = sharp(Buffer.from(svg), { unlimited: true }).flatten({ background: "#000000" });
  const { data } = await (plan.mirrored ? image.flop() : image)
    .resize(24, 15, { fit: "fill" })
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const values = [...data].map((value) => value / 255);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  return values.map((value) => (value - mean) / spread);
}

/** How far apart two glances are: 0 the same forms, 1 nothing in common. Colour and brightness count for nothing. */
const apart = (one: readonly number[], other: readonly number[]) =>
  1 - one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0) / one.length;

/** By the processor's time, which a busy machine does not stretch. */
const MOST_ENCODINGS = 25;

test("the files are the same bytes each time, in every width and format, small enough to be sent, and soon made", async () => {
  sharp.concurrency(1);
  const plan = planScene("Iron Tundra");
  const one = await makeSceneFiles(plan);
  const before = process.cpuUsage();
  const other = await makeSceneFiles(plan);
  const all = process.cpuUsage(before).user;
  const bytesOf = (made: typeof one) =>
    made.files.reduce((hash, { bytes }) => hash.update(bytes), createHash("sha256")).digest("hex");
  assert.equal(bytesOf(one), bytesOf(other));
  assert.equal(one.files.length, CARD_BUDGETS.length * 2);
  for (const { width, format, bytes } of one.files) {
    const found = await sharp(bytes).metadata();
    assert.deepEqual([found.format, found.width], [format === "avif" ? "heif" : "webp", width]);
    const budget = CARD_BUDGETS.find(([each]) => each === width)?.[1] ?? 0;
    assert.ok(bytes.length <= budget * (format === "webp" ? 1.35 : 1), `${width} ${format}: ${bytes.length} bytes`);
  }
  assert.ok(one.placeholder.length <= 300);

  // No longer than a few plain encodings of the same picture.
  const print = await printAt(await develop(drawScene(plan)), 1380, 2);
  const plain = async () => {
    const began = process.cpuUsage();
    await sharp(print.data, { raw: { width: print.width, height: print.height, channels: 3 } })
      .avif({ quality: 58, effort: 2 })
      .toBuffer();
    return process.cpuUsage(began).user;
  };
  await plain();
  const once = Math.min(await plain(), await plain());
  assert.ok(all < once * MOST_ENCODINGS, `${(all / once).toFixed(1)} encodings`);
});

describe("twelve invented names", () => {
  test("are twelve places, apart by their forms and not by their colours alone", async (context) => {
    const plans = plansOf(TWELVE);
    assert.equal(new Set(plans.map(({ land, view }) => `${land} ${view}`)).size, 12, "no two show the same");
    assert.ok(new Set(plans.map(({ land }) => land)).size >= 11, "hardly two are of one land");
    assert.ok(new Set(plans.map(({ time }) => time)).size >= 3, "and not all at one hour");
    const seen: number[][] = [];
    for (const plan of plans) seen.push(await glance(plan));
    const distances = seen.flatMap((one, at) => seen.slice(at + 1).map((other) => apart(one, other)));
    const nearest = Math.min(...distances);
    assert.ok(nearest > FLOOR, `the two nearest are ${nearest.toFixed(3)} apart`);
    context.diagnostic(`the two nearest are ${nearest.toFixed(3)} apart`);
  });

  test("of which one in other colours would not have been another place", async () => {
    const [plan] = plansOf(TWELVE);
    assert.ok(plan);
    const recolours = [30, 150, 270].map((turn) => ({ ...plan, hue: (plan.hue + turn) % 360 }));
    const own = await glance(plan);
    for (const recolour of recolours) {
      const distance = apart(own, await glance(recolour));
      assert.ok(distance < FLOOR, `a recolour is ${distance.toFixed(3)} apart`);
    }
  });
});

/** Between a picture and its recolours there is less, between two places more. */
const FLOOR = 0.1;

test("every view of every land can be drawn, at the hours and in the colours that there are", () => {
  let drawn = 0;
  for (const land of LANDS)
    for (const view of VIEWS[land]) {
      // Not every view at every hour, which takes a minute: the hours and hues go round.
      const hours = (["dusk", "dawn", "noon", "night"] as const).filter((hour) => !view.never?.includes(hour));
      const time = hours[drawn % hours.length] ?? "dusk";
      const words = toSvg(
        drawScene({ land, view: view.name, time, hue: (drawn * 77) % 360, mirrored: false, seed: drawn }),
      ).replace(/base64,[^"]*/g, "");
      assert.doesNotMatch(words, /NaN|Infinity|undefined/, `${land} ${view.name} ${time}`);
      drawn += 1;
    }
  assert.ok(drawn > 45, `${drawn} views`);
});
