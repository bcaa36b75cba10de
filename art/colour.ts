// Colours by hand: mixing two and writing one with its opacity.

function channels(hex: string): [number, number, number] {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** The colour `share` of the way (0..1) from `from` to `to`; both `#rrggbb`. */
export function mix(from: string, to: string, share: number): string {
  const a = channels(from);
  const b = channels(to);
  const mixed = a.map((v, i) => Math.round(v + ((b[i] ?? v) - v) * share));
  return `#${mixed.map((v) => v.toString(16).padStart(2, "0")).join("")}`;
}

/** The one warm light of every picture, from the disc outwards. */
export const LIGHT = { core: "#ffe9bd", disc: "#ffa03c", glow: "#ff8000", ember: "#b8480a" } as const;
