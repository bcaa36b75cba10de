// Shared parts of picture uploads by admins: hourly limit, bytes of the form, and refusals.
import type { BannerRefusal } from "#domain/media/media.ts";
import { type AppParts, appContext } from "#web/context.ts";
import { FILE_FORM_STATUS, type FileFormRefusal, readFileForm } from "#web/forms/file-form.ts";
import { type Asked, type Permitted, type Refusals, refuse } from "#web/forms/handle-form.ts";
import { ofAccount } from "#web/request/rate-limits.ts";
import { m } from "../../paraglide/messages.js";

const PER_ADMIN = { tries: 60, seconds: 3600 };

type PictureRefusal = BannerRefusal | FileFormRefusal | "limit" | "unknown";

const REFUSALS: Refusals<PictureRefusal> = {
  empty: [422, m.admin_picture_empty],
  "too-heavy": [FILE_FORM_STATUS["too-heavy"], m.admin_picture_too_heavy],
  "no-image": [422, m.picture_no_image],
  "too-many-pixels": [422, m.picture_too_many_pixels],
  "too-small": [422, m.admin_picture_too_small],
  moving: [422, m.picture_moving],
  polyglot: [422, m.picture_polyglot],
  broken: [FILE_FORM_STATUS.broken, m.picture_broken],
  "too-slow": [422, m.admin_picture_busy],
  busy: [FILE_FORM_STATUS.busy, m.admin_picture_busy],
  limit: [429, m.admin_picture_busy],
  slow: [FILE_FORM_STATUS.slow, m.picture_slow],
  arriving: [FILE_FORM_STATUS.arriving, m.picture_arriving],
  gone: [410, m.admin_game_gone],
  unknown: [422, m.admin_picture_unknown],
  storage: [503, m.admin_picture_storage],
};

/** `wait_s`: seconds to wait, if known. */
export const refusePicture = (reason: PictureRefusal, wait_s = 60) => {
  const [status, text] = REFUSALS[reason];
  return refuse(status, text(), status >= 429 ? { "Retry-After": String(wait_s) } : {});
};

/** For `receive`: reads a form with a picture, within the admin's limit. */
export const receivePicture =
  ({ context, request }: Asked, budget: string) =>
  async ({ member }: Permitted) => {
    const app = context.get(appContext);
    const form = await readFileForm(app, member, request);
    if (typeof form === "string") return refusePicture(form);
    const wait = await consumePicture(app, member, budget);
    return wait === null ? form : refusePicture("limit", wait);
  };

/** Counts an admin's upload. Null: allowed; otherwise the seconds to wait. */
export const consumePicture = (
  { limits }: Pick<AppParts, "limits">,
  { user_id }: Pick<Permitted["member"], "user_id">,
  budget: string,
): Promise<number | null> => limits.consume([ofAccount(budget, user_id, PER_ADMIN)]);

/** Returns the uploaded picture, empty if none was chosen; null: remove the current one. */
export async function uploadedBytes(form: FormData): Promise<Buffer | null> {
  if (form.get("intent") === "remove") return null;
  const file = form.get("picture");
  return Buffer.from(file instanceof File ? await file.arrayBuffer() : new ArrayBuffer());
}
