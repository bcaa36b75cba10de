/**
 * Parses the description of a Minecraft server (the "MOTD") into spans of plain text: a text with § codes, or a chat component
 * (https://minecraft.wiki/w/Text_component_format, https://minecraft.wiki/w/Formatting_codes).
 */
import { TOLD_COLOURS, type ToldColour, type ToldLine, type ToldStyle } from "#shared/told-text.ts";
import { isUnseen } from "../answer.ts";
import { isRecord } from "../shallow-json.ts";

/** Minecraft's default description. */
export const UNNAMED = "A Minecraft Server";
/** The game shows two lines of some sixty characters. */
const MOST_LINES = 2;
const LONGEST_LINE = 120;
/** A rainbow has a colour for each letter; honest texts have no more. */
const MOST_SPANS = 80;
/** The most components and characters that are read. */
const MOST_PARTS = 400;
const MOST_CHARACTERS = 4_000;
/** Marks on one letter: more leave its line. */
const MOST_MARKS = 2;

const MARK = /^\p{M}$/u;
const SPACE = /^[\s\p{Z}]$/u;

/** Each colour as the game draws it, in the order of its codes 0 to f, to find the nearest to any other. */
const RGB = [
  0x000000, 0x0000aa, 0x00aa00, 0x00aaaa, 0xaa0000, 0xaa00aa, 0xffaa00, 0xaaaaaa, 0x555555, 0x5555ff, 0x55ff55,
  0x55ffff, 0xff5555, 0xff55ff, 0xffff55, 0xffffff,
];

const PLAIN: ToldStyle = { colour: null };

/** Parses the lines with content; none for the default description. */
export function readMotd(description: unknown): ToldLine[] {
  const page = new Page();
  writeComponent(description, PLAIN, page, { parts: 0 });
  const lines = page.finish();
  const plain = lines.map((line) => line.map(({ text }) => text).join("")).join(" ");
  return plain === UNNAMED ? [] : lines;
}

function writeComponent(value: unknown, inherited: ToldStyle, page: Page, seen: { parts: number }): void {
  seen.parts += 1;
  if (seen.parts > MOST_PARTS || page.isFull) return;
  if (typeof value === "string") writeCodes(value, inherited, page);
  else if (Array.isArray(value)) {
    // The first of a list is the parent of the others.
    const [first, ...others] = value.slice(0, MOST_PARTS);
    const style = isRecord(first) ? styleOf(first, inherited) : inherited;
    writeComponent(first, inherited, page, seen);
    for (const one of others) writeComponent(one, style, page, seen);
  } else if (isRecord(value)) writeObject(value, inherited, page, seen);
}

function writeObject(value: Record<string, unknown>, inherited: ToldStyle, page: Page, seen: { parts: number }): void {
  const style = styleOf(value, inherited);
  // Translatable components have no text here except their fallback.
  const own = typeof value.text === "string" ? value.text : value.fallback;
  if (typeof own === "string") writeCodes(own, style, page);
  if (Array.isArray(value.extra)) {
    for (const one of value.extra.slice(0, MOST_PARTS)) writeComponent(one, style, page, seen);
  }
}

/** Gets a component's style, on top of its parent's. Ignores hover, click and obfuscation. */
function styleOf(component: Record<string, unknown>, inherited: ToldStyle): ToldStyle {
  const { color, bold, italic, underlined, strikethrough } = component;
  const style = { ...inherited };
  if (typeof color === "string") style.colour = color === "reset" ? null : (colourOf(color) ?? inherited.colour);
  const set = (name: "bold" | "italic" | "underlined" | "struck", value: unknown) => {
    if (value === true) style[name] = true;
    else if (value === false) delete style[name];
  };
  set("bold", bold);
  set("italic", italic);
  set("underlined", underlined);
  set("struck", strikethrough);
  return style;
}

function colourOf(name: string): ToldColour | null {
  const known = TOLD_COLOURS.find((colour) => colour === name);
  if (known) return known;
  return /^#[0-9a-f]{6}$/i.test(name) ? nearest(Number.parseInt(name.slice(1), 16)) : null;
}

function nearest(rgb: number): ToldColour {
  const distance = (other: number) =>
    [16, 8, 0].reduce((sum, shift) => sum + (((rgb >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
  const found = RGB.reduce((best, each, place) => (distance(each) < distance(RGB[best] ?? 0) ? place : best), 0);
  return TOLD_COLOURS[found] ?? "white";
}

/** Writes a text with § codes, which the game still accepts inside of components. */
function writeCodes(text: string, own: ToldStyle, page: Page): void {
  let style = own;
  // By code points: the second half of a pair would be no character.
  const characters = Array.from(text.slice(0, MOST_CHARACTERS));
  for (let at = 0; at < characters.length && !page.isFull; at++) {
    const character = characters[at] ?? "";
    if (character !== "§") {
      page.write(character, style);
      continue;
    }
    const code = (characters[++at] ?? "").toLowerCase();
    const hex = code === "x" ? hexAfter(characters, at + 1) : null;
    if (hex !== null) {
      style = { colour: nearest(hex) };
      at += 12;
    } else style = styleAfter(code, style, own);
  }
}

/** §x§1§2§3§4§5§6: a colour of any shade, as servers write it. */
function hexAfter(characters: string[], at: number): number | null {
  const [, ...digits] = /^§([0-9a-f])§([0-9a-f])§([0-9a-f])§([0-9a-f])§([0-9a-f])§([0-9a-f])$/i.exec(
    characters.slice(at, at + 12).join(""),
  ) ?? [null];
  return digits.length === 6 ? Number.parseInt(digits.join(""), 16) : null;
}

/** A colour resets the earlier style. */
function styleAfter(code: string, style: ToldStyle, own: ToldStyle): ToldStyle {
  const colour = /^[0-9a-f]$/.test(code) ? TOLD_COLOURS[Number.parseInt(code, 16)] : undefined;
  if (colour) return { colour };
  switch (code) {
    case "l":
      return { ...style, bold: true };
    case "m":
      return { ...style, struck: true };
    case "n":
      return { ...style, underlined: true };
    case "o":
      return { ...style, italic: true };
    case "r":
      return own;
    default:
      return style;
  }
}

/** Collects cleaned characters into lines of spans: single spaces, no invisible characters, and a limited length. */
class Page {
  readonly #lines: ToldLine[] = [[]];
  #length = 0;
  #looked = 0;
  #marks = 0;
  #spaceBefore = true;

  get isFull(): boolean {
    return this.#looked > MOST_CHARACTERS || this.#lines.length > MOST_LINES;
  }

  write(character: string, style: ToldStyle): void {
    this.#looked += 1;
    if (character === "\n") this.#breakLine();
    else if (SPACE.test(character)) {
      if (!this.#spaceBefore) this.#put(" ", style);
      this.#spaceBefore = true;
    } else if (!isUnseen(character)) this.#writeVisible(character, style);
  }

  #writeVisible(character: string, style: ToldStyle): void {
    this.#marks = MARK.test(character) ? this.#marks + 1 : 0;
    if (this.#marks > MOST_MARKS) return;
    this.#spaceBefore = false;
    this.#put(character, style);
  }

  finish(): ToldLine[] {
    this.#breakLine();
    return this.#lines.filter((line) => line.length > 0).slice(0, MOST_LINES);
  }

  #put(character: string, style: ToldStyle): void {
    const line = this.#lines.at(-1);
    if (!line || this.#length >= LONGEST_LINE) return;
    const last = line.at(-1);
    // A space shows no colour: it joins the word before it.
    if (last && (character === " " || line.length >= MOST_SPANS || sameStyle(last, style))) last.text += character;
    else line.push({ text: character, ...style });
    this.#length += 1;
  }

  #breakLine(): void {
    const line = this.#lines.at(-1);
    const last = line?.at(-1);
    if (last) last.text = last.text.trimEnd();
    if (last?.text === "") line?.pop();
    // Empty lines are dropped.
    if (line && line.length > 0) this.#lines.push([]);
    this.#length = 0;
    this.#marks = 0;
    this.#spaceBefore = true;
  }
}

const sameStyle = (one: ToldStyle, other: ToldStyle): boolean =>
  one.colour === other.colour &&
  one.bold === other.bold &&
  one.italic === other.italic &&
  one.underlined === other.underlined &&
  one.struck === other.struck;
