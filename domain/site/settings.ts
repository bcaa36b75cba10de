// The site's settings, each described once: the operator's own brand, who they are, who may come, and limits.

import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { siteSettings } from "#db/schema/index.ts";
import { isMailAddress } from "#outside/mail.ts";
import { fieldError } from "#shared/field-error-codes.ts";
import { newRevision } from "../edit-conflicts.ts";
import { filledLine, filledNumber, line, lines } from "../form-text.ts";

/** open: anybody. invitation: with a code of an admin. closed: nobody. */
export const REGISTRATIONS = ["open", "invitation", "closed"] as const;

const id = z.string().regex(/^[0-9a-f]{32}$/);
const size = z.number().int().positive();
const uploadedPicture = z.object({
  id,
  width: size,
  height: size,
  widths: z.array(size).min(1),
  placeholder: z.string().startsWith("data:image/webp;base64,"),
});

/** A number; the form sends it as a text. */
const someNumber = (minimum: number, maximum: number) =>
  z
    .preprocess((value) => (typeof value === "number" ? String(value) : value), filledNumber(minimum, maximum))
    .meta({ minimum, maximum });

const isHttps = (text: string): boolean => URL.canParse(text) && z.url({ protocol: /^https$/ }).safeParse(text).success;

/**
 * Every setting: what may be stored, what an admin may write into the form, and what stands until they do.
 * Errors: `missing`, `too_long`, `number`, `no_https`, `no_email`, `no_choice`.
 */
export const siteSettingsShape = z.object({
  site_name: filledLine(80).default("Spawnpoint"),
  tagline: z.object({ en: line(200), de: line(200).optional() }).default({
    en: "Find a server that is up. Be in the game in 30 seconds.",
    de: "Finde einen Gameserver, der läuft. In 30 Sekunden bist du im Spiel.",
  }),
  /** The first year of the copyright line. A start writes it down; until then it is the present year. */
  since_year: someNumber(1970, 2100).default(() => new Date().getFullYear()),
  /** Takes the place of the drawn mark; domain/media/site-pictures.ts says where its file is. */
  logo: z.object({ id, width: size, height: size }).nullable().default(null),
  /** Each takes the place of a picture that the site ships with. */
  slides: z
    .array(z.object({ landscape: uploadedPicture, portrait: uploadedPicture }).nullable())
    .length(3)
    .default([null, null, null]),
  /** The community's invite link; empty, as it is until the operator has one, hides the Discord item. */
  discord_url: line(300)
    .refine((value) => value === "" || isHttps(value), fieldError("no_https"))
    .default(""),
  /** Where messages of the contact form go, and what the legal pages name; empty: messages are only stored. */
  contact_email: line(254)
    .refine(
      (value) => value === "" || (z.email().safeParse(value).success && isMailAddress(value)),
      fieldError("no_email"),
    )
    .default(""),
  /** Days between a member's wish to be deleted and the erasure, within which they can change their mind. */
  erase_grace_days: someNumber(1, 90).default(14),
  registration: z.enum(REGISTRATIONS, fieldError("no_choice")).default("open"),
  /** How many accounts may be asked for from one network address within an hour. */
  sign_ups_per_hour: someNumber(1, 1000).default(10),
  /** How many messages may be sent from one network address within an hour. */
  contacts_per_hour: someNumber(1, 100).default(5),
  // Who runs the site, for imprint, privacy policy and terms. Empty ones are left out of the texts and shown to admins.
  operator_name: line(120).default(""),
  /** Street, postal code and town, a line each. */
  operator_address: lines(400).default(""),
  operator_country: line(80).default(""),
  /** Who speaks for a company. */
  operator_representative: line(120).default(""),
  /** Register and number of a company. */
  operator_register: line(160).default(""),
  operator_vat_id: line(40).default(""),
  /** The European court of arbitration that the terms name. */
  court: line(160).default(""),
  /** The most that the operator is liable for, as people write it: "100 €". */
  liability_sum: line(40).default(""),
});

/** The site's settings with every default filled in; keys are those of table site_settings. */
export type SiteSettings = z.infer<typeof siteSettingsShape>;

/** Whether it is the one that stands until an operator writes their own. */
export const isDefaultTagline = (tagline: SiteSettings["tagline"]): boolean =>
  tagline.en === siteSettingsShape.shape.tagline.parse(undefined).en;

/** Keeps settings from being changed by anybody else until the caller's transaction ends. */
export const lockSettings = (tx: Db) => tx.execute(sql`lock table site_settings in share row exclusive mode`);

/** Writes rows of settings in the caller's transaction, by `lockSettings` alone at it. At least one. */
export async function storeSettings(tx: Db, rows: { setting_key: string; setting_value: unknown }[]): Promise<void> {
  await tx
    .insert(siteSettings)
    .values(rows.map((row) => ({ ...row, updated_at: newRevision })))
    .onConflictDoUpdate({
      target: siteSettings.setting_key,
      set: { setting_value: sql`excluded.setting_value`, updated_at: newRevision },
    });
}

/** The demo's, which began with the site that the specification describes. */
const DEMO_SINCE = 2023;

/** Writes down the year in which a site began, unless one is stored: that of its first account, or else the present one. */
export async function rememberSinceYear(db: Db, isDemo: boolean): Promise<void> {
  const year = isDemo
    ? sql`${DEMO_SINCE}::int`
    : sql`extract(year from coalesce((select min(created_at) from users), now()))::int`;
  await db.execute(sql`
    insert into site_settings (setting_key, setting_value) values ('since_year', to_jsonb(${year}))
    on conflict (setting_key) do nothing`);
}

/** All settings. A stored value that no longer fits its shape gives way to the default: the site must come up. */
export async function readSiteSettings(db: Db): Promise<SiteSettings> {
  const rows = await db.select().from(siteSettings);
  const stored = Object.fromEntries(
    rows
      .filter((row) => {
        const field = siteSettingsShape.shape[row.setting_key as keyof SiteSettings];
        return field?.safeParse(row.setting_value).success;
      })
      .map((row) => [row.setting_key, row.setting_value]),
  );
  return siteSettingsShape.parse(stored);
}
