// Sets lines of text as outlines, so that a picture looks the same on every machine, whatever fonts it has.
import { readFileSync } from "node:fs";
import path from "node:path";

const UNITS_PER_EM = 1000;
const GLYPHS = path.join(import.meta.dirname, "open-graph-glyphs.txt");

type Glyph = { advance: number; outline: string };
let glyphs: Map<string, Glyph> | undefined;

/** All glyphs, read at the first use. */
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
 * The text with what cannot be drawn taken away: other spaces become plain, accents that we lack fall off, emoji go. Null
 * when a letter or digit would be lost, because half a name is worse than none.
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

/** The width in px of a drawable text. */
export function widthOf(text: string, size: number): number {
  let units = 0;
  for (const sign of text) units += allGlyphs().get(sign)?.advance ?? 0;
  return (units * size) / UNITS_PER_EM;
}

/** SVG of a drawable text, its feet on `y`. Only numbers and our own outlines get into it, nothing of the text itself. */
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

/** Breaks a drawable text into at most `lines` lines of `width` px; the last ends in an ellipsis where it does not fit. */
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
