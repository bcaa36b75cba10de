// A game's picture: a banner that an admin uploads, or a built-in one.
import { eq } from "drizzle-orm";
import { findLandscape } from "#content/landscapes/landscapes.ts";
import { SHIPPED_PICTURES } from "#content/pictures/shipped.ts";
import type { Db } from "#db/client.ts";
import { games } from "#db/schema/index.ts";
import type { ObjectStorage, StorageError } from "#outside/object-storage.ts";
import { type Actor, recordAudit } from "../site/audit.ts";
import { BANNER, keysOf, type MadePicture, MEDIA_BUCKET, makePicture, removeFiles, storeFiles } from "./files.ts";
import { decodeImage, type ImageRefusal } from "./image-decoder.ts";

export type BannerRefusal = ImageRefusal | "too-small" | "storage" | "gone";

/** Creates a banner from a file. Stores nothing yet. */
function makeBanner(bytes: Buffer): Promise<{ ok: true; made: MadePicture } | { ok: false; reason: BannerRefusal }> {
  return decodeImage<{ ok: true; made: MadePicture } | { ok: false; reason: BannerRefusal }>(bytes, async (open) => {
    const made = await makePicture(open, BANNER);
    return made ? { ok: true, made } : { ok: false, reason: "too-small" };
  });
}

type Parts = { db: Db; storage: ObjectStorage };

/**
 * Sets a file as a game's banner; null removes the banner. Removes the old files once no page refers to them. `onStorageError` gets
 * errors for the log.
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
  const banner = outcome?.made.picture ?? null;
  const before = await changePicture(db, actor, gameId, { banner });
  const unused = before === null ? banner : before.banner;
  if (unused) await removeGamePictures(storage, [unused.id], onStorageError);
  return before === null ? { ok: false, reason: "gone" } : { ok: true };
}

/** The built-in painting of a game, if it is one of the eight. */
export const paintingFor = ({ catalogue_id, game_slug }: { catalogue_id: string | null; game_slug: string }) =>
  [catalogue_id, game_slug].find((name) => name !== null && SHIPPED_PICTURES.includes(name)) ?? null;

/**
 * Sets a landscape, or the game's built-in painting, as its picture; removes an uploaded banner. `unknown`: no such name, or
 * another game's.
 */
export async function choosePicture(
  { db, storage }: Parts,
  actor: Actor,
  gameId: number,
  name: string,
  onStorageError: (error: StorageError) => void,
): Promise<{ ok: true } | { ok: false; reason: "unknown" | "gone" }> {
  const [game] = await db
    .select({ catalogue_id: games.catalogue_id, game_slug: games.game_slug })
    .from(games)
    .where(eq(games.game_id, gameId));
  if (!game) return { ok: false, reason: "gone" };
  if (!findLandscape(name) && paintingFor(game) !== name) return { ok: false, reason: "unknown" };
  const before = await changePicture(db, actor, gameId, { picture: name, banner: null });
  if (before?.banner) await removeGamePictures(storage, [before.banner.id], onStorageError);
  return before === null ? { ok: false, reason: "gone" } : { ok: true };
}

type Shown = Pick<typeof games.$inferSelect, "picture" | "banner">;

/** Stores a game's picture and the audit row. Returns the previous one; null: there is no such game. */
function changePicture(db: Db, actor: Actor, gameId: number, change: Partial<Shown>): Promise<Shown | null> {
  return db.transaction(async (tx) => {
    const [before] = await tx
      .select({ picture: games.picture, banner: games.banner })
      .from(games)
      .where(eq(games.game_id, gameId))
      .for("update");
    if (!before) return null;
    await tx.update(games).set(change).where(eq(games.game_id, gameId));
    const after = { ...before, ...change };
    const said = ({ picture, banner }: Shown) => ({
      banner: banner?.id ?? null,
      ...(after.picture !== before.picture && { picture }),
    });
    await recordAudit(tx, {
      what: "game-picture-changed",
      actor_id: actor.user_id,
      origin: actor.origin,
      subject: { type: "game", id: String(gameId) },
      details: { before: said(before), after: said(after) },
    });
    return before;
  });
}

/** Removes files of uploaded pictures that no game uses any more. */
export async function removeGamePictures(
  storage: ObjectStorage,
  ids: readonly string[],
  onStorageError: (error: StorageError) => void,
): Promise<void> {
  const keys = ids.flatMap((id) => keysOf(id, BANNER));
  if (keys.length > 0) await removeFiles(storage, keys, onStorageError);
}

/** Finds a file of an uploaded picture; null when there is none. @throws {StorageError} */
export const findMediaFile = (storage: ObjectStorage, key: string): Promise<Buffer | null> =>
  storage.find(MEDIA_BUCKET, key);
