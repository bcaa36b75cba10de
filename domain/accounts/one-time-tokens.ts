// One-time tokens for links in mails and for a browser's second step: random, stored as a hash, single use, each with an expiry.
import { createHash, randomBytes } from "node:crypto";
import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { verifications } from "#db/schema/index.ts";

/** A token's purpose; it isn't valid for any other. */
export type TokenPurpose = "verify-email" | "reset-password" | "first-admin" | "keep-account" | "second-step";

const identifierOf = (purpose: string, token: string) =>
  `${purpose}:${createHash("sha256").update(token).digest("base64url")}`;

/** Creates a token of 256 random bits for a link. Its use returns `about`. */
export async function createToken(
  db: Db,
  purpose: TokenPurpose,
  about: Record<string, string>,
  lifetimeS: number,
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await db.insert(verifications).values({
    identifier: identifierOf(purpose, token),
    value: JSON.stringify(about),
    expiresAt: sql`now() + make_interval(secs => ${lifetimeS})`,
  });
  return token;
}

/** Returns a token's `about` without using it up; null: unknown, used or expired. */
export async function findToken(db: Db, purpose: TokenPurpose, token: string): Promise<Record<string, string> | null> {
  const [found] = await db
    .select({ value: verifications.value })
    .from(verifications)
    .where(and(eq(verifications.identifier, identifierOf(purpose, token)), gt(verifications.expiresAt, sql`now()`)));
  return found ? JSON.parse(found.value) : null;
}

/** Uses a token up: of two requests with the same one, one gets its `about` and the other null. */
export async function consumeToken(
  db: Db,
  purpose: TokenPurpose,
  token: string,
): Promise<Record<string, string> | null> {
  const [used] = await db
    .delete(verifications)
    .where(and(eq(verifications.identifier, identifierOf(purpose, token)), gt(verifications.expiresAt, sql`now()`)))
    .returning({ value: verifications.value });
  return used ? JSON.parse(used.value) : null;
}

/**
 * Counts a try with a token before it is checked, so that concurrent tries count too. Returns its `about` and the tries so far;
 * null: unknown, used or expired.
 */
export async function countTry(
  db: Db,
  purpose: TokenPurpose,
  token: string,
): Promise<{ about: Record<string, string>; tries: number } | null> {
  const value = sql`${verifications.value}::jsonb`;
  const [row] = await db
    .update(verifications)
    .set({ value: sql`jsonb_set(${value}, '{tries}', to_jsonb(coalesce((${value} ->> 'tries')::int, 0) + 1))::text` })
    .where(and(eq(verifications.identifier, identifierOf(purpose, token)), gt(verifications.expiresAt, sql`now()`)))
    .returning({ value: verifications.value });
  if (!row) return null;
  const { tries, ...about } = JSON.parse(row.value);
  return { about, tries };
}

/**
 * Records within the caller's transaction that something that a browser stores, such as a challenge, is used. False: it was used
 * before.
 */
export async function claimOnce(tx: Db, purpose: string, text: string, lifetimeS: number): Promise<boolean> {
  const identifier = identifierOf(`used-${purpose}`, text);
  // Two uses at the same moment run one after the other.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${identifier}, 0))`);
  if ((await tx.$count(verifications, eq(verifications.identifier, identifier))) > 0) return false;
  const expiresAt = sql`now() + make_interval(secs => ${lifetimeS})`;
  await tx.insert(verifications).values({ identifier, value: "{}", expiresAt });
  return true;
}

const about = (purpose: TokenPurpose, key: string, value: string) =>
  and(
    sql`${verifications.identifier} like ${`${purpose}:%`}`,
    // Only our rows are JSON, and SQL's `and` has no fixed order.
    sql`case when ${verifications.identifier} like ${`${purpose}:%`} then ${verifications.value}::jsonb ->> ${key} = ${value} end`,
  );

/**
 * Removes every token of a purpose whose `about` has this value, once a newer link or a change replaces them. Resolves to their
 * `about`.
 */
export async function removeTokens(
  db: Db,
  purpose: TokenPurpose,
  key: string,
  value: string,
): Promise<Record<string, string>[]> {
  const removed = await db
    .delete(verifications)
    .where(about(purpose, key, value))
    .returning({ value: verifications.value });
  return removed.map((row) => JSON.parse(row.value));
}

/** Removes expired tokens. */
export async function sweepTokens(db: Db): Promise<void> {
  await db.delete(verifications).where(lt(verifications.expiresAt, sql`now()`));
}
