// Closes accounts: deactivates at once, erases after a grace period, and limits how long the little data kept against fraud is
// stored.
import { createHmac } from "node:crypto";
import { and, desc, eq, gt, isNotNull, isNull, like, lt, lte, or, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Db } from "#db/client.ts";
import {
  auditEvents,
  contacts,
  erasedAccounts,
  notificationDeliveries,
  profiles,
  users,
  verifications,
} from "#db/schema/index.ts";
import { type ObjectStorage, StorageError } from "#outside/object-storage.ts";
import { removeEmailChange } from "../accounts/email-changes.ts";
import { consumeToken, createToken, removeTokens } from "../accounts/one-time-tokens.ts";
import { endSessions } from "../accounts/users.ts";
import { queueMail } from "../mails.ts";
import { type Origin, recordAudit } from "../site/audit.ts";
import { removeAvatarFile } from "./avatars.ts";
import { isLastAdmin } from "./roles.ts";

/** How long the hash and dates of an erased account are stored. */
export const KEPT_MONTHS = 12;
const DAY_S = 24 * 3600;

/**
 * Deactivates an account: ends every session, blocks login, and schedules erasure for the end of the grace period. Sends a mail
 * with the link that restores the account.
 * @param link builds that link from its one-time token.
 * @returns when it will be erased; null for the only admin, who can't be removed.
 */
export async function deactivateAccount(
  db: Db,
  userId: string,
  options: { graceDays: number; link: (token: string) => string; origin: Origin },
): Promise<Date | null> {
  return db.transaction(async (tx) => {
    if (await isLastAdmin(tx, userId)) return null;
    const [user] = await tx
      .update(users)
      .set({
        deactivated_at: sql`now()`,
        erase_after: sql`now() + make_interval(days => ${options.graceDays})`,
        updatedAt: sql`now()`,
      })
      .where(and(eq(users.id, userId), isNull(users.deactivated_at)))
      .returning({ email: users.email, erase_after: users.erase_after });
    if (!user?.erase_after) return null;
    const [profile] = await tx.select({ locale: profiles.locale }).from(profiles).where(eq(profiles.user_id, userId));
    await endSessions(tx, userId);
    await removeTokens(tx, "reset-password", "user_id", userId);
    await removeEmailChange(tx, userId);
    const token = await createToken(tx, "keep-account", { user_id: userId }, options.graceDays * DAY_S);
    await queueMail(tx, {
      to: user.email,
      locale: profile?.locale ?? "en",
      template: "account-deletion-started",
      data: { erase_at: user.erase_after.toISOString(), link: options.link(token) },
      useful_for_s: options.graceDays * DAY_S,
    });
    await recordAudit(tx, { what: "account-deactivated", actor_id: userId, origin: options.origin });
    return user.erase_after;
  });
}

/** Restores an account by the link of its mail. Null: the link is used, or the account is gone. */
export async function keepAccount(
  db: Db,
  token: string,
  origin: Origin,
): Promise<{ id: string; email: string } | null> {
  return db.transaction(async (tx) => {
    const about = await consumeToken(tx, "keep-account", token);
    if (!about?.user_id) return null;
    const [user] = await tx
      .update(users)
      .set({ deactivated_at: null, erase_after: null, updatedAt: sql`now()` })
      .where(and(eq(users.id, about.user_id), isNotNull(users.erase_after)))
      .returning({ id: users.id, email: users.email });
    if (!user) return null;
    await recordAudit(tx, { what: "account-kept", actor_id: user.id, origin });
    return user;
  });
}

/** Hash stored in place of an address: with the site's secret an address can be checked, but not read back. */
export const hashAddress = (secret: string, email: string): string =>
  createHmac("sha256", secret).update(`erased ${email.toLowerCase()}`).digest("base64url");

/**
 * Erases every account whose grace period is over, one transaction each; concurrent web processes take different accounts. An
 * account whose avatar can't be removed stays for the next run and is reported to `onStorageError`.
 * @returns how many were erased.
 */
export async function eraseDueAccounts(
  parts: { db: Db; storage: ObjectStorage; secret: string },
  onStorageError: (error: StorageError) => void,
): Promise<number> {
  let erased = 0;
  for (;;) {
    try {
      if (!(await eraseNext(parts))) return erased;
      erased += 1;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      onStorageError(error);
      return erased;
    }
  }
}

async function eraseNext({
  db,
  storage,
  secret,
}: {
  db: Db;
  storage: ObjectStorage;
  secret: string;
}): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [user] = await tx
      .select()
      .from(users)
      .where(and(isNotNull(users.deactivated_at), lte(users.erase_after, sql`now()`)))
      .orderBy(users.erase_after)
      .limit(1)
      .for("update", { skipLocked: true });
    if (!user?.deactivated_at) return false;
    const [profile] = await tx.select({ locale: profiles.locale }).from(profiles).where(eq(profiles.user_id, user.id));
    await removeAvatarFile(storage, user.id);
    // The audit log allows deletes only for the account named here.
    await tx.execute(sql`select set_config('spawnpoint.erasing', ${user.id}, true)`);
    await tx
      .delete(auditEvents)
      .where(
        or(
          eq(auditEvents.actor_id, user.id),
          and(eq(auditEvents.subject_type, "user"), eq(auditEvents.subject_id, user.id)),
        ),
      );
    // Messages typed with this address belong to the member only if the address is confirmed; anyone can sign up with one.
    const writesFrom = (column: PgColumn) => sql`${user.emailVerified} and lower(${column}) = ${user.email}`;
    const outbox = notificationDeliveries;
    const answersGoTo = writesFrom(outbox.reply_to);
    await tx
      .delete(outbox)
      .where(
        or(sql`lower(${outbox.mail_to}) = ${user.email}`, and(eq(outbox.template, "contact-message"), answersGoTo)),
      );
    // Clear only the address in mails to others: an operator's reply to another person still arrives.
    await tx.update(outbox).set({ reply_to: null }).where(answersGoTo);
    await tx.delete(contacts).where(writesFrom(contacts.email));
    await tx.delete(verifications).where(like(verifications.value, `%${user.id}%`));
    await tx.delete(users).where(eq(users.id, user.id));
    const [kept] = await tx
      .insert(erasedAccounts)
      .values({
        email_hash: hashAddress(secret, user.email),
        registered_at: user.createdAt,
        deactivated_at: user.deactivated_at,
        keep_until: sql`now() + make_interval(months => ${KEPT_MONTHS})`,
      })
      .returning({ keep_until: erasedAccounts.keep_until });
    await queueMail(tx, {
      to: user.email,
      locale: profile?.locale ?? "en",
      template: "account-deleted",
      data: { kept_until: kept?.keep_until.toISOString() ?? null },
    });
    return true;
  });
}

/** An account that was erased; times are ISO 8601. */
export type ErasedAccount = { registered_at: string; deactivated_at: string; erased_at: string; keep_until: string };

/** Lists the stored records of erased accounts with this address, newest first, to recognise a returning user. */
export async function listErasedAccounts(
  { db, secret }: { db: Db; secret: string },
  email: string,
): Promise<ErasedAccount[]> {
  const rows = await db
    .select()
    .from(erasedAccounts)
    .where(and(eq(erasedAccounts.email_hash, hashAddress(secret, email)), gt(erasedAccounts.keep_until, sql`now()`)))
    .orderBy(desc(erasedAccounts.erased_at));
  return rows.map(({ registered_at, deactivated_at, erased_at, keep_until }) => ({
    registered_at: registered_at.toISOString(),
    deactivated_at: deactivated_at.toISOString(),
    erased_at: erased_at.toISOString(),
    keep_until: keep_until.toISOString(),
  }));
}

/** Removes expired records of erased accounts. */
export async function sweepErasedAccounts(db: Db): Promise<void> {
  await db.delete(erasedAccounts).where(lt(erasedAccounts.keep_until, sql`now()`));
}
