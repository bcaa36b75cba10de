// Profiles: what a member shows to others, and their appearance settings.
import { eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { profiles } from "#db/schema/index.ts";
import { isRefusedBy } from "../accounts/users.ts";
import { may } from "../permissions.ts";
import { type Actor, recordAudit } from "../site/audit.ts";
import { readSiteSettings } from "../site/settings.ts";
import { isReservedName } from "./reserved-names.ts";
import { findRole } from "./roles.ts";

export type Profile = typeof profiles.$inferSelect;

/** A member's profile; null: there is no such user. */
export async function findProfile(db: Db, userId: string): Promise<Profile | null> {
  const [found] = await db.select().from(profiles).where(eq(profiles.user_id, userId));
  return found ?? null;
}

const NAME_MIN = 2;
const NAME_MAX = 32;

/** `reserved`: only staff may use it. */
export type NameRefusal = "short" | "long" | "characters" | "reserved" | "taken";

/**
 * Characters that no name may contain: control and format characters (bidi and zero-width included), separators other than the
 * plain space, private and unassigned ones, variation selectors, invisible letters, and stacked marks.
 */
const NOT_IN_NAMES = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}|\p{M}{3}/u;

/** Normalises a name for storage (NFC, trimmed), or says why it is refused. */
export function readName(given: string): { ok: true; name: string } | { ok: false; reason: NameRefusal } {
  if (given.length > 1_000) return { ok: false, reason: "long" };
  const name = given.normalize("NFC").trim();
  if (NOT_IN_NAMES.test(name) || / {2}/.test(name)) return { ok: false, reason: "characters" };
  const length = [...name].length;
  if (length < NAME_MIN) return { ok: false, reason: "short" };
  if (length > NAME_MAX) return { ok: false, reason: "long" };
  return /[\p{L}\p{N}]/u.test(name) ? { ok: true, name } : { ok: false, reason: "characters" };
}

/**
 * Renames a member and writes the audit row in one transaction. The name must be unique regardless of case. Staff-like names are
 * for staff only; a member who has one already keeps it.
 */
export async function updateName(
  db: Db,
  actor: Actor,
  given: string,
): Promise<{ ok: true; name: string } | { ok: false; reason: NameRefusal }> {
  const changed = await updateProfile(db, actor, { user_nick_name: given });
  return changed.ok ? { ok: true, name: changed.profile.user_nick_name } : changed;
}

/** Changes the given fields of a member's profile and writes one audit row in one transaction. */
export async function updateProfile(
  db: Db,
  actor: Actor,
  given: Partial<Pick<Profile, "user_nick_name" | "locale">>,
): Promise<{ ok: true; profile: Profile } | { ok: false; reason: NameRefusal }> {
  const set: Partial<Profile> = given.locale === undefined ? {} : { locale: given.locale };
  if (given.user_nick_name !== undefined) {
    const read = readName(given.user_nick_name);
    if (!read.ok) return read;
    if (await isReservedFor(db, actor.user_id, read.name)) return { ok: false, reason: "reserved" };
    set.user_nick_name = read.name;
  }
  try {
    const profile = await db.transaction(async (tx) => {
      const [row] = await tx
        .update(profiles)
        .set({ ...set, updated_at: sql`now()` })
        .where(eq(profiles.user_id, actor.user_id))
        .returning();
      if (!row) throw new Error("the profile that is changed does not exist");
      await recordAudit(tx, { what: "profile-changed", actor_id: actor.user_id, origin: actor.origin });
      return row;
    });
    return { ok: true, profile };
  } catch (error) {
    // Checking first would lose the race.
    if (isRefusedBy(error, "profiles_nick_name")) return { ok: false, reason: "taken" };
    throw error;
  }
}

/** True if the name is reserved for staff, and neither the member's already nor allowed to their role. */
async function isReservedFor(db: Db, userId: string, name: string): Promise<boolean> {
  const [before, role, { site_name }] = await Promise.all([
    findProfile(db, userId),
    findRole(db, userId),
    readSiteSettings(db),
  ]);
  return before?.user_nick_name !== name && !may(role, "admin:read") && isReservedName(name, site_name);
}

/** Saves a member's appearance settings. */
export async function updateAppearance(
  db: Db,
  userId: string,
  given: Pick<Profile, "locale" | "theme">,
): Promise<void> {
  await db
    .update(profiles)
    .set({ locale: given.locale, theme: given.theme, updated_at: sql`now()` })
    .where(eq(profiles.user_id, userId));
}
