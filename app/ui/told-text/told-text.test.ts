/** The sixteen colours of told words can be read in both themes: their contrast, computed from the style sheets. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { TOLD_COLOURS } from "#shared/told-text.ts";

const here = import.meta.dirname;
const tokens = readFileSync(path.join(here, "../../styles/tokens.css"), "utf8");
const sheet = readFileSync(path.join(here, "told-text.module.css"), "utf8");

/** WCAG 2.2, 1.4.3. */
const LEAST = 4.5;

/** The custom properties of a theme, by name. */
function themeOf(name: "dark" | "light"): Map<string, string> {
  const block = tokens.slice(tokens.indexOf(`[data-theme="${name}"] {`));
  return new Map(
    [...block.slice(0, block.indexOf("\n}")).matchAll(/(--[\w-]+): ([^;]+);/g)].map(([, key = "", value = ""]) => [
      key,
      value,
    ]),
  );
}

/** Relative luminance of `oklch(lightness chroma hue)`; what no screen can show is cut off, as browsers do. */
function luminance(colour: string): number {
  const [lightness = 0, chroma = 0, hue = 0] = (/oklch\(([^)/]+)/.exec(colour)?.[1] ?? "").split(" ").map(Number);
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const cut = (value: number) => Math.min(1, Math.max(0, value));
  const red = cut(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = cut(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = cut(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test("every colour has a shade of its own in the style sheet, and stands out from the ground in both themes", () => {
  for (const name of ["dark", "light"] as const) {
    const theme = themeOf(name);
    const filled = (value: string) =>
      value.replace(/var\((--[\w-]+)\)/g, (_, key: string) => theme.get(key) ?? assert.fail(key));
    const ground = luminance(theme.get("--ground-2") ?? "");
    for (const colour of TOLD_COLOURS) {
      const rule =
        new RegExp(`\\[data-colour="${colour}"\\][^{]*\\{\\s*color: ([^;]+);`).exec(sheet)?.[1] ?? "var(--ink)";
      assert.ok(colour === "white" || rule !== "var(--ink)", `${colour} has no shade`);
      const [lighter = 0, darker = 0] = [luminance(filled(rule)), ground].sort((one, other) => other - one);
      const contrast = (lighter + 0.05) / (darker + 0.05);
      assert.ok(contrast >= LEAST, `${colour} in the ${name} theme: ${contrast.toFixed(2)}`);
    }
  }
});
