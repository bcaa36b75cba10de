// Browsers as push targets: found by a subscription's endpoint; control requires its secret part.
import { createHash, timingSafeEqual } from "node:crypto";
import { and, eq, isNotNull, ne, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { notificationDeliveries, notificationTargets } from "#db/schema/index.ts";
import { unfollow } from "./follows.ts";
import { endTarget, findTarget, type Target, type TargetAddress } from "./targets.ts";

/** Identifies a browser. */
export type PushCredential = { endpoint: string; auth: string };

/** True if `auth` is the address's secret part; compares in constant time. */
export function knowsAuth(address: TargetAddress | null, auth: string): boolean {
  const [right, said] = [address?.auth ?? "", auth].map((text) => createHash("sha256").update(text).digest());
  return address?.auth !== undefined && right !== undefined && said !== undefined && timingSafeEqual(right, said);
}

/** Finds a subscription's target; null if there is none or its secret part differs. */
export async function findPushTarget(db: Db, siteSecret: string, asked: PushCredential): Promise<Target | null> {
  const target = await findTarget(db, siteSecret, "push", asked.endpoint);
  return target && knowsAuth(target.address, asked.auth) ? target : null;
}

/** How long a test is worth sending. */
const TEST_S = 300;

/** Queues a test message to a browser. */
export async function queueTestPush(
  db: Db,
  targetId: string,
  words: { title: string; body: string; path: string },
): Promise<void> {
  await db.insert(notificationDeliveries).values({
    target_id: targetId,
    channel: "push",
    payload: words,
    expires_at: sql`now() + ${TEST_S} * interval '1 second'`,
  });
}

/**
 * Push targets of members: all of one member, except those of one browser (null: of none); or those of one browser, except those
 * of one member (null: of none). A browser is named by the hash of its device cookie.
 */
export type MembersPushTargets =
  | { user_id: string; except_browser: string | null }
  | { browser: string; except_user: string | null };

/**
 * Removes members' push targets with their follows, so that the next person at the browser finds it not set up. Call it in the
 * transaction that ends the session, so that neither happens without the other.
 */
export async function removePushTargets(tx: Db, which: MembersPushTargets): Promise<void> {
  const { kind, target_id, user_id } = notificationTargets;
  const targets = await tx
    .select({ target_id })
    .from(notificationTargets)
    .where(and(eq(kind, "push"), isNotNull(user_id), isOf(which)))
    .orderBy(target_id)
    .for("update");
  for (const target of targets) {
    await unfollow(tx, target, "all");
    await endTarget(tx, target.target_id);
  }
}

function isOf(which: MembersPushTargets): SQL | undefined {
  const { user_id, browser_hash } = notificationTargets;
  if ("browser" in which) {
    return and(
      eq(browser_hash, which.browser),
      which.except_user === null ? undefined : ne(user_id, which.except_user),
    );
  }
  const other = sql`${browser_hash} is distinct from ${which.except_browser}`;
  return and(eq(user_id, which.user_id), which.except_browser === null ? undefined : other);
}
