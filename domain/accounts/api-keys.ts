// API keys for admins' programs. A key is shown once and stored as a hash; it has its own scopes and never more than its admin's
// role allows. Each change and its audit row are one transaction.
import { randomBytes } from "node:crypto";
import { and, asc, eq, gt, lt, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { apiKeys, KEY_SCOPES, profiles, roles, users } from "#db/schema/index.ts";
import { fieldError } from "#shared/field-error-codes.ts";
import { filledLine, filledNumber } from "../form-text.ts";
import { may } from "../permissions.ts";
import { type Actor, recordAudit } from "../site/audit.ts";
import { isActiveMember } from "./active-members.ts";
import { tellSecurityChange } from "./security-mails.ts";
import { hashToken } from "./sessions.ts";

export { KEY_SCOPES };
export type KeyScope = (typeof KEY_SCOPES)[number];

export const KEY_DAYS_MAX = 365;
export const KEY_NOTE_MAX = 80;
/** Active keys per admin. */
const MOST_KEYS = 20;
/** The last use is written at most this often. */
const TOUCH_AFTER_S = 300;

/** A requested key as a form sends it. Errors: `missing`, `too_long`, `number`, `no_choice`. */
export const apiKeyShape = z.object({
  note: filledLine(KEY_NOTE_MAX),
  days: filledNumber(1, KEY_DAYS_MAX),
  scopes: z
    .array(z.enum(KEY_SCOPES, fieldError("no_choice")))
    .min(1, fieldError("missing"))
    .max(KEY_SCOPES.length, fieldError("no_choice")),
});

/** A verified key: its owner and its current scopes. */
export type ApiKey = { key_id: number; user_id: string; note: string; scopes: KeyScope[] };

/** True for text in our key format; other text is never looked up. */
const isApiKey = (text: string): boolean => /^spk_[\w-]{43}$/.test(text);

/**
 * Creates a key for the acting admin and returns it; only its hash is stored. `role`: the admin's role doesn't allow all of these
 * scopes (any more); `too_many`: the admin has twenty active keys.
 */
export async function createApiKey(
  db: Db,
  actor: Actor,
  given: z.infer<typeof apiKeyShape>,
): Promise<{ ok: true; key: string } | { ok: false; reason: "role" | "too_many" }> {
  const key = `spk_${randomBytes(32).toString("base64url")}`;
  return db.transaction(async (tx) => {
    // Locked until the end, so that a concurrent change of role removes this key too.
    const [owner] = await tx.select().from(roles).where(eq(roles.user_id, actor.user_id)).for("update");
    if (!given.scopes.every((scope) => may(owner?.role ?? null, scope))) return { ok: false, reason: "role" };
    const running = await tx.$count(
      apiKeys,
      and(eq(apiKeys.user_id, actor.user_id), gt(apiKeys.expires_at, sql`now()`)),
    );
    if (running >= MOST_KEYS) return { ok: false, reason: "too_many" };
    const scopes = KEY_SCOPES.filter((scope) => given.scopes.includes(scope));
    const [made] = await tx
      .insert(apiKeys)
      .values({
        user_id: actor.user_id,
        key_hash: hashToken(key),
        note: given.note,
        scopes,
        expires_at: sql`now() + make_interval(days => ${given.days})`,
      })
      .returning({ key_id: apiKeys.key_id });
    await recordAudit(tx, {
      what: "api-key-made",
      actor_id: actor.user_id,
      origin: actor.origin,
      subject: { type: "api-key", id: String(made?.key_id) },
      details: { note: given.note, scopes, days: given.days },
    });
    await tellSecurityChange(tx, { user_id: actor.user_id, what: "api-key-made", origin: actor.origin });
    return { ok: true, key };
  });
}

/** Lists the active keys of all admins. */
export function listApiKeys(db: Db) {
  return db
    .select({
      key_id: apiKeys.key_id,
      note: apiKeys.note,
      scopes: apiKeys.scopes,
      owner: profiles.user_nick_name,
      expires_at: apiKeys.expires_at,
      last_used_at: apiKeys.last_used_at,
    })
    .from(apiKeys)
    .innerJoin(profiles, eq(profiles.user_id, apiKeys.user_id))
    .where(gt(apiKeys.expires_at, sql`now()`))
    .orderBy(asc(apiKeys.key_id));
}

/** Removes a key of any admin. False: there was none. */
export async function removeApiKey(db: Db, actor: Actor, keyId: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [gone] = await tx.delete(apiKeys).where(eq(apiKeys.key_id, keyId)).returning();
    if (!gone) return false;
    await recordAudit(tx, {
      what: "api-key-ended",
      actor_id: actor.user_id,
      origin: actor.origin,
      subject: { type: "api-key", id: String(keyId) },
      details: { note: gone.note },
    });
    return true;
  });
}

/** Removes all keys of an account within the caller's transaction: another person may have created them. */
export async function removeApiKeysOf(tx: Db, actor: Actor): Promise<void> {
  const gone = await tx.delete(apiKeys).where(eq(apiKeys.user_id, actor.user_id)).returning();
  for (const key of gone) {
    await recordAudit(tx, {
      what: "api-key-ended",
      actor_id: actor.user_id,
      origin: actor.origin,
      subject: { type: "api-key", id: String(key.key_id) },
      details: { note: key.note },
    });
  }
}

/**
 * Finds the key for a text; null if unknown or expired, or if its admin is banned or leaving. Limits its scopes to what the admin's
 * role allows now.
 */
export async function findApiKey(db: Db, text: string): Promise<ApiKey | null> {
  if (!isApiKey(text)) return null;
  const [found] = await db
    .select({
      key_id: apiKeys.key_id,
      user_id: apiKeys.user_id,
      note: apiKeys.note,
      scopes: apiKeys.scopes,
      role: roles.role,
      touch: sql<boolean>`coalesce(${apiKeys.last_used_at} < now() - make_interval(secs => ${TOUCH_AFTER_S}), true)`,
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.user_id))
    .innerJoin(roles, eq(roles.user_id, apiKeys.user_id))
    .where(and(eq(apiKeys.key_hash, hashToken(text)), gt(apiKeys.expires_at, sql`now()`), isActiveMember()));
  if (!found) return null;
  const { role, touch, ...key } = found;
  if (touch) await db.update(apiKeys).set({ last_used_at: sql`now()` }).where(eq(apiKeys.key_id, key.key_id));
  return { ...key, scopes: key.scopes.filter((scope) => may(role, scope)) };
}

/** Removes expired keys. */
export async function sweepApiKeys(db: Db): Promise<void> {
  await db.delete(apiKeys).where(lt(apiKeys.expires_at, sql`now()`));
}
