// Crops a picture to a square in the browser, small enough to send.

/** In px of the picture. */
export type Area = { x: number; y: number; width: number; height: number };

/** A canvas wider or taller than the first is scaled to fit the second. */
const KEPT_PX = 512;
const SCALED_PX = 500;
const QUALITY = 0.7;

/** Returns the canvas size of an area, in proportion. */
export function canvasSize({ width, height }: Pick<Area, "width" | "height">): { width: number; height: number } {
  const longer = Math.max(width, height);
  const scale = longer > KEPT_PX ? SCALED_PX / longer : 1;
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * Draws the area as WebP; as PNG where the browser can't write WebP (the server converts it).
 * @throws if the browser can't show the picture.
 */
export async function drawCrop(picture: string, area: Area): Promise<Blob> {
  const image = new Image();
  image.src = picture;
  await image.decode();
  const { width, height } = canvasSize(area);
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("no canvas");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(image, area.x, area.y, area.width, area.height, 0, 0, width, height);
  const webp = await write(canvas, "image/webp");
  return webp.type === "image/webp" ? webp : write(canvas, "image/png");
}

const write = (canvas: HTMLCanvasElement, type: string): Promise<Blob> =>
  new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("an empty canvas"))), type, QUALITY),
  );
