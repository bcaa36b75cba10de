// The operator's own brand: typed, with the defaults that stand until an admin changes them.

import { z } from "zod";
import type { Db } from "#db/client.ts";
import { siteSettings } from "#db/schema/index.ts";

const siteSettingsShape = z.object({
  site_name: z.string().min(1).max(80).default("Spawnpoint"),
  tagline: z
    .object({ en: z.string().max(200), de: z.string().max(200).optional() })
    .default({
      en: "Find a server that is up. Be in the game in 30 seconds.",
      de: "Finde einen Server, der läuft. In 30 Sekunden bist du im Spiel.",
    }),
  /** The community's invite link; empty hides the Discord item. */
  discord_url: z.union([z.url({ protocol: /^https$/ }), z.literal("")]).default("https://discord.com/"),
});

/** The site's settings with every default filled in; keys are those of table site_settings. */
export type SiteSettings = z.infer<typeof siteSettingsShape>;

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
