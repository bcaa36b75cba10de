// A text as a QR code that a page can draw.
import { encode } from "uqr";

/** The dark modules as data of an SVG path, a unit each, within a quiet zone of four modules (ISO/IEC 18004). */
export function qrPath(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return { path, size };
}
