// Changes members' own avatars, by forms and by programs: checks limits, then acts.

import type { Member } from "#domain/accounts/sessions.ts";
import { type AvatarRefusal, removeAvatar, saveAvatar } from "#domain/members/avatars.ts";
import type { StorageError } from "#outside/object-storage.ts";
import type { RefusalStatus } from "#shared/form-answer.ts";
import type { AppParts } from "../context.ts";
import { FILE_FORM_STATUS, type FileFormRefusal } from "../forms/file-form.ts";
import { ofAccount } from "../request/rate-limits.ts";
import type { Visit } from "../request/visit.ts";

export type AvatarOutcome =
  | { ok: true; avatar_url: string | null }
  | { ok: false; status: RefusalStatus; reason: AvatarRefusal | FileFormRefusal }
  | { ok: false; status: 429; reason: "limit"; wait_s: number };

/** Saves the file of a form's field `avatar`. */
export async function uploadAvatar(
  app: AppParts,
  visit: Visit,
  member: Pick<Member, "user_id">,
  form: FormData | FileFormRefusal,
): Promise<AvatarOutcome> {
  if (typeof form === "string") return { ok: false, status: FILE_FORM_STATUS[form], reason: form };
  const wait = await app.limits.consume([ofAccount("avatar", member.user_id, { tries: 30, seconds: 3600 })]);
  if (wait !== null) return { ok: false, status: 429, reason: "limit", wait_s: wait };
  const file = form.get("avatar");
  if (!(file instanceof File)) return refused("empty");
  const bytes = Buffer.from(await file.arrayBuffer());
  const saved = await saveAvatar(app, { user_id: member.user_id, origin: visit }, bytes, tell(app));
  if (!saved.ok) return refused(saved.reason);
  return { ok: true, avatar_url: saved.avatar_url };
}

/** Removes the avatar. */
export async function dropAvatar(app: AppParts, visit: Visit, member: Pick<Member, "user_id">): Promise<AvatarOutcome> {
  const removed = await removeAvatar(app, { user_id: member.user_id, origin: visit }, tell(app));
  if (!removed.ok) return refused(removed.reason);
  return { ok: true, avatar_url: null };
}

const refused = (reason: AvatarRefusal): AvatarOutcome => ({
  ok: false,
  status: reason === "too-heavy" ? 413 : reason === "storage" || reason === "busy" ? 503 : 422,
  reason,
});

const tell = (app: AppParts) => (error: StorageError) =>
  app.log.error({ err: error }, "the store of avatars failed; the old avatar stays");
