// Draws the picture of a shared link: a game's scene, the name on it, and the current status.
import { breakLines, drawable, setLine, widthOf } from "./open-graph-lettering.ts";

const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 64;
const MAX_BYTES = 150 * 1024;
const LIMIT_S = 5;
/** The colours of the dark theme, as sRGB. */
const NIGHT = "#0c0908";
const TEXT = "#f7f2ee";
const QUIET = "#c9beb6";
const TONES = {
  online: "#5fd487",
  degraded: "#eac34b",
  offline: "#ff7a74",
  maintenance: "#83b9f2",
  quiet: "#a8a29d",
};

const MARK =
  '<g transform="translate(64 48) scale(.9)" fill="none" stroke="#FF8000" stroke-width="5.5" stroke-linecap="round"><path d="M9.5 43a22.5 22.5 0 0 1 45 0M5 52.5h54"/><path d="M19.5 43a12.5 12.5 0 0 1 25 0z" fill="#FF8000" stroke="none"/></g>';

/** The texts of a picture. `sign`: whether the dot before `figures` is full, and its colour. */
export type PictureTexts = {
  site: string;
  title: string;
  above: string;
  figures: string;
  sign: { tone: keyof typeof TONES; full: boolean } | null;
};

/** Draws a JPEG of 1200 × 630 px, 150 KB at most. `scene` is any picture; null, or an unreadable one: plain night. */
export async function drawPicture(texts: PictureTexts, scene: Buffer | null): Promise<Buffer> {
  // Loaded with the first picture: a site without shared links never needs it.
  const { default: sharp } = await import("sharp");
  const overlay = Buffer.from(lettering(texts));
  const canvas = () => sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: NIGHT } });
  const behind = scene
    ? await sharp(scene)
        .resize(WIDTH, HEIGHT, { fit: "cover", position: "centre" })
        .timeout({ seconds: LIMIT_S })
        .png({ compressionLevel: 0 })
        .toBuffer()
        .catch(() => null)
    : null;
  const layers = [...(behind ? [{ input: behind }] : []), { input: overlay }];
  let jpeg = Buffer.alloc(0);
  for (const quality of [82, 72, 60, 45]) {
    jpeg = await canvas().composite(layers).jpeg({ quality, mozjpeg: true }).toBuffer();
    if (jpeg.length <= MAX_BYTES) break;
  }
  return jpeg;
}

function lettering({ site, title, above, figures, sign }: PictureTexts): string {
  const parts: string[] = [];
  const brand = drawable(site);
  if (brand) parts.push(setLine(clip(brand, 38, 900), { x: 140, y: 94, size: 38, fill: TEXT }));

  const room = WIDTH - 2 * MARGIN;
  const name = drawable(title) ?? drawable(above);
  // In the largest size that fits on one line, else on two.
  const size = name ? ([104, 92, 80].find((each) => widthOf(name, each) <= room) ?? 72) : 0;
  const lines = name ? breakLines(name, size, room, size === 72 ? 2 : 1) : [];
  const base = 476;
  const first = base - (lines.length - 1) * size * 1.08;
  for (const [index, line] of lines.entries()) {
    parts.push(setLine(line, { x: MARGIN, y: first + index * size * 1.08, size, fill: TEXT }));
  }
  const over = name === drawable(above) ? null : drawable(above);
  if (over)
    parts.push(setLine(clip(over, 36, room), { x: MARGIN, y: first - size * 0.72 - 30, size: 36, fill: QUIET }));

  if (sign) {
    const colour = TONES[sign.tone];
    const inside = sign.full ? ` fill="${colour}"` : ' fill="none"';
    parts.push(`<circle cx="${MARGIN + 16}" cy="546" r="12" stroke="${colour}" stroke-width="6"${inside}/>`);
  }
  const row = drawable(figures);
  const x = MARGIN + (sign ? 48 : 0);
  if (row) parts.push(setLine(clip(row, 44, WIDTH - MARGIN - x), { x, y: 562, size: 44, fill: TEXT }));

  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
<defs><linearGradient id="a" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${NIGHT}" stop-opacity=".6"/><stop offset=".28" stop-color="${NIGHT}" stop-opacity=".04"/><stop offset=".5" stop-color="${NIGHT}" stop-opacity=".4"/><stop offset=".72" stop-color="${NIGHT}" stop-opacity=".82"/><stop offset="1" stop-color="${NIGHT}" stop-opacity=".95"/></linearGradient></defs>
<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#a)"/>${MARK}${parts.join("")}<rect y="618" width="${WIDTH}" height="12" fill="#FF8000"/></svg>`;
}

const clip = (text: string, size: number, width: number) => breakLines(text, size, width, 1)[0] ?? "";
