// Lists and removes accounts at another site (Discord) that a member logs in with.
import { and, desc, eq, ne, or, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { accounts } from "#db/schema/index.ts";
import { lockUser } from "../members/users.ts";
import { type Actor, recordAudit } from "../site/audit.ts";
import { tellSecurityChange } from "./security-mails.ts";

export type LinkedSite = { account_id: string; created_at: Date };

const ofUser = (userId: string) => and(eq(accounts.userId, userId), ne(accounts.providerId, "credential"));

/** The newest first. */
export async function listLinkedSites(db: Db, userId: string): Promise<LinkedSite[]> {
  return db
    .select({ account_id: accounts.id, created_at: accounts.createdAt })
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
    await tx.delete(accounts).where(own);
    await recordAudit(tx, { what: "discord-unlinked", actor_id: actor.user_id, origin: actor.origin });
    await tellSecurityChange(tx, { user_id: actor.user_id, what: "discord-unlinked", origin: actor.origin });
    return "removed";
  });
}

/**
 * Removes all of them after a new password or address: they may belong to an earlier owner of the mailbox. The caller has locked
 * the account's row and notifies the member.
 */
export async function takeLinkedSitesBack(tx: Db, { user_id, origin }: Actor): Promise<void> {
  const removed = await tx.delete(accounts).where(ofUser(user_id)).returning({ id: accounts.id });
  if (removed.length > 0) await recordAudit(tx, { what: "discord-unlinked", actor_id: user_id, origin });
}
