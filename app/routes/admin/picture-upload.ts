// What every upload of a picture by an admin shares: how many an hour, the bytes of the form, and the words for a refusal.
import type { SitePictureRefusal } from "#domain/media/site-pictures.ts";
import { FILE_FORM_STATUS, type FileFormRefusal } from "#web/request/file-form.ts";
import { m } from "../../paraglide/messages.js";

export const PICTURES_PER_ADMIN = { tries: 60, seconds: 3600 };

export type PictureRefusal = SitePictureRefusal | FileFormRefusal | "limit";

const WORDS: Record<PictureRefusal, () => string> = {
  empty: m.admin_picture_empty,
  "too-heavy": m.admin_picture_too_heavy,
  "no-image": m.admin_picture_no_image,
  "too-many-pixels": m.admin_picture_too_many_pixels,
  "too-small": m.admin_picture_too_small,
  moving: m.admin_picture_moving,
  polyglot: m.admin_picture_polyglot,
  broken: m.admin_picture_broken,
  "too-slow": m.admin_picture_busy,
  busy: m.admin_picture_busy,
  limit: m.admin_picture_busy,
  slow: m.admin_picture_slow,
  arriving: m.admin_picture_arriving,
  storage: m.admin_picture_storage,
};

const STATUS: { [reason in PictureRefusal]?: number } = { ...FILE_FORM_STATUS, storage: 503, limit: 429 };

/** The words for a refusal, and what its answer is sent with; `wait_s`: for how long, where that is known. */
export function refusePicture(reason: PictureRefusal, wait_s = 60): { problem: string; init: ResponseInit } {
  const status = STATUS[reason] ?? 422;
  return {
    problem: WORDS[reason](),
    init: { status, ...(status >= 429 ? { headers: { "Retry-After": String(wait_s) } } : {}) },
  };
}

/** The picture that a form carries, empty where none was chosen; null: the one that is there is to go. */
export async function uploadedBytes(form: FormData): Promise<Buffer | null> {
  if (form.get("intent") === "remove") return null;
  const file = form.get("picture");
  return Buffer.from(file instanceof File ? await file.arrayBuffer() : new ArrayBuffer());
}
