// A member's notification preferences: mails on or off, quiet hours, daily digest.
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { DIGESTS, notificationPreferences } from "#db/schema/index.ts";
import { fieldError } from "#shared/field-error-codes.ts";
import { isTimeZone } from "../plans/occurrences.ts";

const minuteOfDay = z.int(fieldError("no_moment")).min(0, fieldError("no_moment")).max(1439, fieldError("no_moment"));

/** Validates preferences. Quiet hours have two ends or none; minutes of the day in `time_zone`. */
export const preferencesShape = z
  .strictObject({
    mail_on: z.boolean(),
    quiet_from: minuteOfDay.nullable(),
    quiet_to: minuteOfDay.nullable(),
    time_zone: z.string().max(60).refine(isTimeZone, fieldError("no_choice")),
    digest: z.enum(DIGESTS, fieldError("no_choice")),
  })
  .refine(
    ({ quiet_from, quiet_to }) =>
      (quiet_from === null) === (quiet_to === null) && (quiet_from === null || quiet_from !== quiet_to),
    {
      error: fieldError("no_moment"),
      path: ["quiet_to"],
    },
  );

export type Preferences = z.infer<typeof preferencesShape>;

const NONE_SAVED: Preferences = { mail_on: true, quiet_from: null, quiet_to: null, time_zone: "UTC", digest: "none" };

/** True if the database, which computes with it, knows the zone too; its zone data may be of another year. */
export async function databaseKnowsZone(db: Db, name: string): Promise<boolean> {
  const { rows } = await db.execute(sql`select from pg_timezone_names where lower(name) = lower(${name})`);
  return rows.length > 0;
}

/** Reads a member's preferences; defaults where none are saved. */
export async function findPreferences(db: Db, userId: string): Promise<Preferences> {
  const { user_id, digest_of, ...saved } = notificationPreferences;
  const [row] = await db
    .select({
      mail_on: saved.mail_on,
      quiet_from: saved.quiet_from,
      quiet_to: saved.quiet_to,
      time_zone: saved.time_zone,
      digest: saved.digest,
    })
    .from(notificationPreferences)
    .where(eq(notificationPreferences.user_id, userId));
  return row ?? NONE_SAVED;
}

/** Saves a member's preferences. Mails already waiting for a digest go out with the next one all the same. */
export async function savePreferences(db: Db, userId: string, wanted: Preferences): Promise<void> {
  const values = preferencesShape.parse(wanted);
  await db
    .insert(notificationPreferences)
    .values({ user_id: userId, ...values })
    .onConflictDoUpdate({ target: notificationPreferences.user_id, set: values });
}
