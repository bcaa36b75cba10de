// What a member shows to others, and how they like the site.
import { eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { profiles } from "#db/schema/index.ts";
import { may } from "../permissions.ts";
import { readSiteSettings } from "../site/settings.ts";
import { isReservedName } from "./reserved-names.ts";
import { findRole } from "./roles.ts";
import { isRefusedBy } from "./users.ts";

export type Profile = typeof profiles.$inferSelect;

/** A member's profile; null: there is no such user. */
export async function findProfile(db: Db, userId: string): Promise<Profile | null> {
  const [found] = await db.select().from(profiles).where(eq(profiles.user_id, userId));
  return found ?? null;
}

const NAME_MIN = 2;
const NAME_MAX = 32;

/** `reserved`: only those who run the site may bear it. */
export type NameRefusal = "short" | "long" | "characters" | "reserved" | "taken";

/**
 * What no name may hold: control and format characters (bidi and zero-width ones among them), separators other than the
 * plain space, private and unassigned ones, variation selectors, letters that look like nothing, and marks piled up.
 */
const NOT_IN_NAMES = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}|\p{M}{3}/u;

/** A name as it is kept: composed (NFC), without blanks around it; or why it cannot be one. */
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
 * Gives a member another name, which nobody else has in whatever case. One that looks like those of the people who run the
 * site is for them alone; whoever bears it already may keep it.
 */
export async function updateName(
  db: Db,
  userId: string,
  given: string,
): Promise<{ ok: true; name: string } | { ok: false; reason: NameRefusal }> {
  const read = readName(given);
  if (!read.ok) return read;
  const [before, role, { site_name }] = await Promise.all([
    findProfile(db, userId),
    findRole(db, userId),
    readSiteSettings(db),
  ]);
  const keeps = before?.user_nick_name === read.name;
  if (!keeps && !may(role, "admin:read") && isReservedName(read.name, site_name))
    return { ok: false, reason: "reserved" };
  try {
    // In a transaction of its own, so that a taken name does not end the caller's.
    await db.transaction(async (tx) => {
      await tx
        .update(profiles)
        .set({ user_nick_name: read.name, updated_at: new Date() })
        .where(eq(profiles.user_id, userId));
    });
    return read;
  } catch (error) {
    // Asking before would lose the race.
    if (isRefusedBy(error, "profiles_nick_name")) return { ok: false, reason: "taken" };
    throw error;
  }
}

/** How a member likes the site. */
export async function updateAppearance(
  db: Db,
  userId: string,
  given: Pick<Profile, "locale" | "theme">,
): Promise<void> {
  await db
    .update(profiles)
    .set({ locale: given.locale, theme: given.theme, updated_at: new Date() })
    .where(eq(profiles.user_id, userId));
}
