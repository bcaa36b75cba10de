// Webhooks of Discord as operators enter them: sealed, used through their limits, and stopped when Discord knows them no more.
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { discordCards, notificationTargets } from "#db/schema/index.ts";
import type { Discord, DiscordReply, Webhook } from "#outside/discord.ts";
import type { Target, TargetAddress } from "../notifications/targets.ts";
import { type DiscordRoute, noteReply, takeRequest } from "./limits.ts";

/** Discord's code for "no such message": the webhook is there, and its message was deleted. */
const UNKNOWN_MESSAGE = 10008;
/** "Cannot edit a message authored by another user": a wrong link was given. */
const NOT_ITS_MESSAGE = 50005;

/** A webhook as a target's address is sealed. */
export const addressOf = ({ id, token, thread_id }: Webhook): TargetAddress => ({
  id,
  token,
  ...(thread_id === null ? {} : { thread_id }),
});

/** The webhook of a target; null where the site's secret does not open it. */
export function webhookOf(target: Pick<Target, "address">): Webhook | null {
  const { id, token, thread_id } = target.address ?? {};
  return id && token ? { id, token, thread_id: thread_id ?? null } : null;
}

export type WebhookReply = DiscordReply | { outcome: "wait"; afterS: number };

/**
 * Asks Discord for one thing of a webhook, if its limit allows that now. `wait`: nothing was sent. Where Discord says that the
 * webhook is gone or shut, nothing is sent to it any more: requests that can only be refused are what it bans for.
 */
export async function askWebhook(
  { db, target_id, webhook }: { db: Db; target_id: string; webhook: Webhook },
  route: DiscordRoute,
  ask: () => ReturnType<Discord["post"]>,
): Promise<WebhookReply> {
  const afterS = await takeRequest(db, webhook.id, route);
  if (afterS !== null) return { outcome: "wait", afterS };
  const reply = await ask();
  // What is known of a limit is not worth losing an answer for: without it nobody asks for a while.
  await noteReply(db, webhook.id, route, reply).catch(() => {});
  if (isGone(reply)) await stopWebhook(db, target_id, reply.text);
  return reply;
}

/** Whether Discord has refused the webhook itself. */
export const isGone = (reply: WebhookReply): reply is Extract<DiscordReply, { outcome: "refused" }> =>
  reply.outcome === "refused" &&
  [401, 403, 404].includes(reply.status) &&
  reply.code !== UNKNOWN_MESSAGE &&
  reply.code !== NOT_ITS_MESSAGE;

/** Whether the message that was to be changed is none of this webhook. */
export const isForeignMessage = (reply: WebhookReply): boolean =>
  reply.outcome === "refused" && reply.code === NOT_ITS_MESSAGE;

/** Whether the message that was to be changed is not there. */
export const isMessageGone = (reply: WebhookReply): boolean =>
  reply.outcome === "refused" && reply.status === 404 && reply.code === UNKNOWN_MESSAGE;

/** Nothing is sent to it any more, until its address is entered anew. */
async function stopWebhook(db: Db, targetId: string, reason: string): Promise<void> {
  await db
    .update(notificationTargets)
    .set({ dead_at: sql`coalesce(${notificationTargets.dead_at}, now())`, last_error: reason.slice(0, 300) })
    .where(eq(notificationTargets.target_id, targetId));
}

/** Forgets the addresses of disconnected channels whose cards are gone. */
export async function removeDisconnected(db: Db): Promise<void> {
  await db
    .delete(notificationTargets)
    .where(
      and(
        eq(notificationTargets.kind, "discord"),
        isNull(notificationTargets.name),
        sql`not exists (select from ${discordCards} c where c.target_id = ${notificationTargets.target_id})`,
      ),
    );
}
