// The mark of the house: a low sun inside a spawn ring, over the horizon.

const ORANGE = "#FF8000";

const shape = (line: string) =>
  `<path d="M9.5 43a22.5 22.5 0 0 1 45 0" fill="none" stroke="${ORANGE}" stroke-width="5.5" stroke-linecap="round"/><path d="M19.5 43a12.5 12.5 0 0 1 25 0z" fill="${ORANGE}"/><path d="M5 52.5h54" stroke="${line}" stroke-width="5.5" stroke-linecap="round"/>`;

/** The bare mark, for use on dark or light ground. */
export function markSvg(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><title>Spawnpoint</title>${shape(ORANGE)}</svg>\n`;
}

/** The mark on its near-black tile; `corner` is the radius in 64ths, `inset` the share of the tile that the mark fills. */
export function tileSvg(corner: number, inset: number): string {
  const move = `translate(32 32) scale(${inset}) translate(-32 -33.5)`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><title>Spawnpoint</title><rect width="64" height="64" rx="${corner}" fill="#0b0c0f"/><g transform="${move}">${shape("#ffffff")}</g></svg>\n`;
}
