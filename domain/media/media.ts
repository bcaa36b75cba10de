// Banners that admins upload for games.
import { eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { games } from "#db/schema/index.ts";
import type { ObjectStorage, StorageError } from "#outside/object-storage.ts";
import { type Actor, recordAudit } from "../site/audit.ts";
import { BANNER, keysOf, type MadePicture, MEDIA_BUCKET, makePicture, removeFiles, storeFiles } from "./files.ts";
import { decodeImage, type ImageRefusal } from "./image-decoder.ts";

export type BannerRefusal = ImageRefusal | "too-small" | "storage" | "gone";

/** Makes a banner of a file. Nothing is stored yet. */
function makeBanner(bytes: Buffer): Promise<{ ok: true; made: MadePicture } | { ok: false; reason: BannerRefusal }> {
  return decodeImage<{ ok: true; made: MadePicture } | { ok: false; reason: BannerRefusal }>(bytes, async (open) => {
    const made = await makePicture(open, BANNER);
    return made ? { ok: true, made } : { ok: false, reason: "too-small" };
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
  const outcome = bytes === null ? null : await makeBanner(bytes);
  if (outcome && !outcome.ok) return outcome;
  if (outcome && !(await storeFiles(storage, outcome.made.files, onStorageError)))
    return { ok: false, reason: "storage" };
  const picture = outcome?.made.picture ?? null;
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
  if (unused) await removeGamePictures(storage, [unused.id], onStorageError);
  return before === null ? { ok: false, reason: "gone" } : { ok: true };
}

/** Takes the files of pictures away, uploaded or drawn, that no game has any longer. */
export async function removeGamePictures(
  storage: ObjectStorage,
  ids: readonly string[],
  onStorageError: (error: StorageError) => void,
): Promise<void> {
  const keys = ids.flatMap((id) => keysOf(id, BANNER));
  if (keys.length > 0) await removeFiles(storage, keys, onStorageError);
}

/** A file of an uploaded picture; null when there is none. @throws {StorageError} */
export const findMediaFile = (storage: ObjectStorage, key: string): Promise<Buffer | null> =>
  storage.find(MEDIA_BUCKET, key);
