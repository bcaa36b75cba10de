// One-time tokens for links in mails: random, kept as a hash, used once, each with its end.
import { createHash, randomBytes } from "node:crypto";
import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { verifications } from "#db/schema/index.ts";

/** What a token is good for; one made for one purpose is nothing for another. */
export type TokenPurpose = "verify-email" | "reset-password" | "first-admin" | "keep-account";

const identifierOf = (purpose: TokenPurpose, token: string) =>
  `${purpose}:${createHash("sha256").update(token).digest("base64url")}`;

/** Makes a token of 256 random bits for a link. `about` comes back when it is used. */
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

/** What a token is about, without using it up; null: unknown, used or expired. */
export async function findToken(db: Db, purpose: TokenPurpose, token: string): Promise<Record<string, string> | null> {
  const [found] = await db
    .select({ value: verifications.value })
    .from(verifications)
    .where(and(eq(verifications.identifier, identifierOf(purpose, token)), gt(verifications.expiresAt, sql`now()`)));
  return found ? JSON.parse(found.value) : null;
}

/** Uses a token up: of two requests with the same one, one gets what it is about and the other null. */
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

const about = (purpose: TokenPurpose, key: string, value: string) =>
  and(
    sql`${verifications.identifier} like ${`${purpose}:%`}`,
    // Only ours are JSON, and `and` promises no order.
    sql`case when ${verifications.identifier} like ${`${purpose}:%`} then ${verifications.value}::jsonb ->> ${key} = ${value} end`,
  );

/**
 * Takes away every token of a purpose whose `about` has this value: a newer link, or a change, makes the old one void.
 * Resolves to what they were about.
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

/** Removes what has expired. */
export async function sweepTokens(db: Db): Promise<void> {
  await db.delete(verifications).where(lt(verifications.expiresAt, sql`now()`));
}
