// Creates and finds accounts; stores their passwords.
import { randomInt } from "node:crypto";
import { and, eq, lt, ne, notExists, sql } from "drizzle-orm";
import pg from "pg";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { accounts, profiles, roles, sessions, users } from "#db/schema/index.ts";
import { removePushTargets } from "../notifications/push-targets.ts";

export type User = typeof users.$inferSelect;

/** Addresses are compared in lower case, as the table stores them. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

/** True for one plain address, short enough for SMTP, that can also log in. Only a mail shows whether it exists. */
export const isEmail = (email: string): boolean => hasEmailForm(email) && z.email().safeParse(email).success;

/** A wider check: existing accounts may have addresses that new ones may not. */
export const hasEmailForm = (email: string): boolean =>
  email.length <= 254 && /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/i.test(email);

/** Finds the user with this address in any spelling, or null. */
export async function findUserByEmail(db: Db, email: string): Promise<User | null> {
  const [found] = await db
    .select()
    .from(users)
    .where(eq(users.email, normalizeEmail(email)));
  return found ?? null;
}

/** Finds the user by id, or null. */
export async function findUser(db: Db, userId: string): Promise<User | null> {
  const [found] = await db.select().from(users).where(eq(users.id, userId));
  return found ?? null;
}

/** Finds and locks a user until the transaction ends, so that changes to one account run one after the other. */
export async function lockUser(db: Db, userId: string): Promise<User | null> {
  const [found] = await db.select().from(users).where(eq(users.id, userId)).for("update");
  return found ?? null;
}

/**
 * Creates a user with profile, role and password (a hash) in one transaction.
 * @throws when the address is taken (check before: this is for the race).
 */
export async function createUser(
  db: Db,
  given: { email: string; passwordHash: string | null; locale: "en" | "de"; emailVerified?: boolean },
): Promise<User> {
  return db.transaction(async (tx) => {
    const [user] = await tx
      .insert(users)
      .values({ email: normalizeEmail(given.email), emailVerified: given.emailVerified ?? false })
      .returning();
    if (!user) throw new Error("the new user did not come back");
    await createBelongings(tx, user.id, given.locale);
    if (given.passwordHash !== null) await setPasswordHash(tx, user.id, given.passwordHash);
    return user;
  });
}

/** Creates the rows that every user has: a profile with a random name, and the role `user`. */
async function createBelongings(db: Db, userId: string, locale: "en" | "de"): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const made = await db
      .insert(profiles)
      .values({ user_id: userId, user_nick_name: randomNickName(attempt), locale })
      .onConflictDoNothing()
      .returning({ user_id: profiles.user_id });
    if (made.length > 0) break;
    if (attempt === 9) throw new Error("no free name was found for a new profile");
  }
  await db.insert(roles).values({ user_id: userId, role: "user" });
}

/** Omits letters and digits that look alike. Each retry after a taken name is longer. */
function randomNickName(attempt: number): string {
  const letters = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
  return `Player-${Array.from({ length: 4 + attempt }, () => letters[randomInt(letters.length)]).join("")}`;
}

/** Finds the hash of a user's password; null: none set (they log in through another site, or have not set one). */
export async function findPasswordHash(db: Db, userId: string): Promise<string | null> {
  const [found] = await db
    .select({ hash: accounts.password })
    .from(accounts)
    .where(and(eq(accounts.userId, userId), eq(accounts.providerId, "credential")));
  return found?.hash ?? null;
}

/** Stores a password hash, replacing the old one. The caller handles sessions. */
export async function setPasswordHash(db: Db, userId: string, hash: string): Promise<void> {
  await db
    .insert(accounts)
    .values({ userId, providerId: "credential", accountId: userId, password: hash })
    .onConflictDoUpdate({
      target: [accounts.providerId, accounts.accountId],
      set: { password: hash, updatedAt: new Date() },
    });
}

/** Changes a user's address and marks it as confirmed. False: another user has it by now. */
export async function updateEmail(db: Db, userId: string, email: string): Promise<boolean> {
  const taken = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, normalizeEmail(email)), ne(users.id, userId)));
  if (taken.length > 0) return false;
  try {
    // In its own transaction, so that a conflict doesn't abort the caller's.
    await db.transaction((tx) =>
      tx
        .update(users)
        .set({ email: normalizeEmail(email), emailVerified: true, updatedAt: new Date() })
        .where(eq(users.id, userId)),
    );
    return true;
  } catch (error) {
    if (isRefusedBy(error, "users_email_unique")) return false;
    throw error;
  }
}

/** True if this constraint or index caused the error. */
export function isRefusedBy(error: unknown, constraint: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof pg.DatabaseError && cause.constraint === constraint) return true;
  }
  return false;
}

/** A session and its browser, by the hash of its device cookie (null: it has none). */
export type SessionHere = { session_id: string; browser: string | null };

/**
 * Logs a user out everywhere except in the given session, and removes the push targets of those browsers. Returns how many
 * sessions ended.
 */
export async function endSessions(db: Db, userId: string, except?: SessionHere): Promise<number> {
  return db.transaction(async (tx) => {
    const ended = await tx
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), except ? ne(sessions.id, except.session_id) : undefined))
      .returning({ id: sessions.id });
    await removePushTargets(tx, { user_id: userId, except_browser: except?.browser ?? null });
    return ended.length;
  });
}

const KEPT_UNCONFIRMED_DAYS = 7;

/** Removes accounts whose address wasn't confirmed within a week; it may belong to another person. */
export async function sweepUnconfirmed(db: Db): Promise<void> {
  await db
    .delete(users)
    .where(
      and(
        eq(users.emailVerified, false),
        lt(users.createdAt, sql`now() - make_interval(days => ${KEPT_UNCONFIRMED_DAYS})`),
        notExists(db.select({ one: sql`1` }).from(sessions).where(eq(sessions.userId, users.id))),
      ),
    );
}
