// Lists every uploaded picture with where it is used; unused ones can be removed.
import { isNotNull } from "drizzle-orm";
import { findLandscapeById } from "#content/landscapes/landscapes.ts";
import type { Db } from "#db/client.ts";
import { games } from "#db/schema/index.ts";
import type { ObjectStorage, StoredFile } from "#outside/object-storage.ts";
import { type ListPage, type ListQuery, readPage } from "../paging.ts";
import { type Actor, recordAudit } from "../site/audit.ts";
import { readSiteSettings } from "../site/settings.ts";
import { MEDIA_BUCKET, readMediaName } from "./files.ts";
import { PICTURE_PLACES, type PicturePlace, pictureIdsAt } from "./site-pictures.ts";

/** A use of a picture: a game, or a place of the brand. */
type MediaUse = { type: "game"; game_id: number; name: string } | { type: "site"; place: PicturePlace };

/** `size`: of all its files, in bytes. `removable`: unused, and not just being placed. */
export type Media = {
  media_id: string;
  files: StoredFile[];
  size: number;
  changed_at: Date;
  used_by: MediaUse[];
  removable: boolean;
};

type Parts = { db: Db; storage: ObjectStorage };

/** Files exist for a moment before anything uses them. */
const SETTLED_MS = 3_600_000;

/** Lists all pictures, newest first. @throws {StorageError} */
export async function findMedia({ db, storage }: Parts): Promise<Media[]> {
  const files = new Map<string, StoredFile[]>();
  for await (const page of storage.list(MEDIA_BUCKET)) {
    for (const file of page) {
      const id = readMediaName(file.key)?.id;
      // Landscape files can be made again from their masters.
      if (id && !findLandscapeById(id)) files.set(id, [...(files.get(id) ?? []), file]);
    }
  }
  // After the files: a picture removed meanwhile would otherwise look used.
  const uses = await findUses(db);
  return [...files]
    .map(([media_id, own]) => {
      const changed_at = new Date(Math.max(...own.map((file) => file.changed_at.getTime())));
      const used_by = uses.get(media_id) ?? [];
      const removable = used_by.length === 0 && Date.now() - changed_at.getTime() > SETTLED_MS;
      return {
        media_id,
        files: own,
        size: own.reduce((sum, { size }) => sum + size, 0),
        changed_at,
        used_by,
        removable,
      };
    })
    .sort(
      (one, other) => other.changed_at.getTime() - one.changed_at.getTime() || (one.media_id < other.media_id ? -1 : 1),
    );
}

/** Sort keys of the list. */
export const MEDIA_SORTS = ["changed_at", "size"] as const;
type MediaSort = (typeof MEDIA_SORTS)[number];

/**
 * Lists one page of pictures by id, game or place. `unused`: only those without a use; `placeText`: the reader's name of a place.
 * @throws {StorageError}
 */
export async function listMedia(
  parts: Parts,
  query: ListQuery<MediaSort>,
  { unused, placeText }: { unused: boolean; placeText: (place: PicturePlace) => string },
): Promise<ListPage<Media, MediaSort>> {
  const q = query.q.toLowerCase();
  const namesOf = ({ media_id, used_by }: Media) => [
    media_id,
    ...used_by.flatMap((use) => (use.type === "game" ? [use.name] : [use.place, placeText(use.place)])),
  ];
  const found = (await findMedia(parts))
    .filter(({ used_by }) => !unused || used_by.length === 0)
    .filter((each) => namesOf(each).some((name) => name.toLowerCase().includes(q)))
    .sort((one, other) => (Number(one[query.sort]) - Number(other[query.sort])) * (query.descending ? -1 : 1));
  return readPage(
    query,
    async (most) => Math.min(found.length, most),
    async (limit, offset) => found.slice(offset, offset + limit),
  );
}

async function findUses(db: Db): Promise<Map<string, MediaUse[]>> {
  const uses = new Map<string, MediaUse[]>();
  const add = (id: string, use: MediaUse) => uses.set(id, [...(uses.get(id) ?? []), use]);
  const rows = await db
    .select({ game_id: games.game_id, name: games.game_name, banner: games.banner })
    .from(games)
    .where(isNotNull(games.banner));
  for (const { game_id, name, banner } of rows) if (banner) add(banner.id, { type: "game", game_id, name });
  const settings = await readSiteSettings(db);
  for (const place of PICTURE_PLACES) for (const id of pictureIdsAt(settings, place)) add(id, { type: "site", place });
  return uses;
}

/** Removes a picture. `used`: something uses it, or may be about to. @throws {StorageError} */
export async function removeMedia(
  parts: Parts,
  actor: Actor,
  mediaId: string,
): Promise<{ ok: true; removed: Media } | { ok: false; reason: "gone" | "used" }> {
  const found = (await findMedia(parts)).find(({ media_id }) => media_id === mediaId);
  if (!found) return { ok: false, reason: "gone" };
  if (!found.removable) return { ok: false, reason: "used" };
  await removeFoundMedia(parts, actor, found);
  return { ok: true, removed: found };
}

/** Removes a picture that `findMedia` marked as `removable`. @throws {StorageError} */
export async function removeFoundMedia(parts: Parts, actor: Actor, { media_id, files, size }: Media): Promise<void> {
  // Write the audit row first: without it nothing is removed. No use can appear meanwhile: a picture gets its id at upload, and is
  // used then or never.
  await parts.db.transaction(async (tx) => {
    await recordAudit(tx, {
      what: "media-removed",
      actor_id: actor.user_id,
      origin: actor.origin,
      subject: { type: "media", id: media_id },
      details: { before: { files: files.length, size } },
    });
    for (const { key } of files) await parts.storage.remove(MEDIA_BUCKET, key);
  });
}
