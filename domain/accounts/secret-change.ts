// Replaces the site's secret: reseals what the old one sealed, or discards it if the old one is lost.
import { eq, isNotNull, like, or, sql } from "drizzle-orm";
import { LOCKS } from "#db/advisory-locks.ts";
import type { Db } from "#db/client.ts";
import {
  accounts,
  gameserver,
  notificationTargets,
  sessions,
  twoFactors,
  users,
  verifications,
} from "#db/schema/index.ts";
import { resealSecrets } from "../game-servers/adapter-secrets.ts";
import { queueMail } from "../mails.ts";
import { findProfile } from "../members/profiles.ts";
import { resealPushKeys } from "../notifications/push-keys.ts";
import { resealAddress } from "../notifications/targets.ts";
import { recordAudit } from "../site/audit.ts";
import { checkOfSiteSecret, findSecretCheck, replaceSecretCheck } from "../site/identity.ts";
import { removeSecondFactor } from "./second-factors.ts";
import { openSecret, sealSecret } from "./secret-seal.ts";

/** `running`: web processes of the site run. `other`: the old secret isn't the one in the database. Nothing was changed. */
export type NotChanged = { ok: false; reason: "running" | "other" };

/** `unreadable`: second factors that the old secret couldn't open either; they are unchanged. */
export type SecretChanged = { ok: true; second_factors: number; unreadable: number };

/**
 * Reseals everything from `from` to `to` in one transaction: second factors, adapter secrets, notification targets, push keys,
 * tokens of other sites. Recovery codes are hashed with the secret, so the old one is sealed beside them. Logs everyone out:
 * cookies are signed with the old one.
 */
export function changeSecret(db: Db, { from, to }: { from: string; to: string }): Promise<SecretChanged | NotChanged> {
  return db.transaction(async (tx) => {
    if (await isSiteRunning(tx)) return { ok: false, reason: "running" };
    if ((await findSecretCheck(tx)) !== checkOfSiteSecret(from)) return { ok: false, reason: "other" };
    const reseal = (sealed: string) => {
      const opened = openSecret(from, sealed);
      return opened === null ? null : sealSecret(to, opened);
    };
    let second_factors = 0;
    let unreadable = 0;
    for (const row of await tx.select().from(twoFactors).for("update")) {
      const secret = reseal(row.secret);
      const recovery_secret = row.recovery_secret ? reseal(row.recovery_secret) : sealSecret(to, from);
      if (secret === null || recovery_secret === null) {
        unreadable += 1;
        continue;
      }
      await tx.update(twoFactors).set({ secret, recovery_secret }).where(eq(twoFactors.id, row.id));
      second_factors += row.verified ? 1 : 0;
    }
    await resealAdapterSecrets(tx, from, to);
    await resealTargets(tx, from, to);
    await resealPushKeys(tx, from, to);
    await resealTokens(tx, reseal);
    await endWhatWasSealed(tx);
    await replaceSecretCheck(tx, to);
    return { ok: true, second_factors, unreadable };
  });
}

/**
 * Sets a new secret when the old one is lost for good: removes second factors that it can't open, notifies each of these people by
 * mail, and deletes tokens of other sites.
 * @param siteUrl where the mail's link leads
 */
export function giveUpSecret(
  db: Db,
  { to, siteUrl }: { to: string; siteUrl: string },
): Promise<{ ok: true; people: number } | NotChanged> {
  return db.transaction(async (tx) => {
    if (await isSiteRunning(tx)) return { ok: false, reason: "running" };
    const rows = await tx
      .select({ factor: twoFactors, user: { id: users.id, email: users.email } })
      .from(twoFactors)
      .innerJoin(users, eq(users.id, twoFactors.userId))
      .for("update", { of: twoFactors });
    let people = 0;
    for (const { factor, user } of rows) {
      if (openSecret(to, factor.secret) !== null) continue;
      if (!(await removeSecondFactor(tx, user.id))) continue;
      people += 1;
      await recordAudit(tx, { what: "second-factor-removed", actor_id: null, subject: { type: "user", id: user.id } });
      await queueMail(tx, {
        to: user.email,
        locale: (await findProfile(tx, user.id))?.locale ?? "en",
        template: "second-factor-lost",
        data: { lost_at: new Date().toISOString(), security_link: `${siteUrl}/user/settings/security` },
      });
    }
    await resealTokens(tx, (sealed) => (openSecret(to, sealed) === null ? null : sealed));
    await endWhatWasSealed(tx);
    await replaceSecretCheck(tx, to);
    return { ok: true, people };
  });
}

/** A process that starts meanwhile waits for this lock, then finds the new secret: see `confirmSiteSecret`. */
async function isSiteRunning(tx: Db): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS.secret})`);
  const { rows: running } = await tx.execute(sql`
    select from pg_stat_activity
    where datname = current_database() and application_name like 'spawnpoint-web%' limit 1`);
  return running.length > 0;
}

/** Reseals adapter secrets. Those that `from` can't open stay unchanged: the form and the dashboard say to enter them again. */
async function resealAdapterSecrets(tx: Db, from: string, to: string): Promise<void> {
  const sealed = await tx
    .select({ server_id: gameserver.server_id, secrets: gameserver.adapter_secrets })
    .from(gameserver)
    .where(sql`${gameserver.adapter_secrets} <> '{}'::jsonb`)
    .for("update");
  for (const { server_id, secrets } of sealed) {
    const adapter_secrets = resealSecrets(from, to, secrets);
    if (adapter_secrets)
      await tx.update(gameserver).set({ adapter_secrets }).where(eq(gameserver.server_id, server_id));
  }
}

/** Reseals notification targets. Those that `from` can't open stay and send nothing: the owner registers them again. */
async function resealTargets(tx: Db, from: string, to: string): Promise<void> {
  const { target_id, kind, address_sealed } = notificationTargets;
  const rows = await tx
    .select({ target_id, kind, address_sealed })
    .from(notificationTargets)
    .where(isNotNull(address_sealed))
    .for("update");
  for (const row of rows) {
    const resealed = resealAddress(from, to, row.kind, row.address_sealed ?? "");
    if (resealed) {
      await tx.update(notificationTargets).set({ address_sealed: resealed }).where(eq(target_id, row.target_id));
    }
  }
}

/** Reseals tokens for API calls to another site about a member; deletes those it can't open, but not the account. */
async function resealTokens(tx: Db, reseal: (sealed: string) => string | null): Promise<void> {
  const sealed = await tx
    .select()
    .from(accounts)
    .where(or(isNotNull(accounts.accessToken), isNotNull(accounts.refreshToken)));
  for (const row of sealed) {
    const accessToken = row.accessToken && reseal(row.accessToken);
    const refreshToken = row.refreshToken && reseal(row.refreshToken);
    await tx.update(accounts).set({ accessToken, refreshToken }).where(eq(accounts.id, row.id));
  }
}

/** Ends current cookies and mailed codes; links in mails don't depend on the secret. */
async function endWhatWasSealed(tx: Db): Promise<void> {
  await tx.delete(sessions);
  await tx.delete(verifications).where(like(verifications.identifier, "sign-in-code:%"));
}
