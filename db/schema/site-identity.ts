// Identifies this database, in one row: a real site's or a demo's, and the check value of the secret that seals its data.
import { sql } from "drizzle-orm";
import { boolean, check, pgTable, text } from "drizzle-orm/pg-core";

export const SITE_KINDS = ["real", "demo"] as const;

export const siteIdentity = pgTable(
  "site_identity",
  {
    /** At most one row. */
    is_site: boolean().primaryKey().default(true),
    /** Null: not started since this column exists. Never changes. */
    kind: text({ enum: SITE_KINDS }),
    /** Verifies the site's secret without revealing it; null: none yet. */
    secret_check: text(),
  },
  (table) => [
    check("site_identity_one_row", sql`${table.is_site}`),
    check("site_identity_kind", sql`${table.kind} in ('real', 'demo')`),
  ],
);
