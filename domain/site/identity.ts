// What a database is: nothing yet, a real site's or a demo's; and which secret seals what it holds.
import { createHmac } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { type SITE_KINDS, siteIdentity } from "#db/schema/index.ts";
import { DEMO_ADDRESSES } from "../members/demo-accounts.ts";

export type SiteKind = (typeof SITE_KINDS)[number];

/** `new`: nobody has started a site on it. `marked`: a start wrote the kind down, it was not made out from what is there. */
export type FoundSite = { kind: SiteKind | "new"; marked: boolean };

/** Tells whether a secret is the site's, without telling it: 128 bits of an HMAC. */
export const checkOfSiteSecret = (secret: string): string =>
  createHmac("sha256", secret).update("spawnpoint site: is this the secret of this site?").digest("hex").slice(0, 32);

/**
 * Whose the database is; reads alone, and whatever is or is not in it. Of a database that no start has marked (those of
 * earlier versions did not) it is made out: one that anybody but a demo's accounts has used is real.
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

/** Writes down whose the database is, unless that stands there; settles with what stands there. */
export async function markSite(db: Db, kind: SiteKind): Promise<SiteKind> {
  await db
    .insert(siteIdentity)
    .values({ kind })
    .onConflictDoUpdate({ target: siteIdentity.is_site, set: { kind }, setWhere: sql`${siteIdentity.kind} is null` });
  const [row] = await db.select({ kind: siteIdentity.kind }).from(siteIdentity);
  return row?.kind ?? kind;
}

/** The check of the site's secret; null: none is known yet. */
export async function findSecretCheck(db: Db): Promise<string | null> {
  const {
    rows: [there],
  } = await db.execute<{ identity: boolean }>(sql`select to_regclass('public.site_identity') is not null as identity`);
  if (!there?.identity) return null;
  const [row] = await db.select({ check: siteIdentity.secret_check }).from(siteIdentity);
  return row?.check ?? null;
}

/** Remembers the check of the first secret that is used here; settles with the one that stands there. */
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

/** Puts the check of another secret in place of the one before. */
export async function replaceSecretCheck(db: Db, secret: string): Promise<void> {
  const secret_check = checkOfSiteSecret(secret);
  await db
    .insert(siteIdentity)
    .values({ secret_check })
    .onConflictDoUpdate({ target: siteIdentity.is_site, set: { secret_check } });
}
