// Avatars: turns any picture into a small square WebP without metadata, stored in the bucket `avatars` under the user id.
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { profiles, users } from "#db/schema/index.ts";
import { type ObjectStorage, StorageError } from "#outside/object-storage.ts";
import { decodeImage, IMAGE_MAX_BYTES, type ImageRefusal } from "../media/image-decoder.ts";
import { type Actor, recordAudit } from "../site/audit.ts";

export const AVATAR_MAX_BYTES = IMAGE_MAX_BYTES;
/** A picture wider or taller than KEPT_PX is scaled to SCALED_PX. */
const KEPT_PX = 512;
const SCALED_PX = 500;
const QUALITY = 70;
const LIMIT_S = 5;
export const AVATAR_BUCKET = "avatars";
export const AVATAR_CACHE = "public, max-age=3600";

/** Why a file was refused; the page turns it into a message. */
export type AvatarRefusal = ImageRefusal | "storage";

export type MadeAvatar = { ok: true; webp: Buffer; side: number } | { ok: false; reason: ImageRefusal };

/**
 * Creates the avatar from a file: its middle square, at most 512 px, as WebP, within the limits of domain/media/image-decoder.ts.
 */
export function makeAvatar(bytes: Buffer): Promise<MadeAvatar> {
  return decodeImage(bytes, async (open, { width, height }) => {
    const shorter = Math.min(width, height);
    const side = shorter > KEPT_PX ? SCALED_PX : shorter;
    const webp = await open()
      .autoOrient()
      .resize(side, side, { fit: "cover", position: "centre" })
      .webp({ quality: QUALITY })
      .timeout({ seconds: LIMIT_S })
      .toBuffer();
    return { ok: true, webp, side };
  });
}

type Parts = { db: Db; storage: ObjectStorage };

const keyOf = (userId: string) => `${userId}.webp`;

/**
 * Sets the acting member's avatar; writes the change and its audit row in one transaction. The old file stays until the new one
 * is stored.
 * @returns the public address with the time of the change, so that browsers don't show the old file from their cache.
 * @throws database errors; a storage error becomes the refusal `storage` and goes to `onStorageError` for the log.
 */
export async function saveAvatar(
  parts: Parts,
  actor: Actor,
  bytes: Buffer,
  onStorageError: (error: StorageError) => void,
): Promise<{ ok: true; avatar_url: string } | { ok: false; reason: AvatarRefusal }> {
  const made = await makeAvatar(bytes);
  if (!made.ok) return made;
  const key = keyOf(actor.user_id);
  try {
    await parts.storage.put(AVATAR_BUCKET, key, made.webp, { type: "image/webp", cacheControl: AVATAR_CACHE });
  } catch (error) {
    return storageRefusal(error, onStorageError);
  }
  const avatar_url = `/avatars/${key}?t=${Date.now()}`;
  // The account was erased in the meantime: remove the file again.
  if (!(await setAvatar(parts.db, actor, avatar_url))) await parts.storage.remove(AVATAR_BUCKET, key);
  return { ok: true, avatar_url };
}

/** Removes the acting member's avatar. If the storage fails, the avatar stays and the outcome says so. */
export async function removeAvatar(
  parts: Parts,
  actor: Actor,
  onStorageError: (error: StorageError) => void,
): Promise<{ ok: true } | { ok: false; reason: "storage" }> {
  try {
    await removeAvatarFile(parts.storage, actor.user_id);
  } catch (error) {
    return storageRefusal(error, onStorageError);
  }
  await setAvatar(parts.db, actor, null);
  return { ok: true };
}

/** Writes the avatar's address and its audit row in one transaction. False: the profile no longer exists. */
function setAvatar(db: Db, actor: Actor, avatar_url: string | null): Promise<boolean> {
  return db.transaction(async (tx) => {
    const changed = await tx
      .update(profiles)
      .set({ avatar_url, updated_at: sql`now()` })
      .where(eq(profiles.user_id, actor.user_id))
      .returning({ user_id: profiles.user_id });
    if (changed.length === 0) return false;
    const what = avatar_url === null ? "avatar-removed" : "avatar-changed";
    await recordAudit(tx, { what, actor_id: actor.user_id, origin: actor.origin });
    return true;
  });
}

function storageRefusal(error: unknown, tell: (error: StorageError) => void): { ok: false; reason: "storage" } {
  if (!(error instanceof StorageError)) throw error;
  tell(error);
  return { ok: false, reason: "storage" };
}

/** @throws {StorageError} */
export const removeAvatarFile = (storage: ObjectStorage, userId: string): Promise<void> =>
  storage.remove(AVATAR_BUCKET, keyOf(userId));

/** Reads the stored file without checking access. @throws {StorageError} */
export const findAvatarFile = (storage: ObjectStorage, userId: string): Promise<Buffer | null> =>
  storage.find(AVATAR_BUCKET, keyOf(userId));

/** Reads the public avatar; null if there is none, it was removed, or the account is closed. @throws {StorageError} */
export async function findPublicAvatar(parts: Parts, userId: string): Promise<Buffer | null> {
  const [shown] = await parts.db
    .select({ user_id: profiles.user_id })
    .from(profiles)
    .innerJoin(users, eq(users.id, profiles.user_id))
    .where(and(eq(profiles.user_id, userId), isNotNull(profiles.avatar_url), isNull(users.deactivated_at)));
  return shown ? findAvatarFile(parts.storage, userId) : null;
}
