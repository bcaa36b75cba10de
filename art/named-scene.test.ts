// A name has one picture, whatever it is. What takes seconds stands in named-scene.slow.test.ts.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import sharp from "sharp";
import { develop } from "./film.ts";
import { drawScene, planScene, type ScenePlan } from "./named-scene.ts";
import { toSvg } from "./still.ts";

/** The numbers and words of a drawing, without the pictures of cloud in it. */
const wordsOf = (plan: ScenePlan) => toSvg(drawScene(plan)).replace(/base64,[^"]*/g, "");

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

test("a name gives the same drawing in another process, in another spelling of its case and spaces", async () => {
  const module = new URL("./named-scene.ts", import.meta.url).href;
  const still = new URL("./still.ts", import.meta.url).href;
  const program = `import { planScene, drawScene } from ${JSON.stringify(module)}; import { toSvg } from ${JSON.stringify(still)};
    process.stdout.write(JSON.stringify(toSvg(drawScene(planScene("Iron Tundra")))));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    maxBuffer: 32 * 1024 * 1024,
  });
  const here = toSvg(drawScene(planScene("Iron Tundra")));
  assert.equal(hashOf(JSON.parse(stdout)), hashOf(here));
  assert.equal(hashOf(toSvg(drawScene(planScene("  iron   TUNDRA ")))), hashOf(here));
  assert.notEqual(hashOf(toSvg(drawScene(planScene("Iron Tundra", 1)))), hashOf(here), "another one is another one");
});

test("a name of nothing, of pictures, of ten thousand letters, from right to left: each has a picture", async () => {
  const names = [
    "",
    "   ",
    "🐉🔥",
    "x".repeat(10_000),
    "لعبة السفينة",
    "\u202eabc",
    "<script>&\"'",
    "\ud800",
    "\u0000",
  ];
  for (const name of names) {
    assert.doesNotMatch(wordsOf(planScene(name)), /NaN|Infinity|undefined|script/, JSON.stringify(name.slice(0, 20)));
  }
  const film = await develop(drawScene(planScene("\ud800")));
  const { channels } = await sharp(film.data, { raw: { width: film.width, height: film.height, channels: 3 } }).stats();
  assert.ok(
    channels.every(({ stdev }) => stdev > 8),
    "there is something to see",
  );
});

test("a name that speaks of a land shows it, unless it is said or asked for otherwise", () => {
  for (const [name, land] of [
    ["Iron Tundra", "snow"],
    ["Farming Simulator 25", "farm"],
    ["Space Engineers", "space"],
    ["Euro Truck Simulator 2", "race"],
    ["Counter-Strike 2", "battlefield"],
  ] as const)
    assert.equal(planScene(name).land, land, name);
  assert.equal(planScene("Iron Tundra", 0, { land: "sea" }).land, "sea");
  const others = new Set([1, 2, 3, 4, 5, 6].map((take) => planScene("Iron Tundra", take).land));
  assert.ok(others.size > 1, "another one may be anywhere");
});

test("a hint is kept, and what it does not say is the name's own", () => {
  const free = planScene("Starhold");
  const hinted = planScene("Starhold", 0, { land: "space", hue: 210 });
  assert.deepEqual([hinted.land, hinted.hue, hinted.time], ["space", 210, free.time]);
  assert.equal(planScene("Starhold", 0, { time: "night" }).time, "night");
});
