// Another secret in the place of the site's: what was sealed with the one before is sealed anew, or given up where that is lost.
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
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

/** `running`: web processes of the site run. `other`: the old secret is not the one that the database knows. Nothing was done. */
export type NotChanged = { ok: false; reason: "running" | "other" };

/** `unreadable`: second factors that the old secret did not open either; they are as they were. */
export type SecretChanged = { ok: true; second_factors: number; unreadable: number };

/**
 * Seals everything with `to` that `from` had sealed, in one transaction: second factors, the tokens of other sites and what game
 * servers are shown. Recovery
 * codes are kept as hashes made with the secret, so the old one is sealed beside them. Everybody is signed out: their cookies
 * are signed with the old one.
 */
export function changeSecret(db: Db, { from, to }: { from: string; to: string }): Promise<SecretChanged | NotChanged> {
  return db.transaction(async (tx) => {
    if (await isSiteRunning(tx)) return { ok: false, reason: "running" };
    if ((await findSecretCheck(tx)) !== checkOfSiteSecret(from)) return { ok: false, reason: "other" };
    const reseal = async (sealed: string) => {
      const opened = await open(from, sealed);
      return opened === null ? null : symmetricEncrypt({ key: to, data: opened });
    };
    let second_factors = 0;
    let unreadable = 0;
    for (const row of await tx.select().from(twoFactors).for("update")) {
      const secret = await reseal(row.secret);
      const recovery_secret = row.recovery_secret
        ? await reseal(row.recovery_secret)
        : await symmetricEncrypt({ key: to, data: from });
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
 * Takes a new secret where the old one is lost for good: second factors that it does not open are removed, and each person is
 * told by mail; tokens of other sites are forgotten.
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
      if ((await open(to, factor.secret)) !== null) continue;
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
    await resealTokens(tx, async (sealed) => ((await open(to, sealed)) === null ? null : sealed));
    await endWhatWasSealed(tx);
    await replaceSecretCheck(tx, to);
    return { ok: true, people };
  });
}

/** Whoever starts meanwhile waits for us, and finds the new secret: see `confirmSiteSecret`. */
async function isSiteRunning(tx: Db): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS.secret})`);
  const { rows: running } = await tx.execute(sql`
    select from pg_stat_activity
    where datname = current_database() and application_name like 'spawnpoint-web%' limit 1`);
  return running.length > 0;
}

/** Null: this secret did not seal it. */
async function open(key: string, data: string): Promise<string | null> {
  return symmetricDecrypt({ key, data }).catch(() => null);
}

/** What game servers are shown. What `from` does not open stays as it is: the form and the dashboard tell admins to type it anew. */
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

/** Where people and machines are told. What `from` does not open stays, and sends nothing: its owner registers it anew. */
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

/** Tokens with which another site lets us ask about a member; what cannot be opened is forgotten, the account stays. */
async function resealTokens(tx: Db, reseal: (sealed: string) => Promise<string | null>): Promise<void> {
  const sealed = await tx
    .select()
    .from(accounts)
    .where(or(isNotNull(accounts.accessToken), isNotNull(accounts.refreshToken)));
  for (const row of sealed) {
    const accessToken = row.accessToken && (await reseal(row.accessToken));
    const refreshToken = row.refreshToken && (await reseal(row.refreshToken));
    await tx.update(accounts).set({ accessToken, refreshToken }).where(eq(accounts.id, row.id));
  }
}

/** Cookies and mailed codes of now are worth nothing any more; links in mails are not made with the secret. */
async function endWhatWasSealed(tx: Db): Promise<void> {
  await tx.delete(sessions);
  await tx.delete(verifications).where(like(verifications.identifier, "sign-in-code:%"));
}
