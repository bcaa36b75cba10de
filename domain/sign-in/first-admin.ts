// The first admin: made with a one-time link that the first start prints, or by the operator's own command. There is no
// default account, and nothing to guess.
import { sql } from "drizzle-orm";
import { LOCKS } from "#db/advisory-locks.ts";
import type { Db } from "#db/client.ts";
import { findRole, hasAdmin, updateRole } from "../members/roles.ts";
import { createUser, findUserByEmail, type User } from "../members/users.ts";
import { recordAudit } from "../site/audit.ts";
import { consumeToken, createToken, findToken, removeTokens } from "./one-time-tokens.ts";
import { removeSecondFactor } from "./second-factors.ts";
import { tellNewAdmin, tellSecurityChange } from "./security-mails.ts";

const LINK_S = 24 * 3600;

/**
 * The path of a link (`/setup/…`, good for a day and for one use) with which the first admin is made; null while there is an
 * admin. Each call makes the link before it void.
 */
export async function ensureFirstAdminLink(db: Db): Promise<string | null> {
  if (await hasAdmin(db)) return null;
  await removeTokens(db, "first-admin", "for", "first-admin");
  return `/setup/${await createToken(db, "first-admin", { for: "first-admin" }, LINK_S)}`;
}

/** Whether the link is good. */
export async function isFirstAdminLink(db: Db, token: string): Promise<boolean> {
  return (await findToken(db, "first-admin", token)) !== null && !(await hasAdmin(db));
}

/** Makes the first admin and uses the link up. Null: the link is no good, or the address has an account. */
export async function createFirstAdmin(
  db: Db,
  token: string,
  given: { email: string; passwordHash: string; locale: "en" | "de" },
): Promise<User | null> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS.firstAdmin})`);
    if ((await hasAdmin(tx)) || (await findUserByEmail(tx, given.email))) return null;
    if (!(await consumeToken(tx, "first-admin", token))) return null;
    return makeAdmin(tx, { ...given, emailVerified: true });
  });
}

/**
 * Makes an admin by the operator's word, or makes one of a member, and gives the token of a link with which they set their
 * password (`/reset-password?token=…`, a day). A member's second factor goes: the operator may be helping somebody who
 * lost it, or a site whose secret, which sealed it, is another one now.
 */
export async function createAdmin(
  db: Db,
  email: string,
): Promise<{ token: string; made: boolean; second_factor_removed: boolean }> {
  return db.transaction(async (tx) => {
    const found = await findUserByEmail(tx, email);
    const user = found ?? (await makeAdmin(tx, { email, passwordHash: null, locale: "en", emailVerified: true }));
    const second_factor_removed = found !== null && (await removeSecondFactor(tx, found.id));
    if (second_factor_removed) {
      const subject = { type: "user", id: user.id };
      await recordAudit(tx, { what: "second-factor-removed", actor_id: null, subject });
      await tellSecurityChange(tx, { user_id: user.id, what: "second-factor-off", origin: null });
    }
    if (found) await giveAdmin(tx, found.id);
    return {
      token: await createToken(tx, "reset-password", { user_id: user.id, email: user.email }, LINK_S),
      made: found === null,
      second_factor_removed,
    };
  });
}

async function makeAdmin(db: Db, given: Parameters<typeof createUser>[1]): Promise<User> {
  const user = await createUser(db, given);
  await giveAdmin(db, user.id);
  return user;
}

async function giveAdmin(db: Db, userId: string): Promise<void> {
  const before = await findRole(db, userId);
  await updateRole(db, userId, "admin");
  await recordAudit(db, { what: "first-admin", actor_id: null, subject: { type: "user", id: userId } });
  if (before !== "admin") await tellNewAdmin(db, userId, null);
}
