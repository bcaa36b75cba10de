// The files of uploaded pictures: cropped, in the widths and formats that pages use, kept in the bucket `media` under names
// that nobody can guess.
import { randomBytes } from "node:crypto";
import type { Sharp } from "sharp";
import type { UploadedPicture } from "#db/schema/index.ts";
import { type ObjectStorage, StorageError } from "#outside/object-storage.ts";

export const MEDIA_BUCKET = "media";
export const MEDIA_CACHE = "public, max-age=31536000, immutable";
const FORMATS = ["avif", "webp"] as const;
const LIMIT_S = 10;

/** A shape that pictures are cropped to: height by width, and the widths in px that it is made in, narrowest first. */
export type Crop = { ratio: number; widths: readonly number[] };

/** As the pictures that the site ships with have them. */
export const BANNER: Crop = { ratio: 10 / 16, widths: [345, 690, 1035, 1380] };
export const SLIDE: Crop = { ratio: 1100 / 2560, widths: [960, 1440, 1920, 2560] };
export const SLIDE_PORTRAIT: Crop = { ratio: 1200 / 900, widths: [480, 900] };
const WIDTHS = [BANNER, SLIDE, SLIDE_PORTRAIT].flatMap(({ widths }) => widths.map(String));

export type MediaFile = { key: string; type: string; bytes: Buffer };
export type MadePicture = { picture: UploadedPicture; files: MediaFile[] };

export const newMediaId = () => randomBytes(16).toString("hex");
const keyOf = (id: string, width: number, format: (typeof FORMATS)[number]) => `${id}-${width}.${format}`;
/** The one file of a logo. */
export const logoKeyOf = (id: string) => `${id}-logo.webp`;

/** The name of a file as addresses carry it; null for anything else. */
export function readMediaName(name: string): { id: string; key: string; type: string } | null {
  const [, id, size, format] = /^([0-9a-f]{32})-(\d{3,4}|logo)\.(avif|webp)$/.exec(name) ?? [];
  if (!id || !size || !(WIDTHS.includes(size) || name === logoKeyOf(id))) return null;
  return { id, key: name, type: `image/${format}` };
}

/** Makes the files of a picture: what draws the eye, cropped, never scaled up. Null: the picture is too small. */
export async function makePicture(open: () => Sharp, { ratio, widths }: Crop): Promise<MadePicture | null> {
  // What stands upright may be stored lying: its size counts as people see it.
  const { width, height } = (await open().metadata()).autoOrient;
  const most = Math.floor(Math.min(width, height / ratio));
  const fitting = widths.filter((each) => each <= most);
  const widest = fitting.at(-1);
  if (widest === undefined) return null;
  const id = newMediaId();
  const heightOf = (to: number) => Math.round(to * ratio);
  const cropped = (to: number) =>
    open().autoOrient().resize(to, heightOf(to), { fit: "cover", position: "attention" }).timeout({ seconds: LIMIT_S });
  const files: MediaFile[] = [];
  for (const to of fitting) {
    const avif = await cropped(to).avif({ quality: 52, effort: 3 }).toBuffer();
    const webp = await cropped(to).webp({ quality: 76 }).toBuffer();
    files.push({ key: keyOf(id, to, "avif"), type: "image/avif", bytes: avif });
    files.push({ key: keyOf(id, to, "webp"), type: "image/webp", bytes: webp });
  }
  const tiny = await cropped(16).webp({ quality: 40 }).toBuffer();
  const placeholder = `data:image/webp;base64,${tiny.toString("base64")}`;
  return { picture: { id, width: widest, height: heightOf(widest), widths: fitting, placeholder }, files };
}

/** Gives the files of a picture that the site drew itself their names. */
export function namePicture(drawn: {
  width: number;
  height: number;
  placeholder: string;
  files: readonly { width: number; format: (typeof FORMATS)[number]; bytes: Uint8Array }[];
}): MadePicture {
  const id = newMediaId();
  const { width, height, placeholder } = drawn;
  const widths = [...new Set(drawn.files.map((file) => file.width))].sort((one, other) => one - other);
  const files = drawn.files.map(({ width, format, bytes }) => ({
    key: keyOf(id, width, format),
    type: `image/${format}`,
    bytes: Buffer.from(bytes),
  }));
  return { picture: { id, width, height, widths, placeholder }, files };
}

/** Stores files. False when the store fails, which `onStorageError` hears. */
export function storeFiles(
  storage: ObjectStorage,
  files: MediaFile[],
  onStorageError: (error: StorageError) => void,
): Promise<boolean> {
  return heard(onStorageError, async () => {
    for (const { key, type, bytes } of files)
      await storage.put(MEDIA_BUCKET, key, bytes, { type, cacheControl: MEDIA_CACHE });
  });
}

/** Takes files away by their keys; what a failing store keeps is only clutter. */
export function removeFiles(
  storage: ObjectStorage,
  keys: string[],
  onStorageError: (error: StorageError) => void,
): Promise<boolean> {
  return heard(onStorageError, async () => {
    for (const key of keys) await storage.remove(MEDIA_BUCKET, key);
  });
}

const heard = async (onStorageError: (error: StorageError) => void, act: () => Promise<void>): Promise<boolean> =>
  (await unlessStoreFails(onStorageError, async () => {
    await act();
    return true;
  })) ?? false;

/** What the work comes to; null when the store fails, which `onStorageError` hears. */
export async function unlessStoreFails<Value>(
  onStorageError: (error: StorageError) => void,
  work: () => Promise<Value>,
): Promise<Value | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    onStorageError(error);
    return null;
  }
}

/** The keys that the files of a picture of this id can have. */
export const keysOf = (id: string, { widths }: Crop): string[] =>
  widths.flatMap((width) => FORMATS.map((format) => keyOf(id, width, format)));
