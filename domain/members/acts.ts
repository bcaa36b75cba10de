// Admin actions on a user: role, ban, second factor, sessions, deletion. Protects the last admin and the acting admin; writes
// each action and its audit row in one transaction.
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { ROLES, users } from "#db/schema/index.ts";
import { fieldError } from "#shared/field-error-codes.ts";
import { removeEmailChange } from "../accounts/email-changes.ts";
import { removeTokens } from "../accounts/one-time-tokens.ts";
import { removeSecondFactor } from "../accounts/second-factors.ts";
import { tellNewAdmin } from "../accounts/security-mails.ts";
import { endSessions } from "../accounts/users.ts";
import { filledLine } from "../form-text.ts";
import { queueMail } from "../mails.ts";
import { type Actor, type AuditWhat, recordAudit } from "../site/audit.ts";
import { findProfile } from "./profiles.ts";
import { findRole, isLastAdmin, updateRole } from "./roles.ts";

/** `self`: not allowed on one's own account. `last_admin`: the site would have no admin left. */
export type UserActOutcome = { ok: true } | { ok: false; reason: "gone" | "self" | "last_admin" | "not_confirmed" };

export const roleShape = z.object({ role: z.enum(ROLES, fieldError("no_choice")) });

/** Ban lengths in days, besides permanent. */
export const BAN_DAYS = [1, 7, 30, 365] as const;
export const BAN_REASON_MAX = 300;

/** A ban as a form sends it: a number of days, or `good` (permanent). */
export const banShape = z.object({
  reason: filledLine(BAN_REASON_MAX),
  lasts: z.enum([...BAN_DAYS.map(String), "good"], fieldError("no_choice")),
});

type User = typeof users.$inferSelect;

/** Locks the admins and the user, checks the last-admin rule, runs the action, and writes the audit row. */
async function act(
  db: Db,
  actor: Actor,
  userId: string,
  what: AuditWhat,
  work: (
    user: User,
    tx: Db,
  ) => Promise<
    Exclude<UserActOutcome, { ok: true }> | { details: Parameters<typeof recordAudit>[1]["details"] | null } | null
  >,
  /** True if the action removes the user's login or role. */
  options: { takesAway: boolean; subjectType?: string } = { takesAway: true },
): Promise<UserActOutcome> {
  return db.transaction(async (tx) => {
    const last = options.takesAway && (await isLastAdmin(tx, userId));
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for("update");
    if (!user) return { ok: false, reason: "gone" };
    if (last) return { ok: false, reason: "last_admin" };
    const done = await work(user, tx);
    if (done === null) return { ok: true };
    if ("ok" in done) return done;
    await recordAudit(tx, {
      what,
      actor_id: actor.user_id,
      origin: actor.origin,
      subject: { type: options.subjectType ?? "user", id: userId },
      ...(done.details ? { details: done.details } : {}),
    });
    return { ok: true };
  });
}

/** Changes a user's role and ends their sessions, so that it takes effect at once. */
export function changeRole(
  db: Db,
  actor: Actor,
  userId: string,
  role: (typeof ROLES)[number],
): Promise<UserActOutcome> {
  return act(
    db,
    actor,
    userId,
    "role-changed",
    async (_user, tx) => {
      const before = await findRole(tx, userId);
      if (before === role) return null;
      await updateRole(tx, userId, role);
      if (role === "admin") await tellNewAdmin(tx, userId, actor.origin);
      return { details: { before: { role: before }, after: { role } } };
    },
    // Promoting to admin removes nothing.
    { takesAway: role !== "admin" },
  );
}

/** Bans a user until a date or for good; ends all of their sessions, links and streams. */
export function banUser(db: Db, actor: Actor, userId: string, ban: z.infer<typeof banShape>): Promise<UserActOutcome> {
  if (userId === actor.user_id) return Promise.resolve({ ok: false, reason: "self" });
  return act(db, actor, userId, "member-banned", async (_user, tx) => {
    const forGood = ban.lasts === "good";
    const [banned] = await tx
      .update(users)
      .set({
        banned_until: forGood ? sql`'infinity'` : sql`now() + make_interval(days => ${Number(ban.lasts)})`,
        ban_reason: ban.reason,
        updatedAt: sql`now()`,
      })
      .where(eq(users.id, userId))
      .returning({ until: users.banned_until });
    await endSessions(tx, userId);
    await removeTokens(tx, "reset-password", "user_id", userId);
    await removeEmailChange(tx, userId);
    return {
      details: { after: { reason: ban.reason, until: (!forGood && banned?.until?.toISOString()) || "for good" } },
    };
  });
}

/** Lifts a ban. */
export function unbanUser(db: Db, actor: Actor, userId: string): Promise<UserActOutcome> {
  return act(
    db,
    actor,
    userId,
    "member-unbanned",
    async (user, tx) => {
      if (user.banned_until === null) return null;
      await tx
        .update(users)
        .set({ banned_until: null, ban_reason: null, updatedAt: sql`now()` })
        .where(eq(users.id, userId));
      return { details: { before: { reason: user.ban_reason } } };
    },
    { takesAway: false },
  );
}

/** Logs a user out everywhere. */
export function endUserSessions(db: Db, actor: Actor, userId: string): Promise<UserActOutcome> {
  return act(
    db,
    actor,
    userId,
    "member-sessions-ended",
    async (_user, tx) => {
      const ended = await endSessions(tx, userId);
      return ended === 0 ? null : { details: { sessions: ended } };
    },
    { takesAway: false },
  );
}

/**
 * Removes the second factor of a user who lost it, after the admin typed the user's address; notifies the user by mail. Admins
 * turn off their own in the settings, which require the password.
 */
export function removeUserSecondFactor(
  db: Db,
  actor: Actor,
  userId: string,
  given: { typedEmail: string; siteUrl: string },
): Promise<UserActOutcome> {
  if (userId === actor.user_id) return Promise.resolve({ ok: false, reason: "self" });
  return act(
    db,
    actor,
    userId,
    "second-factor-removed",
    async (user, tx) => {
      if (given.typedEmail.trim().toLowerCase() !== user.email) return { ok: false, reason: "not_confirmed" };
      if (!(await removeSecondFactor(tx, userId))) return null;
      await queueMail(tx, {
        to: user.email,
        locale: (await findProfile(tx, userId))?.locale ?? "en",
        template: "second-factor-removed",
        data: { removed_at: new Date().toISOString(), security_link: `${given.siteUrl}/user/settings/security` },
      });
      return { details: null };
    },
    { takesAway: false },
  );
}

/**
 * Closes an account for good, after the admin typed its address: login is refused, no link restores it, and the eraser deletes it
 * in its next run. The audit row isn't the account's own and stays.
 */
export function removeUser(db: Db, actor: Actor, userId: string, typedEmail: string): Promise<UserActOutcome> {
  if (userId === actor.user_id) return Promise.resolve({ ok: false, reason: "self" });
  return act(
    db,
    actor,
    userId,
    "member-deleted",
    async (user, tx) => {
      if (typedEmail.trim().toLowerCase() !== user.email) return { ok: false, reason: "not_confirmed" };
      const now = sql`now()`;
      await tx
        .update(users)
        .set({ deactivated_at: user.deactivated_at ?? now, erase_after: now, updatedAt: now })
        .where(eq(users.id, userId));
      await endSessions(tx, userId);
      for (const purpose of ["reset-password", "keep-account"] as const)
        await removeTokens(tx, purpose, "user_id", userId);
      await removeEmailChange(tx, userId);
      return { details: null };
    },
    { takesAway: true, subjectType: "erased-user" },
  );
}
