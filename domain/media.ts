// Banners that admins upload: cropped to 16:10, in the widths and formats that pages use, kept in the bucket `media` under a
// name that nobody can guess.
import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { games, type UploadedPicture } from "#db/schema/index.ts";
import { type ObjectStorage, StorageError } from "#outside/object-storage.ts";
import { type Actor, recordAudit } from "./audit.ts";
import { decodeImage, type ImageRefusal } from "./image-decoder.ts";

const BUCKET = "media";
export const MEDIA_CACHE = "public, max-age=31536000, immutable";
const FORMATS = ["avif", "webp"] as const;
/** As the pictures that the site ships with have them. */
const WIDTHS = [345, 690, 1035, 1380];
const RATIO = 10 / 16;
/** Less would be a blur on every screen. */
const LEAST_WIDTH = 345;
const LIMIT_S = 10;

export type BannerRefusal = ImageRefusal | "too-small" | "storage" | "gone";
type MadeBanner = UploadedPicture & { files: { key: string; type: string; bytes: Buffer }[] };

const heightOf = (width: number) => Math.round(width * RATIO);
const keyOf = (id: string, width: number, format: (typeof FORMATS)[number]) => `${id}-${width}.${format}`;

/** The name of a file as addresses carry it; null for anything else. */
export function readMediaName(name: string): { id: string; key: string; type: string } | null {
  const [, id, width, format] = /^([0-9a-f]{32})-(\d{3,4})\.(avif|webp)$/.exec(name) ?? [];
  if (!id || !WIDTHS.includes(Number(width))) return null;
  return { id, key: name, type: `image/${format}` };
}

/** Makes a banner of a file: the middle of it in 16:10, never scaled up. Nothing is stored yet. */
function makeBanner(bytes: Buffer): Promise<{ ok: true; banner: MadeBanner } | { ok: false; reason: BannerRefusal }> {
  return decodeImage<{ ok: true; banner: MadeBanner } | { ok: false; reason: BannerRefusal }>(bytes, async (open) => {
    // What stands upright may be stored lying: its size counts as people see it.
    const { width, height } = (await open().metadata()).autoOrient;
    const most = Math.floor(Math.min(width, height / RATIO));
    if (most < LEAST_WIDTH) return { ok: false, reason: "too-small" };
    const widths = WIDTHS.filter((each) => each <= most);
    const id = randomBytes(16).toString("hex");
    const cropped = (to: number) =>
      open()
        .autoOrient()
        .resize(to, heightOf(to), { fit: "cover", position: "attention" })
        .timeout({ seconds: LIMIT_S });
    const files: MadeBanner["files"] = [];
    for (const to of widths) {
      const [avif, webp] = [
        await cropped(to).avif({ quality: 52, effort: 3 }).toBuffer(),
        await cropped(to).webp({ quality: 76 }).toBuffer(),
      ];
      files.push({ key: keyOf(id, to, "avif"), type: "image/avif", bytes: avif });
      files.push({ key: keyOf(id, to, "webp"), type: "image/webp", bytes: webp });
    }
    const tiny = await cropped(16).webp({ quality: 40 }).toBuffer();
    const widest = widths.at(-1) ?? LEAST_WIDTH;
    const placeholder = `data:image/webp;base64,${tiny.toString("base64")}`;
    return { ok: true, banner: { id, width: widest, height: heightOf(widest), widths, placeholder, files } };
  });
}

type Parts = { db: Db; storage: ObjectStorage };

/**
 * Makes a file the banner of a game; null takes the banner away. The old one's files go once nobody is told of them any
 * more. `onStorageError` gets what the log should know.
 */
export async function setBanner(
  { db, storage }: Parts,
  actor: Actor,
  gameId: number,
  bytes: Buffer | null,
  onStorageError: (error: StorageError) => void,
): Promise<{ ok: true } | { ok: false; reason: BannerRefusal }> {
  const made = bytes === null ? null : await makeBanner(bytes);
  if (made && !made.ok) return made;
  const { files = [], ...banner } = made?.banner ?? { id: "" };
  try {
    for (const { key, type, bytes: content } of files)
      await storage.put(BUCKET, key, content, { type, cacheControl: MEDIA_CACHE });
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    onStorageError(error);
    return { ok: false, reason: "storage" };
  }
  const picture = "widths" in banner ? banner : null;
  const before = await db.transaction(async (tx) => {
    const [game] = await tx.select({ banner: games.banner }).from(games).where(eq(games.game_id, gameId)).for("update");
    if (!game) return null;
    await tx.update(games).set({ banner: picture }).where(eq(games.game_id, gameId));
    await recordAudit(tx, {
      what: "game-picture-changed",
      actor_id: actor.user_id,
      origin: actor.origin,
      subject: { type: "game", id: String(gameId) },
      details: { before: { banner: game.banner?.id ?? null }, after: { banner: picture?.id ?? null } },
    });
    return game;
  });
  const unused = before === null ? picture : before.banner;
  if (unused) await removeBannerFiles(storage, unused.id, onStorageError);
  return before === null ? { ok: false, reason: "gone" } : { ok: true };
}

/** Takes the files of a banner away that no game has any longer; what a failing store keeps is only clutter. */
export async function removeBannerFiles(
  storage: ObjectStorage,
  id: string,
  onStorageError: (error: StorageError) => void,
): Promise<void> {
  try {
    for (const width of WIDTHS) for (const format of FORMATS) await storage.remove(BUCKET, keyOf(id, width, format));
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    onStorageError(error);
  }
}

/** A file of a banner; null when there is none. @throws {StorageError} */
export const findMediaFile = (storage: ObjectStorage, key: string): Promise<Buffer | null> => storage.find(BUCKET, key);
