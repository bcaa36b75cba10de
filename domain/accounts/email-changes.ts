// Changes a member's email after both mailboxes confirm. One row stores both confirmations; the address changes only when both
// are there and the request hasn't expired by the database's clock.
import { randomBytes } from "node:crypto";
import { and, eq, gt, lt, or, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { emailChanges } from "#db/schema/index.ts";
import { type Actor, type Origin, recordAudit } from "../site/audit.ts";
import { isActiveMember } from "./active-members.ts";
import { takeLinkedSitesBack } from "./linked-sites.ts";
import { askToCheckPasskeys } from "./passkeys.ts";
import { tellSecurityChange } from "./security-mails.ts";
import { hashToken } from "./sessions.ts";
import { endSessions, lockUser, normalizeEmail, updateEmail } from "./users.ts";

export const EMAIL_CHANGE_HOURS = 24;

/** Not `now()`, which is the transaction's start: the statement may run late, after waiting for a lock. */
const clock = sql`clock_timestamp()`;
const running = gt(emailChanges.expires_at, clock);

/**
 * Requests a change within the caller's transaction; replaces an earlier request with its links and confirmations. Returns the
 * tokens for the two mailboxes' links (256 random bits); stores only their hashes.
 */
export async function createEmailChange(
  tx: Db,
  userId: string,
  given: { old_email: string; new_email: string },
): Promise<{ old_token: string; new_token: string }> {
  const token = () => randomBytes(32).toString("base64url");
  const [old_token, new_token] = [token(), token()];
  // Lock the account before its row here, as everywhere.
  await lockUser(tx, userId);
  const values = {
    old_email: given.old_email,
    new_email: normalizeEmail(given.new_email),
    old_token_hash: hashToken(old_token),
    new_token_hash: hashToken(new_token),
    requested_at: sql`now()`,
    expires_at: sql`now() + make_interval(hours => ${EMAIL_CHANGE_HOURS})`,
    old_confirmed_at: null,
    new_confirmed_at: null,
  };
  await tx
    .insert(emailChanges)
    .values({ user_id: userId, ...values })
    .onConflictDoUpdate({ target: emailChanges.user_id, set: values });
  return { old_token, new_token };
}

const ofToken = (token: string) =>
  and(
    or(eq(emailChanges.old_token_hash, hashToken(token)), eq(emailChanges.new_token_hash, hashToken(token))),
    running,
  );

/** Finds the request of an unused link; null: used, expired or replaced by a newer request. */
export async function findEmailChange(db: Db, token: string): Promise<{ new_email: string } | null> {
  const [found] = await db.select({ new_email: emailChanges.new_email }).from(emailChanges).where(ofToken(token));
  return found ?? null;
}

/** Finds a member's pending change; null: there is none. */
export async function findWaitingEmailChange(
  db: Db,
  userId: string,
): Promise<{ new_email: string; old_confirmed: boolean; new_confirmed: boolean } | null> {
  const [found] = await db
    .select({
      new_email: emailChanges.new_email,
      old_confirmed: sql<boolean>`${emailChanges.old_confirmed_at} is not null`,
      new_confirmed: sql<boolean>`${emailChanges.new_confirmed_at} is not null`,
    })
    .from(emailChanges)
    .where(and(eq(emailChanges.user_id, userId), running));
  return found ?? null;
}

/**
 * Confirms for the mailbox that the link went to, and uses the link up. `done`: both confirmed and the address is changed; all
 * sessions and linked sites are removed, the next login leads to the passkeys, and both mailboxes are notified. Null: the link is
 * invalid, the account was banned, closed or given another address, or the new address is taken.
 */
export async function confirmEmailChange(db: Db, token: string, origin: Origin): Promise<{ done: boolean } | null> {
  return db.transaction(async (tx) => {
    const [asked] = await tx.select({ user_id: emailChanges.user_id }).from(emailChanges).where(ofToken(token));
    // Two links used at the same moment run one after the other from here.
    const user = asked && (await lockUser(tx, asked.user_id));
    if (!user) return null;
    const hash = hashToken(token);
    const [change] = await tx
      .update(emailChanges)
      .set({
        old_confirmed_at: sql`case when ${emailChanges.old_token_hash} = ${hash} then ${clock} else ${emailChanges.old_confirmed_at} end`,
        new_confirmed_at: sql`case when ${emailChanges.new_token_hash} = ${hash} then ${clock} else ${emailChanges.new_confirmed_at} end`,
        old_token_hash: sql`nullif(${emailChanges.old_token_hash}, ${hash})`,
        new_token_hash: sql`nullif(${emailChanges.new_token_hash}, ${hash})`,
      })
      // Check again: the request may have ended while this transaction waited.
      .where(and(eq(emailChanges.user_id, user.id), ofToken(token), eq(emailChanges.old_email, user.email), mayMove))
      .returning();
    if (!change) return null;
    if (!change.old_confirmed_at || !change.new_confirmed_at) return { done: false };
    await removeEmailChange(tx, user.id);
    if (!(await updateEmail(tx, user.id, change.new_email))) return null;
    await endSessions(tx, user.id);
    await takeLinkedSitesBack(tx, { user_id: user.id, origin });
    await askToCheckPasskeys(tx, user.id);
    await recordAudit(tx, { what: "email-changed", actor_id: user.id, origin });
    for (const to of [change.old_email, change.new_email])
      await tellSecurityChange(tx, { user_id: user.id, what: "email-changed", origin, to });
    return { done: true };
  });
}

/** The address of a banned or closed account doesn't change. */
const mayMove = sql`exists (select 1 from users where users.user_id = ${emailChanges.user_id} and ${isActiveMember()})`;

/** Removes a member's request and thereby its links. False: there was none. */
export async function removeEmailChange(db: Db, userId: string): Promise<boolean> {
  const removed = await db
    .delete(emailChanges)
    .where(eq(emailChanges.user_id, userId))
    .returning({ user_id: emailChanges.user_id });
  return removed.length > 0;
}

/** Cancels the member's own request. False: there was none (any more). */
export async function cancelEmailChange(db: Db, actor: Actor): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockUser(tx, actor.user_id);
    if (!(await removeEmailChange(tx, actor.user_id))) return false;
    await recordAudit(tx, { what: "email-change-cancelled", actor_id: actor.user_id, origin: actor.origin });
    return true;
  });
}

/** Removes expired requests. */
export async function sweepEmailChanges(db: Db): Promise<void> {
  await db.delete(emailChanges).where(lt(emailChanges.expires_at, sql`now()`));
}
