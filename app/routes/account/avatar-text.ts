// Texts for refused pictures and names.
import type { NameRefusal } from "#domain/members/profiles.ts";
import type { AvatarOutcome } from "#web/accounts/avatar-actions.ts";
import { m } from "../../paraglide/messages.js";

type AvatarRefusal = Extract<AvatarOutcome, { ok: false }>["reason"];

const AVATAR: Record<AvatarRefusal, () => string> = {
  empty: m.account_avatar_empty,
  "too-heavy": m.account_avatar_too_heavy,
  "no-image": m.picture_no_image,
  "too-many-pixels": m.picture_too_many_pixels,
  moving: m.picture_moving,
  polyglot: m.picture_polyglot,
  broken: m.picture_broken,
  "too-slow": m.account_avatar_too_slow,
  slow: m.picture_slow,
  arriving: m.picture_arriving,
  busy: m.account_avatar_busy,
  storage: m.account_avatar_storage,
  limit: m.account_profile_limit,
};

const NAME: Record<NameRefusal | "limit", () => string> = {
  short: m.account_profile_name_short,
  long: m.account_profile_name_long,
  characters: m.account_profile_name_characters,
  reserved: m.account_profile_name_reserved,
  taken: m.account_profile_name_taken,
  limit: m.account_profile_limit,
};

export const avatarText = (reason: AvatarRefusal): string => AVATAR[reason]();
export const nameText = (reason: NameRefusal | "limit"): string => NAME[reason]();
