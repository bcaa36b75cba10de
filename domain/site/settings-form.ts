// The settings form for admins: validates, saves unless another admin saved first, and audits.
import { inArray, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { siteSettings } from "#db/schema/index.ts";
import type { Saved } from "../edit-conflicts.ts";
import { type Actor, changesBetween, recordAudit } from "./audit.ts";
import { lockSettings, readSiteSettings, type SiteSettings, siteSettingsShape, storeSettings } from "./settings.ts";

// Pictures have a page of their own.
const { tagline, logo: _logo, slides: _slides, ...plain } = siteSettingsShape.shape;
const { en, de } = tagline.unwrap().shape;

/** The form's fields. */
export const settingsFormShape = z.object({ ...plain, tagline_en: en, tagline_de: de.unwrap() });

/** The settings in the shape of their form. */
export type SettingsForm = z.infer<typeof settingsFormShape>;

/** One of its fields. */
export type SettingsField = keyof SettingsForm;

type FormSettings = Omit<SiteSettings, "logo" | "slides">;

const FIELDS = Object.keys(settingsFormShape.shape) as SettingsField[];

/** The limits of each field, for the browser's inputs. */
export const SETTINGS_LIMITS = Object.fromEntries(
  Object.entries<z.ZodType>(settingsFormShape.shape).map(([name, field]) => {
    const said = z.globalRegistry.get(field instanceof z.ZodDefault ? field.unwrap() : field);
    return [name, { maxLength: said?.maxLength, min: said?.minimum, max: said?.maximum }];
  }),
) as Record<SettingsField, { maxLength?: number; min?: number; max?: number }>;

function formOf({ tagline, logo: _logo, slides: _slides, ...rest }: SiteSettings): SettingsForm {
  return { ...rest, tagline_en: tagline.en, tagline_de: tagline.de ?? "" };
}

/** Converts fields to settings; the tagline's two fields are one setting and are always sent together. */
function settingsOf({ tagline_en: en, tagline_de: de, ...rest }: Partial<SettingsForm>): Partial<FormSettings> {
  return en === undefined ? rest : { ...rest, tagline: de ? { en, de } : { en } };
}

const pick = <Field extends SettingsField>(form: SettingsForm, names: readonly Field[]): Pick<SettingsForm, Field> =>
  Object.fromEntries(names.map((name) => [name, form[name]])) as Pick<SettingsForm, Field>;

/** Only of these fields: a concurrent change of anything else, such as a picture, is no conflict. */
async function readRevision(db: Db, names: readonly SettingsField[]): Promise<string> {
  const keys = names.map((name) => (name.startsWith("tagline_") ? "tagline" : name));
  const [row] = await db
    .select({
      revision: sql<string>`coalesce((extract(epoch from max(${siteSettings.updated_at})) * 1000000)::bigint, 0)::text`,
    })
    .from(siteSettings)
    .where(inArray(siteSettings.setting_key, keys));
  return row?.revision ?? "0";
}

/** Reads all or some settings for editing, and their revision for the save. */
export async function findSettingsToEdit<Field extends SettingsField = SettingsField>(
  db: Db,
  names: readonly Field[] = FIELDS as Field[],
): Promise<{ form: Pick<SettingsForm, Field>; revision: string }> {
  // Read the revision first: a change in between then causes a conflict, not a loss.
  const revision = await readRevision(db, names);
  return { form: pick(formOf(await readSiteSettings(db)), names), revision };
}

/**
 * Saves the form, or a part of it, unless another admin saved any of its fields since `revision`. The commit notifies every web
 * process.
 */
export async function updateSiteSettings<Part extends Partial<SettingsForm>>(
  db: Db,
  actor: Actor,
  revision: string,
  form: Part,
): Promise<Saved<Part>> {
  const names = Object.keys(form) as SettingsField[];
  return db.transaction(async (tx) => {
    await lockSettings(tx);
    const before = await readSiteSettings(tx);
    const theirs = pick(formOf(before), names) as Part;
    const details = changesBetween(theirs, form);
    const now = await readRevision(tx, names);
    if (!details) return { ok: true, revision: now };
    if (now !== revision) return { ok: false, reason: "conflict", revision: now, theirs };
    const after = settingsOf(form);
    const changed = (Object.keys(after) as (keyof FormSettings)[]).filter(
      (key) => JSON.stringify(after[key]) !== JSON.stringify(before[key]),
    );
    await storeSettings(
      tx,
      changed.map((key) => ({ setting_key: key, setting_value: after[key] })),
    );
    await recordAudit(tx, {
      what: "settings-changed",
      actor_id: actor.user_id,
      origin: actor.origin,
      subject: { type: "settings", id: "" },
      details,
    });
    return { ok: true, revision: await readRevision(tx, names) };
  });
}
