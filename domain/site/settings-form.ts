// The settings as admins edit them: one form, checked, saved unless somebody else did, and written down.
import { notInArray, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { siteSettings } from "#db/schema/index.ts";
import { isMailAddress } from "#outside/mail.ts";
import { fieldError } from "#shared/field-error-codes.ts";
import { newRevision, type Saved } from "../edit-conflicts.ts";
import { filledLine, filledNumber, line, lines } from "../form-text.ts";
import { type Actor, changesBetween, recordAudit } from "./audit.ts";
import { REGISTRATIONS, readSiteSettings, type SiteSettings } from "./settings.ts";

/** The form's fields. Errors: `missing`, `too_long`, `number`, `no_https`, `no_email`, `no_choice`. */
export const settingsFormShape = z.object({
  site_name: filledLine(80),
  tagline_en: line(200),
  tagline_de: line(200),
  discord_url: line(300).refine((value) => value === "" || isHttps(value), fieldError("no_https")),
  contact_email: line(254).refine(
    (value) => value === "" || (z.email().safeParse(value).success && isMailAddress(value)),
    fieldError("no_email"),
  ),
  operator_name: line(120),
  operator_address: lines(400),
  operator_country: line(80),
  operator_representative: line(120),
  operator_register: line(160),
  operator_vat_id: line(40),
  court: line(160),
  liability_sum: line(40),
  registration: z.enum(REGISTRATIONS, fieldError("no_choice")),
  erase_grace_days: filledNumber(1, 90),
  sign_ups_per_hour: filledNumber(1, 1000),
  contacts_per_hour: filledNumber(1, 100),
});

/** The settings in the shape of their form. */
export type SettingsForm = z.infer<typeof settingsFormShape>;

function isHttps(text: string): boolean {
  return (
    URL.canParse(text) && new URL(text).protocol === "https:" && z.url({ protocol: /^https$/ }).safeParse(text).success
  );
}

/** Pictures have a page of their own. */
type FormSettings = Omit<SiteSettings, "logo" | "slides">;

function formOf({ tagline, logo: _logo, slides: _slides, ...rest }: SiteSettings): SettingsForm {
  return { ...rest, tagline_en: tagline.en, tagline_de: tagline.de ?? "" };
}

function settingsOf({ tagline_en, tagline_de, ...rest }: SettingsForm): FormSettings {
  return { ...rest, tagline: tagline_de === "" ? { en: tagline_en } : { en: tagline_en, de: tagline_de } };
}

async function readRevision(db: Db): Promise<string> {
  const [row] = await db
    .select({
      revision: sql<string>`coalesce((extract(epoch from max(${siteSettings.updated_at})) * 1000000)::bigint, 0)::text`,
    })
    .from(siteSettings)
    // A picture that somebody changes meanwhile is no conflict with the form.
    .where(notInArray(siteSettings.setting_key, ["logo", "slides"]));
  return row?.revision ?? "0";
}

/** The settings to edit, and the revision that a save names. */
export async function findSettingsToEdit(db: Db): Promise<{ form: SettingsForm; revision: string }> {
  // The revision first: what changes in between makes the save a conflict, not a loss.
  const revision = await readRevision(db);
  return { form: formOf(await readSiteSettings(db)), revision };
}

/** Saves the form, unless somebody else did since `revision`. Every web process hears of it in the moment of the commit. */
export async function updateSiteSettings(
  db: Db,
  actor: Actor,
  revision: string,
  form: SettingsForm,
): Promise<Saved<SettingsForm>> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table site_settings in share row exclusive mode`);
    const before = await readSiteSettings(tx);
    const theirs = formOf(before);
    const details = changesBetween(theirs, form);
    const now = await readRevision(tx);
    if (!details) return { ok: true, revision: now };
    if (now !== revision) return { ok: false, reason: "conflict", revision: now, theirs };
    const after = settingsOf(form);
    const changed = (Object.keys(after) as (keyof FormSettings)[]).filter(
      (key) => JSON.stringify(after[key]) !== JSON.stringify(before[key]),
    );
    await tx
      .insert(siteSettings)
      .values(changed.map((key) => ({ setting_key: key, setting_value: after[key], updated_at: newRevision })))
      .onConflictDoUpdate({
        target: siteSettings.setting_key,
        set: { setting_value: sql`excluded.setting_value`, updated_at: newRevision },
      });
    await recordAudit(tx, {
      what: "settings-changed",
      actor_id: actor.user_id,
      origin: actor.origin,
      subject: { type: "settings", id: "" },
      details,
    });
    return { ok: true, revision: await readRevision(tx) };
  });
}
