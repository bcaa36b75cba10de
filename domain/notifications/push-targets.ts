// Browsers that are told by push: a subscription is found by its endpoint, and is whoever's who knows its secret part.
import { createHash, timingSafeEqual } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { notificationDeliveries } from "#db/schema/index.ts";
import { findTarget, type Target, type TargetAddress } from "./targets.ts";

/** What a browser shows to be known again. */
export type PushCredential = { endpoint: string; auth: string };

/** Whether `auth` is the secret part of the address; nobody learns by the clock how much of it is right. */
export function knowsAuth(address: TargetAddress | null, auth: string): boolean {
  const [right, said] = [address?.auth ?? "", auth].map((text) => createHash("sha256").update(text).digest());
  return address?.auth !== undefined && right !== undefined && said !== undefined && timingSafeEqual(right, said);
}

/** The target of a subscription; null for one that is not there, and for one whose secret part is another. */
export async function findPushTarget(db: Db, siteSecret: string, asked: PushCredential): Promise<Target | null> {
  const target = await findTarget(db, siteSecret, "push", asked.endpoint);
  return target && knowsAuth(target.address, asked.auth) ? target : null;
}

/** How long a test is worth sending. */
const TEST_S = 300;

/** Queues a message to a browser that says only that it arrived. */
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
