// Login codes sent by mail: eight digits, valid for ten minutes and five tries, and only in the browser that requested them, so
// that a stranger's tries use up a code of their own.
import { createHmac, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { and, eq, gt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { verifications } from "#db/schema/index.ts";

export const CODE_MINUTES = 10;
const MAX_TRIES = 5;

type Kept = { user_id: string | null; email?: string | undefined; code: string; tries: number };

const digest = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest("base64url");
const identifierOf = (secret: string, ticket: string) => `sign-in-code:${digest(secret, ticket)}`;

/**
 * Creates a code for a user (or one that matches no user) and a ticket for the browser. Login needs both; both are stored as
 * hashes.
 */
export async function createSignInCode(
  db: Db,
  secret: string,
  user: { id: string; email: string } | null,
): Promise<{ ticket: string; code: string }> {
  const ticket = randomBytes(24).toString("base64url");
  const code = String(randomInt(10 ** 8)).padStart(8, "0");
  const kept: Kept = {
    user_id: user?.id ?? null,
    email: user?.email,
    code: digest(secret, `${ticket} ${code}`),
    tries: 0,
  };
  await db.insert(verifications).values({
    identifier: identifierOf(secret, ticket),
    value: JSON.stringify(kept),
    expiresAt: sql`now() + make_interval(mins => ${CODE_MINUTES})`,
  });
  return { ticket, code };
}

/** Uses up a ticket and code; returns the user and the address the code was sent to. Null: not valid (any more). */
export async function consumeSignInCode(
  db: Db,
  secret: string,
  ticket: string,
  code: string,
): Promise<{ user_id: string; email: string } | null> {
  const mine = eq(verifications.identifier, identifierOf(secret, ticket));
  // Count the try before checking it, so that concurrent tries count as well.
  const [row] = await db
    .update(verifications)
    .set({
      value: sql`jsonb_set(${verifications.value}::jsonb, '{tries}', to_jsonb((${verifications.value}::jsonb ->> 'tries')::int + 1))::text`,
    })
    .where(and(mine, gt(verifications.expiresAt, sql`now()`)))
    .returning({ value: verifications.value });
  if (!row) return null;
  const kept: Kept = JSON.parse(row.value);
  if (kept.tries > MAX_TRIES) return null;
  const given = Buffer.from(digest(secret, `${ticket} ${code}`));
  if (!timingSafeEqual(given, Buffer.from(kept.code))) return null;
  const used = await db.delete(verifications).where(mine).returning({ id: verifications.id });
  const { user_id, email } = kept;
  return used.length > 0 && user_id !== null && email !== undefined ? { user_id, email } : null;
}
