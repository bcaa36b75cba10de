// What this database is, in one row: a real site's or a demo's, and the check of the secret that seals what it holds.
import { sql } from "drizzle-orm";
import { boolean, check, pgTable, text } from "drizzle-orm/pg-core";

export const SITE_KINDS = ["real", "demo"] as const;

export const siteIdentity = pgTable(
  "site_identity",
  {
    /** There is one row at most. */
    is_site: boolean().primaryKey().default(true),
    /** Null: it was not started yet since there is this column. It never changes. */
    kind: text({ enum: SITE_KINDS }),
    /** Tells whether a secret is that of the site, without telling it; null: none is known yet. */
    secret_check: text(),
  },
  (table) => [
    check("site_identity_one_row", sql`${table.is_site}`),
    check("site_identity_kind", sql`${table.kind} in ('real', 'demo')`),
  ],
);
