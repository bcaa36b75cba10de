// The pictures in made/ are what pictures.json says: there, of the stated size, and small enough to ship.
import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import made from "#content/pictures/made/pictures.json" with { type: "json" };

const folder = fileURLToPath(new URL("../content/pictures/made/", import.meta.url));
const icons = fileURLToPath(new URL("../public/", import.meta.url));
const KB = 1024;

/** The most bytes an AVIF of a width may have; a slide and a card differ. */
const LIMITS: Record<string, number> = { "card 690": 35 * KB, "card 345": 15 * KB, "slide 1440": 110 * KB };

test("there is a picture for each of the eight games and three slides, each slide also upright", () => {
  const games = ["aion", "valheim", "minecraft", "projectzomboid", "thefront", "arksurvivalevolved"];
  const slides = [1, 2, 3].flatMap((n) => [`slide-${n}`, `slide-${n}-portrait`]);
  assert.deepEqual(Object.keys(made).sort(), [...games, "skyrimtogheter", "tera", ...slides].sort());
});

for (const [slug, picture] of Object.entries(made)) {
  test(`${slug}: every file is there, of its stated size and within its limit`, async () => {
    assert.equal(picture.slug, slug);
    assert.equal(picture.width, Math.max(...picture.widths));
    assert.match(picture.colour, /^#[0-9a-f]{6}$/);
    assert.ok(picture.placeholder.length <= 300, `placeholder has ${picture.placeholder.length} bytes`);
    const tiny = await sharp(Buffer.from(picture.placeholder.split(",")[1] ?? "", "base64")).metadata();
    assert.equal(tiny.width, 16);
    for (const width of picture.widths) {
      for (const format of ["avif", "webp"]) {
        const name = `${slug}-${width}.${format}`;
        const bytes = await readFile(join(folder, name));
        const found = await sharp(bytes).metadata();
        assert.equal(found.format, format === "avif" ? "heif" : "webp", name);
        assert.equal(found.width, width, name);
        assert.equal(found.height, Math.round((picture.height * width) / picture.width), name);
        const limit = LIMITS[`${slug.startsWith("slide") ? "slide" : "card"} ${width}`] ?? 260 * KB;
        assert.ok(bytes.length <= limit * (format === "webp" ? 1.35 : 1), `${name} has ${bytes.length} bytes`);
      }
    }
  });
}

test("nothing lies in made/ that pictures.json does not list, and all of it is under 6 MB", async () => {
  const listed = Object.values(made).flatMap((p) =>
    p.widths.flatMap((w) => [`${p.slug}-${w}.avif`, `${p.slug}-${w}.webp`]),
  );
  const names = await readdir(folder);
  assert.deepEqual(names.sort(), [...listed, "pictures.json"].sort());
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 6_000 * KB);
});

test("icons have the sizes that browsers ask for", async () => {
  const sizes: Record<string, [number, number]> = {
    "favicon-32.png": [32, 32],
    "apple-touch-icon.png": [180, 180],
    "icon-192.png": [192, 192],
    "icon-512.png": [512, 512],
  };
  for (const [name, size] of Object.entries(sizes)) {
    const { width, height } = await sharp(await readFile(join(icons, name))).metadata();
    assert.deepEqual([width, height], size, name);
  }
  for (const name of ["favicon.svg", "mark.svg"])
    assert.doesNotMatch(await readFile(join(icons, name), "utf8"), /<(text|image|script)/);
});
