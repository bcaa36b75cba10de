// Finds, links, lists and removes accounts at another site (Discord, OpenID Connect) that a member logs in with.
import { and, desc, eq, ne, or, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { accounts, users } from "#db/schema/index.ts";
import type { Identity, ProviderId } from "#outside/identity-provider.ts";
import { type Actor, recordAudit } from "../site/audit.ts";
import { readSiteSettings } from "../site/settings.ts";
import { tellSecurityChange } from "./security-mails.ts";
import { findMemberByToken } from "./sessions.ts";
import { createUser, findUserByEmail, isEmail, isRefusedBy, lockUser, type User } from "./users.ts";

const at = (provider: ProviderId, { account_id }: Identity) =>
  and(eq(accounts.providerId, provider), eq(accounts.accountId, account_id));

/**
 * Finds who logs in with an account at another site, or makes a user for its address: if it is confirmed there, has no account
 * here, and registration is open. Null: refused; an address that has an account here proves nothing, as it may have another owner
 * by now.
 */
export async function findOrCreateLinkedUser(db: Db, provider: ProviderId, identity: Identity): Promise<User | null> {
  const [linked] = await db
    .select({ user: users })
    .from(accounts)
    .innerJoin(users, eq(users.id, accounts.userId))
    .where(at(provider, identity));
  if (linked) return linked.user.emailVerified ? linked.user : null;
  const { account_id, email } = identity;
  if (email === null || !isEmail(email) || (await findUserByEmail(db, email))) return null;
  if ((await readSiteSettings(db)).registration !== "open") return null;
  try {
    return await db.transaction(async (tx) => {
      const user = await createUser(tx, { email, passwordHash: null, locale: "en", emailVerified: true });
      await tx.insert(accounts).values({ userId: user.id, providerId: provider, accountId: account_id });
      return user;
    });
  } catch (error) {
    // A concurrent login or sign-up was first.
    if (isRefusedBy(error, "users_email_unique") || isRefusedBy(error, "accounts_of_provider")) return null;
    throw error;
  }
}

/**
 * Links an account at another site to the member who began it, and notifies them. False: they are no longer logged in, its address
 * isn't theirs or isn't confirmed there, or it is another member's.
 * @param token of the request's session: a logout or a new password meanwhile cancels the link
 */
export async function linkSite(
  db: Db,
  actor: Actor,
  token: string | null,
  provider: ProviderId,
  identity: Identity,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    // Locked first, as a reset does, so that they run one after the other.
    const user = await lockUser(tx, actor.user_id);
    const member = token === null ? null : await findMemberByToken(tx, token);
    if (!user || member?.user_id !== user.id || user.email !== identity.email) return false;
    const [made] = await tx
      .insert(accounts)
      .values({ userId: user.id, providerId: provider, accountId: identity.account_id })
      .onConflictDoNothing()
      .returning({ id: accounts.id });
    if (!made) return (await tx.$count(accounts, and(at(provider, identity), eq(accounts.userId, user.id)))) > 0;
    await recordAudit(tx, { what: LINKED[provider], actor_id: user.id, origin: actor.origin });
    await tellSecurityChange(tx, { user_id: user.id, what: LINKED[provider], origin: actor.origin });
    return true;
  });
}

const LINKED = { discord: "discord-linked", oidc: "oidc-linked" } as const satisfies Record<ProviderId, string>;
const UNLINKED = { discord: "discord-unlinked", oidc: "oidc-unlinked" } as const satisfies Record<ProviderId, string>;

/** What people call the sites, also those that are no longer offered. */
export const SITE_NAMES: Record<ProviderId, string> = { discord: "Discord", oidc: "OpenID Connect" };

export type LinkedSite = { account_id: string; provider: ProviderId; created_at: Date };

const provider = { provider: sql<ProviderId>`${accounts.providerId}` };
const ofUser = (userId: string) => and(eq(accounts.userId, userId), ne(accounts.providerId, "credential"));

/** The newest first. */
export async function listLinkedSites(db: Db, userId: string): Promise<LinkedSite[]> {
  return db
    .select({ account_id: accounts.id, ...provider, created_at: accounts.createdAt })
    .from(accounts)
    .where(ofUser(userId))
    .orderBy(desc(accounts.createdAt));
}

/**
 * Removes one of the member's own and notifies them. `none`: no such id; `last`: no password, passkey or other site would be left,
 * so a member without their mailbox couldn't log in.
 */
export async function removeLinkedSite(db: Db, actor: Actor, accountId: string): Promise<"removed" | "none" | "last"> {
  return db.transaction(async (tx) => {
    await lockUser(tx, actor.user_id);
    const own = and(ofUser(actor.user_id), sql`${accounts.id}::text = ${accountId}`);
    if ((await tx.$count(accounts, own)) === 0) return "none";
    const others = and(
      eq(accounts.userId, actor.user_id),
      sql`${accounts.id}::text <> ${accountId}`,
      or(ne(accounts.providerId, "credential"), sql`${accounts.password} is not null`),
    );
    const {
      rows: [left],
    } = await tx.execute<{ another_way: boolean }>(sql`
      select exists (select from ${accounts} where ${others})
        or exists (select from passkeys where user_id = ${actor.user_id}::uuid) as another_way`);
    if (!left?.another_way) return "last";
    const [gone] = await tx.delete(accounts).where(own).returning(provider);
    if (!gone) return "none";
    const what = UNLINKED[gone.provider];
    await recordAudit(tx, { what, actor_id: actor.user_id, origin: actor.origin });
    await tellSecurityChange(tx, { user_id: actor.user_id, what, origin: actor.origin });
    return "removed";
  });
}

/**
 * Removes all of them after a new password or address: they may belong to an earlier owner of the mailbox. The caller has locked
 * the account's row and notifies the member.
 */
export async function takeLinkedSitesBack(tx: Db, { user_id, origin }: Actor): Promise<void> {
  const removed = await tx.delete(accounts).where(ofUser(user_id)).returning(provider);
  for (const id of new Set(removed.map((row) => row.provider)))
    await recordAudit(tx, { what: UNLINKED[id], actor_id: user_id, origin });
}
