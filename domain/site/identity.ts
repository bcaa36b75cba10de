// Identifies a database: new, a real site's or a demo's; and which secret seals its data.
import { createHmac } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { type SITE_KINDS, siteIdentity } from "#db/schema/index.ts";
import { DEMO_ADDRESSES } from "../members/demo-accounts.ts";

export type SiteKind = (typeof SITE_KINDS)[number];

/** `new`: no site was started on it. `marked`: a start stored the kind; otherwise it was derived from the data. */
export type FoundSite = { kind: SiteKind | "new"; marked: boolean };

/** Derives a check value for the site's secret without revealing it: 128 bits of an HMAC. */
export const checkOfSiteSecret = (secret: string): string =>
  createHmac("sha256", secret).update("spawnpoint site: is this the secret of this site?").digest("hex").slice(0, 32);

/**
 * Finds the kind of site in a database; read-only, works with any content. An unmarked database (of an earlier version) is real if
 * any account but a demo's has used it.
 */
export async function findSiteKind(db: Db): Promise<FoundSite> {
  const {
    rows: [there],
  } = await db.execute<{ identity: boolean; site: boolean }>(sql`
    select to_regclass('public.site_identity') is not null as identity,
      to_regclass('public.audit_events') is not null and to_regclass('public.gameserver') is not null
        and to_regclass('public.verifications') is not null as site`);
  if (there?.identity) {
    const [row] = await db.select({ kind: siteIdentity.kind }).from(siteIdentity);
    if (row?.kind) return { kind: row.kind, marked: true };
  }
  if (!there?.site) return { kind: "new", marked: false };
  const demoOnes = sql.join(
    DEMO_ADDRESSES.map((address) => sql`${address}`),
    sql`, `,
  );
  const {
    rows: [used],
  } = await db.execute<{ real: boolean; demo: boolean; any: boolean }>(sql`
    select exists (select from users where email not in (${demoOnes}))
        or exists (select from audit_events where what = 'first-admin')
        or exists (select from verifications where identifier like 'first-admin:%') as real,
      exists (select from users where email in (${demoOnes})) or exists (select from gameserver where demo) as demo,
      exists (select from games) as any`);
  const kind = used?.real ? "real" : used?.demo ? "demo" : used?.any ? "real" : "new";
  return { kind, marked: false };
}

/** Stores the kind of site unless one is stored; returns the stored one. */
export async function markSite(db: Db, kind: SiteKind): Promise<SiteKind> {
  await db
    .insert(siteIdentity)
    .values({ kind })
    .onConflictDoUpdate({ target: siteIdentity.is_site, set: { kind }, setWhere: sql`${siteIdentity.kind} is null` });
  const [row] = await db.select({ kind: siteIdentity.kind }).from(siteIdentity);
  return row?.kind ?? kind;
}

/** Reads the check value of the site's secret; null: none yet. */
export async function findSecretCheck(db: Db): Promise<string | null> {
  const {
    rows: [there],
  } = await db.execute<{ identity: boolean }>(sql`select to_regclass('public.site_identity') is not null as identity`);
  if (!there?.identity) return null;
  const [row] = await db.select({ check: siteIdentity.secret_check }).from(siteIdentity);
  return row?.check ?? null;
}

/** Stores the check value of the first secret used here; returns the stored one. */
export async function rememberSecretCheck(db: Db, secret: string): Promise<string> {
  const secret_check = checkOfSiteSecret(secret);
  await db
    .insert(siteIdentity)
    .values({ secret_check })
    .onConflictDoUpdate({
      target: siteIdentity.is_site,
      set: { secret_check },
      setWhere: sql`${siteIdentity.secret_check} is null`,
    });
  return (await findSecretCheck(db)) ?? secret_check;
}

/** Replaces the check value after a change of secret. */
export async function replaceSecretCheck(db: Db, secret: string): Promise<void> {
  const secret_check = checkOfSiteSecret(secret);
  await db
    .insert(siteIdentity)
    .values({ secret_check })
    .onConflictDoUpdate({ target: siteIdentity.is_site, set: { secret_check } });
}
