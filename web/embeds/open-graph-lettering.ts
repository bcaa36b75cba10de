// Sets lines of text as outlines, so that a picture looks the same on every machine, whatever fonts it has.
import { readFileSync } from "node:fs";
import path from "node:path";

const UNITS_PER_EM = 1000;
const GLYPHS = path.join(import.meta.dirname, "open-graph-glyphs.txt");

type Glyph = { advance: number; outline: string };
let glyphs: Map<string, Glyph> | undefined;

/** Gets all glyphs; read at the first use. */
function allGlyphs(): Map<string, Glyph> {
  glyphs ??= new Map(
    readFileSync(GLYPHS, "utf8")
      .split("\n")
      .slice(1)
      .filter((line) => line !== "")
      .map((line) => {
        const end = line.indexOf(" ", 2);
        return [line.slice(0, 1), { advance: Number(line.slice(2, end)), outline: line.slice(end + 1) }];
      }),
  );
  return glyphs;
}

/**
 * Removes what cannot be drawn: other spaces become plain, unknown accents and emoji are dropped. Null if a letter or
 * digit would be lost, because half a name is worse than none.
 */
export function drawable(text: string): string | null {
  let kept = "";
  for (const sign of text.normalize("NFC").replace(/\s+/g, " ")) {
    const plain = allGlyphs().has(sign) ? sign : sign.normalize("NFD").replace(/\p{M}/gu, "");
    if (plain !== "" && [...plain].every((each) => allGlyphs().has(each))) kept += plain;
    else if (/[\p{L}\p{N}]/u.test(sign)) return null;
  }
  return kept.replace(/ +/g, " ").trim() || null;
}

/** Measures a drawable text in px. */
export function widthOf(text: string, size: number): number {
  let units = 0;
  for (const sign of text) units += allGlyphs().get(sign)?.advance ?? 0;
  return (units * size) / UNITS_PER_EM;
}

/** Makes the SVG of a drawable text with its baseline at `y`, from numbers and the site's own outlines only. */
export function setLine(text: string, at: { x: number; y: number; size: number; fill: string }): string {
  let pen = 0;
  const outlines = [...text].map((sign) => {
    const glyph = allGlyphs().get(sign);
    const outline = glyph?.outline ? `<path transform="translate(${pen})" d="${glyph.outline}"/>` : "";
    pen += glyph?.advance ?? 0;
    return outline;
  });
  return `<g fill="${at.fill}" transform="translate(${at.x} ${at.y}) scale(${at.size / UNITS_PER_EM})">${outlines.join("")}</g>`;
}

/** Breaks a drawable text into at most `lines` lines of `width` px; ends the last one in an ellipsis if it does not fit. */
export function breakLines(text: string, size: number, width: number, lines: number): string[] {
  const broken: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line === "" || widthOf(longer, size) <= width || broken.length === lines - 1) line = longer;
    else {
      broken.push(line);
      line = word;
    }
  }
  return [...broken, line].map((each) => {
    if (widthOf(each, size) <= width) return each;
    let cut = each;
    while (cut !== "" && widthOf(`${cut}…`, size) > width) cut = cut.slice(0, -1);
    return `${cut.trimEnd()}…`;
  });
}
