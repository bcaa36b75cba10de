// One picture while it is drawn: its size, its sun, and the SVG collected so far, far layers first.

/** What a scene is framed for: a card (16:10), a wide slide, or a slide on a phone held upright. */
export type Shot = { readonly kind: "card" | "wide" | "tall"; readonly width: number; readonly height: number };

/** The one light of the picture, in pixels. */
export type Sun = { readonly x: number; readonly y: number; readonly radius: number };

/** A picture while it is drawn. */
export type Still = Shot & { readonly sun: Sun; readonly defs: string[]; readonly layers: string[] };

/** A scene: what it is called in file names, and how it is drawn in a shot. */
export type Scene = { readonly slug: string; readonly draw: (shot: Shot) => Still };

/** An empty picture with its light set. */
export function openStill(shot: Shot, sun: Sun): Still {
  return { ...shot, sun, defs: [], layers: [] };
}

/** Adds a definition (gradient, filter, mask, clip) under a fresh id and returns the reference `url(#id)`. */
export function define(still: Still, element: (id: string) => string): string {
  const id = `d${still.defs.length}`;
  still.defs.push(element(id));
  return `url(#${id})`;
}

/** Paints SVG over everything painted before. */
export function paint(still: Still, svg: string): void {
  still.layers.push(svg);
}

/** The finished SVG document. */
export function toSvg(still: Still): string {
  const { width, height } = still;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" color-interpolation-filters="sRGB"><defs>${still.defs.join("")}</defs>${still.layers.join("\n")}</svg>`;
}

/** A vertical gradient between two heights; stops are [offset 0..1, colour, opacity]. */
export function vertical(
  still: Still,
  top: number,
  bottom: number,
  stops: readonly (readonly [offset: number, colour: string, opacity?: number])[],
): string {
  return define(
    still,
    (id) =>
      `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="${top}" y2="${bottom}">${stopList(stops)}</linearGradient>`,
  );
}

/** A round gradient about a point, `stretch` times as wide as high. */
export function round(
  still: Still,
  x: number,
  y: number,
  radius: number,
  stops: readonly (readonly [offset: number, colour: string, opacity?: number])[],
  stretch = 1,
): string {
  return define(
    still,
    (id) =>
      `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="${radius}" gradientTransform="translate(${x} ${y}) scale(${stretch} 1)">${stopList(stops)}</radialGradient>`,
  );
}

/** Where a filter works, in pixels: what it is laid on must lie within. */
export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** A soft blur by `deviation` pixels, as a filter reference. The smaller its box, the quicker it is. */
export function blur(still: Still, deviation: number, deviationY = deviation, box: Box = around(still)): string {
  return define(
    still,
    (id) =>
      `<filter id="${id}" filterUnits="userSpaceOnUse" x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}"><feGaussianBlur stdDeviation="${deviation} ${deviationY}"/></filter>`,
  );
}

const around = ({ width, height }: Still): Box => ({
  x: -width * 0.2,
  y: -height * 0.2,
  width: width * 1.4,
  height: height * 1.4,
});

function stopList(stops: readonly (readonly [offset: number, colour: string, opacity?: number])[]): string {
  return stops
    .map(
      ([offset, colour, opacity = 1]) => `<stop offset="${offset}" stop-color="${colour}" stop-opacity="${opacity}"/>`,
    )
    .join("");
}
