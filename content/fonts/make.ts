// Cuts the two families down to what the site uses of them: `node content/fonts/make.ts` rewrites made/.
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import subsetFont from "subset-font";

const between = (first: number, last: number) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, n) => first + n));

/** Latin with its accents, and the signs that our texts use; fonts.css names the same. Whatever else people write is shown in their own fonts. */
const LETTERS = `${between(0x20, 0x7e)}${between(0xa0, 0x17f)}–—‘’‚“”„†•…‰′″‹›⁄€™−×→←↑↓`;

type Family = { from: string; to: string; axes: Record<string, { min: number; max: number }> };

const FAMILIES: Family[] = [
  {
    from: import.meta.resolve("@fontsource-variable/archivo/files/archivo-latin-wdth-normal.woff2"),
    to: "archivo.woff2",
    axes: { wght: { min: 560, max: 800 }, wdth: { min: 100, max: 125 } },
  },
  {
    from: import.meta.resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"),
    to: "inter.woff2",
    axes: { wght: { min: 400, max: 700 } },
  },
];

for (const { from, to, axes } of FAMILIES) {
  const whole = await readFile(new URL(from));
  const cut = await subsetFont(whole, LETTERS, { targetFormat: "woff2", variationAxes: axes });
  await writeFile(path.join(import.meta.dirname, "made", to), cut);
  process.stdout.write(`${to}: ${Math.round(whole.length / 1024)} KB, now ${Math.round(cut.length / 1024)} KB\n`);
}
