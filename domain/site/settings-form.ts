// The settings as admins edit them: one form, checked, saved unless somebody else did, and written down.
import { notInArray, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { siteSettings } from "#db/schema/index.ts";
import { newRevision, type Saved } from "../edit-conflicts.ts";
import { type Actor, changesBetween, recordAudit } from "./audit.ts";
import { readSiteSettings, type SiteSettings, siteSettingsShape } from "./settings.ts";

// Pictures have a page of their own.
const { tagline, logo: _logo, slides: _slides, ...plain } = siteSettingsShape.shape;
const { en, de } = tagline.unwrap().shape;

/** The form's fields. */
export const settingsFormShape = z.object({ ...plain, tagline_en: en, tagline_de: de.unwrap() });

/** The settings in the shape of their form. */
export type SettingsForm = z.infer<typeof settingsFormShape>;

type FormSettings = Omit<SiteSettings, "logo" | "slides">;

/** How much each field takes, as a browser's input is told. */
export const SETTINGS_LIMITS = Object.fromEntries(
  Object.entries<z.ZodType>(settingsFormShape.shape).map(([name, field]) => {
    const said = z.globalRegistry.get(field instanceof z.ZodDefault ? field.unwrap() : field);
    return [name, { maxLength: said?.maxLength, min: said?.minimum, max: said?.maximum }];
  }),
) as Record<keyof SettingsForm, { maxLength?: number; min?: number; max?: number }>;

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
