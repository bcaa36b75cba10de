// Draws a badge: a game server's name and status. Its letters are outlines, so that a name can't become markup, and
// fonts don't matter.
import { html } from "hono/html";
import { breakLines, drawable, setLine, widthOf } from "./open-graph-lettering.ts";

const HEIGHT = 28;
const SIZE = 13;
const PAD = 10;
const SIGN = 16;
const NAME_ROOM = 240;

export const BADGE_THEMES = {
  dark: {
    ground: "#0c0908",
    field: "#1d1815",
    ink: "#f7f2ee",
    quiet: "#c9beb6",
    tones: { online: "#5fd487", degraded: "#eac34b", offline: "#ff7a74", maintenance: "#83b9f2", quiet: "#a8a29d" },
  },
  light: {
    ground: "#fdfcfb",
    field: "#efe9e4",
    ink: "#1c1613",
    quiet: "#4d4540",
    tones: { online: "#0b6b35", degraded: "#6f5700", offline: "#b3191f", maintenance: "#1b5fa8", quiet: "#645c57" },
  },
} as const;
export type BadgeTheme = keyof typeof BADGE_THEMES;

export type BadgeTexts = {
  /** The game server's name; `instead` if it cannot be drawn. */
  name: string;
  instead: string;
  status: string;
  tone: keyof (typeof BADGE_THEMES)["dark"]["tones"];
  shape: string;
  /** Null: the number of players is unknown. */
  count: string | null;
};

/** Draws the badge as SVG, 28 px high. */
export async function drawBadge(texts: BadgeTexts, theme: BadgeTheme): Promise<string> {
  const { ground, field, ink, tones } = BADGE_THEMES[theme];
  const name = breakLines(drawable(texts.name) ?? drawable(texts.instead) ?? "?", SIZE, NAME_ROOM, 1)[0] ?? "?";
  const figures = [texts.status, ...(texts.count === null ? [] : [texts.count])].join("  ·  ");
  const row = drawable(figures) ?? "";
  const left = Math.ceil(widthOf(name, SIZE)) + 2 * PAD;
  const width = left + PAD + SIGN + 6 + Math.ceil(widthOf(row, SIZE)) + PAD;
  const foot = HEIGHT / 2 + SIZE * 0.345;
  const title = await html`<title>${`${texts.name}: ${figures}`}</title>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img">${visible(String(title))}<clipPath id="r"><rect width="${width}" height="${HEIGHT}" rx="6"/></clipPath><g clip-path="url(#r)"><rect width="${width}" height="${HEIGHT}" fill="${field}"/><rect width="${left}" height="${HEIGHT}" fill="${ground}"/></g>${setLine(name, { x: PAD, y: foot, size: SIZE, fill: ink })}<g transform="translate(${left + PAD} ${(HEIGHT - SIGN) / 2})" color="${tones[texts.tone]}" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" fill="none">${texts.shape}</g>${setLine(row, { x: left + PAD + SIGN + 6, y: foot, size: SIZE, fill: ink })}</svg>`;
}

/** Removes characters that XML forbids everywhere: with one in a name, no browser would draw the badge. */
const visible = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Cn}]/gu, "");
