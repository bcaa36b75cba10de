// Reduces the two font families to the site's characters: `node content/fonts/make.ts` rewrites made/.
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import subsetFont from "subset-font";

const between = (first: number, last: number) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, n) => first + n));

/** Characters of English and German: every page loads these. fonts.css names the same. */
const COMMON = `${between(0x20, 0x7e)}\u00a0§©\u00ad·×ÄÖÜßäéöü–—’“”„…€→−`;
/** Other accented Latin letters, and signs: loaded by pages that show one, as in a name. Other text uses the system's fonts. */
const FURTHER = [...`${between(0xa0, 0x17f)}‘‚†•‰′″‹›⁄™←↑↓`].filter((letter) => !COMMON.includes(letter)).join("");

type Family = { from: string; to: string; axes: Record<string, { min: number; max: number }> };

const FAMILIES: Family[] = [
  {
    from: import.meta.resolve("@fontsource-variable/archivo/files/archivo-latin-wdth-normal.woff2"),
    to: "archivo",
    axes: { wght: { min: 560, max: 800 }, wdth: { min: 100, max: 125 } },
  },
  {
    from: import.meta.resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"),
    to: "inter",
    axes: { wght: { min: 400, max: 700 } },
  },
];

for (const { from, to, axes } of FAMILIES) {
  const whole = await readFile(new URL(from));
  for (const [file, letters] of [
    [`${to}.woff2`, COMMON],
    [`${to}-further.woff2`, FURTHER],
  ] as const) {
    const cut = await subsetFont(whole, letters, { targetFormat: "woff2", variationAxes: axes });
    await writeFile(path.join(import.meta.dirname, "made", file), cut);
    process.stdout.write(`${file}: ${Math.round(cut.length / 1024)} KB of ${Math.round(whole.length / 1024)} KB\n`);
  }
}
