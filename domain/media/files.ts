// Files of uploaded pictures: cropped, in the widths and formats that pages use, stored in the bucket `media` under unguessable
// names.
import { randomBytes } from "node:crypto";
import type { Sharp } from "sharp";
import type { UploadedPicture } from "#db/schema/index.ts";
import { type ObjectStorage, StorageError } from "#outside/object-storage.ts";

export const MEDIA_BUCKET = "media";
export const MEDIA_CACHE = "public, max-age=31536000, immutable";
const FORMATS = ["avif", "webp"] as const;
const LIMIT_S = 10;

/** A crop shape: height by width, and the output widths in px, narrowest first. */
export type Crop = { ratio: number; widths: readonly number[] };

/** Same as the site's built-in pictures. */
export const BANNER: Crop = { ratio: 10 / 16, widths: [345, 690, 1035, 1380] };
export const SLIDE: Crop = { ratio: 1100 / 2560, widths: [960, 1440, 1920, 2560] };
export const SLIDE_PORTRAIT: Crop = { ratio: 1200 / 900, widths: [480, 900] };
const WIDTHS = [BANNER, SLIDE, SLIDE_PORTRAIT].flatMap(({ widths }) => widths.map(String));

export type MediaFile = { key: string; type: string; bytes: Buffer };
export type MadePicture = { picture: UploadedPicture; files: MediaFile[] };

export const newMediaId = () => randomBytes(16).toString("hex");
const keyOf = (id: string, width: number, format: (typeof FORMATS)[number]) => `${id}-${width}.${format}`;
/** The type of a file in any bucket, by its name: only pictures are stored. */
export const typeOfFile = (key: string): string => (key.endsWith(".avif") ? "image/avif" : "image/webp");
/** The single file of a logo. */
export const logoKeyOf = (id: string) => `${id}-logo.webp`;

/** Parses a file name from a URL; null for anything else. */
export function readMediaName(name: string): { id: string; key: string; type: string } | null {
  const [, id, size] = /^([0-9a-f]{32})-(\d{3,4}|logo)\.(avif|webp)$/.exec(name) ?? [];
  if (!id || !size || !(WIDTHS.includes(size) || name === logoKeyOf(id))) return null;
  return { id, key: name, type: typeOfFile(name) };
}

/** Creates a picture's files: the most salient part, cropped, never scaled up. Null: the picture is too small. */
export async function makePicture(open: () => Sharp, { ratio, widths }: Crop): Promise<MadePicture | null> {
  // An upright picture may be stored rotated: use its size as displayed.
  const { width, height } = (await open().metadata()).autoOrient;
  const most = Math.floor(Math.min(width, height / ratio));
  const fitting = widths.filter((each) => each <= most);
  const widest = fitting.at(-1);
  if (widest === undefined) return null;
  const id = newMediaId();
  const files: MediaFile[] = [];
  for (const to of fitting)
    for (const format of FORMATS) files.push(await makeFile(open, { ratio }, keyOf(id, to, format)));
  const tiny = await cropped(open, 16, ratio).webp({ quality: 40 }).toBuffer();
  const placeholder = `data:image/webp;base64,${tiny.toString("base64")}`;
  return { picture: { id, width: widest, height: Math.round(widest * ratio), widths: fitting, placeholder }, files };
}

const cropped = (open: () => Sharp, to: number, ratio: number) =>
  open()
    .autoOrient()
    .resize(to, Math.round(to * ratio), { fit: "cover", position: "attention" })
    .timeout({ seconds: LIMIT_S });

/** Creates the file with this name, in the width and format that it names. */
export async function makeFile(open: () => Sharp, { ratio }: Pick<Crop, "ratio">, key: string): Promise<MediaFile> {
  const picture = cropped(open, Number(/-(\d+)\./.exec(key)?.[1]), ratio);
  const bytes = key.endsWith(".avif")
    ? await picture.avif({ quality: 52, effort: 3 }).toBuffer()
    : await picture.webp({ quality: 76 }).toBuffer();
  return { key, type: typeOfFile(key), bytes };
}

/** Stores files. False when the storage fails, reported to `onStorageError`. */
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

/** Removes files by key; files left by a storage error are only clutter. */
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

/** Resolves to the work's result; null when the storage fails, reported to `onStorageError`. */
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

/** The keys that the files of this picture can have. */
export const keysOf = (id: string, { widths }: Crop): string[] =>
  widths.flatMap((width) => FORMATS.map((format) => keyOf(id, width, format)));
