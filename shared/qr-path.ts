// Draws a text as a QR code, on the server or in the browser.
import { encode } from "uqr";

/** Makes the SVG path data of the dark modules, a unit each, within a quiet zone of four modules (ISO/IEC 18004). */
export function qrPath(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  // Neighbours of a row are one stroke: half the bytes.
  const strokes = data.flatMap((row, y) =>
    [
      ...row
        .map((dark) => (dark ? "#" : " "))
        .join("")
        .matchAll(/#+/g),
    ].map(({ 0: { length }, index: x }) => `M${x} ${y}h${length}v1h-${length}z`),
  );
  const path = strokes.join("");
  return { path, size };
}
