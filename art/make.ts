// Draws every picture of the site: `node art/make.ts` rewrites made/ and the icons in public/.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { averageColour, encodeWithin, tinyPlaceholder } from "./encode.ts";
import { develop, printAt } from "./film.ts";
import { markSvg, tileSvg } from "./mark.ts";
import { PICTURES, type Plan } from "./plan.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const made = join(here, "../content/pictures/made");
const open = join(here, "../public");

async function makePicture(plan: Plan): Promise<{ entry: object; bytes: number }> {
  const still = plan.scene.draw(plan.shot);
  const film = await develop(still, plan.film);
  const height = Math.round((plan.shot.height * plan.largest) / plan.shot.width);
  let bytes = 0;
  for (const [width, budget] of plan.budgets) {
    const print = await printAt(film, width, plan.grain);
    for (const format of ["avif", "webp"] as const) {
      const file = await encodeWithin(print, format, format === "avif" ? budget : Math.round(budget * 1.35));
      await writeFile(join(made, `${plan.slug}-${width}.${format}`), file);
      bytes += file.length;
    }
  }
  const entry = {
    slug: plan.slug,
    width: plan.largest,
    height,
    widths: plan.budgets.map(([width]) => width),
    colour: await averageColour(film),
    placeholder: await tinyPlaceholder(film),
  };
  return { entry, bytes };
}

async function makeIcons(): Promise<void> {
  await writeFile(join(open, "mark.svg"), markSvg());
  await writeFile(join(open, "favicon.svg"), tileSvg(14, 0.84));
  const png = async (name: string, size: number, svg: string) => {
    await sharp(Buffer.from(svg), { density: (72 * size) / 64 })
      .resize(size, size)
      .png({ compressionLevel: 9 })
      .toFile(join(open, name));
  };
  await png("favicon-32.png", 32, tileSvg(14, 0.84));
  await png("apple-touch-icon.png", 180, tileSvg(0, 0.68));
  await png("icon-192.png", 192, tileSvg(14, 0.74));
  await png("icon-512.png", 512, tileSvg(14, 0.74));
}

// One thread, so that the encoders write the same bytes on every machine.
sharp.concurrency(1);
await mkdir(made, { recursive: true });
await mkdir(open, { recursive: true });
const only = process.argv.slice(2);
const list: Record<string, object> = {};
for (const plan of PICTURES) {
  if (only.length > 0 && !only.includes(plan.slug)) continue;
  const { entry, bytes } = await makePicture(plan);
  list[plan.slug] = entry;
  process.stdout.write(`${plan.slug}: ${Math.round(bytes / 1024)} KB\n`);
}
if (only.length === 0) {
  await writeFile(join(made, "pictures.json"), `${JSON.stringify(list, null, 2)}\n`);
  await makeIcons();
}
