/**
 * Writes ids and placeholders of the landscapes into content/landscapes/landscapes.json, of the masters beside it: `npm run
 * landscapes`. A new one needs its master there (WebP, 2560 × 1600 px), its name and focus in the list, and a label in
 * shared/messages.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import list from "#content/landscapes/landscapes.json" with { type: "json" };

const FOLDER = path.join(import.meta.dirname, "../content/landscapes");

const rows = await Promise.all(
  list.map(async ({ name, focus }) => {
    const master = readFileSync(path.join(FOLDER, `${name}.webp`));
    const id = createHash("sha256").update(master).digest("hex").slice(0, 32);
    const tiny = await sharp(master).resize(16, 10).blur(0.6).webp({ quality: 50, effort: 6 }).toBuffer();
    return { name, focus, id, placeholder: `data:image/webp;base64,${tiny.toString("base64")}` };
  }),
);
const lines = rows.map((row) => `  ${JSON.stringify(row)}`);
writeFileSync(path.join(FOLDER, "landscapes.json"), `[\n${lines.join(",\n")}\n]\n`);
