// Defines each of the site's settings once: brand, operator, registration, and limits.

import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { siteSettings } from "#db/schema/index.ts";
import { isMailAddress } from "#outside/mail.ts";
import { fieldError } from "#shared/field-error-codes.ts";
import { newRevision } from "../edit-conflicts.ts";
import { filledLine, filledNumber, line, lines } from "../form-text.ts";

/** open: anyone. invitation: with an admin's code. closed: no one. */
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
 * Every setting: what may be stored, what an admin may enter, and the default. Errors: `missing`, `too_long`, `number`, `no_https`,
 * `no_email`, `no_choice`.
 */
export const siteSettingsShape = z.object({
  site_name: filledLine(80).default("Spawnpoint"),
  tagline: z.object({ en: line(200), de: line(200).optional() }).default({
    en: "Find a server that is up. Be in the game in 30 seconds.",
    de: "Finde einen Gameserver, der läuft. In 30 Sekunden bist du im Spiel.",
  }),
  /** First year of the copyright line. A start stores it; until then it is the current year. */
  since_year: someNumber(1970, 2100).default(() => new Date().getFullYear()),
  /** Replaces the drawn logo; domain/media/site-pictures.ts says where its file is. */
  logo: z.object({ id, width: size, height: size }).nullable().default(null),
  /** Each replaces one of the site's built-in pictures. */
  slides: z
    .array(z.object({ landscape: uploadedPicture, portrait: uploadedPicture }).nullable())
    .length(3)
    .default([null, null, null]),
  /** The community's invite link; empty (the default) hides the Discord item. */
  discord_url: line(300)
    .refine((value) => value === "" || isHttps(value), fieldError("no_https"))
    .default(""),
  /** Receives messages of the contact form, and is named on the legal pages; empty: messages are only stored. */
  contact_email: line(254)
    .refine(
      (value) => value === "" || (z.email().safeParse(value).success && isMailAddress(value)),
      fieldError("no_email"),
    )
    .default(""),
  /** Days between a member's deletion request and the erasure, within which they can change their mind. */
  erase_grace_days: someNumber(1, 90).default(14),
  registration: z.enum(REGISTRATIONS, fieldError("no_choice")).default("open"),
  /** Sign-ups per network address and hour. */
  sign_ups_per_hour: someNumber(1, 1000).default(10),
  /** Contact messages per network address and hour. */
  contacts_per_hour: someNumber(1, 100).default(5),
  // The operator, for imprint, privacy policy and terms. Empty fields are left out of the texts and shown to admins.
  operator_name: line(120).default(""),
  /** Street, postal code and town, one per line. */
  operator_address: lines(400).default(""),
  operator_country: line(80).default(""),
  /** The legal representative of a company. */
  operator_representative: line(120).default(""),
  /** Register and number of a company. */
  operator_register: line(160).default(""),
  operator_vat_id: line(40).default(""),
  /** The European court of arbitration that the terms name. */
  court: line(160).default(""),
  /** The operator's liability limit as text: "100 €". */
  liability_sum: line(40).default(""),
});

/** The site's settings with every default filled in; keys are those of table site_settings. */
export type SiteSettings = z.infer<typeof siteSettingsShape>;

/** True until an operator writes their own tagline. */
export const isDefaultTagline = (tagline: SiteSettings["tagline"]): boolean =>
  tagline.en === siteSettingsShape.shape.tagline.parse(undefined).en;

/** Locks the settings against other writers until the caller's transaction ends. */
export const lockSettings = (tx: Db) => tx.execute(sql`lock table site_settings in share row exclusive mode`);

/** Stores settings in the caller's transaction, under `lockSettings`. At least one row. */
export async function storeSettings(tx: Db, rows: { setting_key: string; setting_value: unknown }[]): Promise<void> {
  await tx
    .insert(siteSettings)
    .values(rows.map((row) => ({ ...row, updated_at: newRevision })))
    .onConflictDoUpdate({
      target: siteSettings.setting_key,
      set: { setting_value: sql`excluded.setting_value`, updated_at: newRevision },
    });
}

/** The demo's first year, from the site that the specification describes. */
const DEMO_SINCE = 2023;

/** Stores the site's first year unless one is stored: that of its first account, else the current one. */
export async function rememberSinceYear(db: Db, isDemo: boolean): Promise<void> {
  const year = isDemo
    ? sql`${DEMO_SINCE}::int`
    : sql`extract(year from coalesce((select min(created_at) from users), now()))::int`;
  await db.execute(sql`
    insert into site_settings (setting_key, setting_value) values ('since_year', to_jsonb(${year}))
    on conflict (setting_key) do nothing`);
}

/** Reads all settings. A stored value that no longer fits its shape gives way to the default: the site must start. */
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
