// Creates the first admin through a one-time link that the first start prints, or through the operator's command. There is no
// default account and nothing to guess.
import { sql } from "drizzle-orm";
import { LOCKS } from "#db/advisory-locks.ts";
import type { Db } from "#db/client.ts";
import { findRole, hasAdmin, updateRole } from "../members/roles.ts";
import { recordAudit } from "../site/audit.ts";
import { consumeToken, createToken, findToken, removeTokens } from "./one-time-tokens.ts";
import { removeSecondFactor } from "./second-factors.ts";
import { tellNewAdmin, tellSecurityChange } from "./security-mails.ts";
import { createUser, findUserByEmail, type User } from "./users.ts";

const LINK_S = 24 * 3600;

/**
 * Creates the link (path `/setup/…`, valid for one day and one use) that creates the first admin; null while there is an admin.
 * Each call voids the previous link.
 */
export async function ensureFirstAdminLink(db: Db): Promise<string | null> {
  if (await hasAdmin(db)) return null;
  await removeTokens(db, "first-admin", "for", "first-admin");
  return `/setup/${await createToken(db, "first-admin", { for: "first-admin" }, LINK_S)}`;
}

/** True if the link is valid. */
export async function isFirstAdminLink(db: Db, token: string): Promise<boolean> {
  return (await findToken(db, "first-admin", token)) !== null && !(await hasAdmin(db));
}

/** Creates the first admin and uses the link up. Null: the link is invalid, or the address has an account. */
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
 * Creates an admin, or promotes a member, by the operator's command; returns the token of a link that sets the password
 * (`/reset-password?token=…`, valid for a day). Removes a member's second factor: it may be lost, or the site's secret that sealed
 * it may have changed.
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
