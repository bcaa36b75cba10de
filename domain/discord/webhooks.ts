// Discord webhooks that operators enter: seals them, sends within their limits, and stops them when Discord no longer knows them.
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { discordCards, notificationTargets } from "#db/schema/index.ts";
import type { Discord, DiscordReply, Webhook } from "#outside/discord.ts";
import type { Target, TargetAddress } from "../notifications/targets.ts";
import { type DiscordRoute, noteReply, takeRequest } from "./limits.ts";

/** Discord's code for "no such message": the webhook exists, its message was deleted. */
const UNKNOWN_MESSAGE = 10008;
/** "Cannot edit a message authored by another user": a wrong link was given. */
const NOT_ITS_MESSAGE = 50005;

/** A webhook as a target's sealed address. */
export const addressOf = ({ id, token, thread_id }: Webhook): TargetAddress => ({
  id,
  token,
  ...(thread_id === null ? {} : { thread_id }),
});

/** The webhook of a target; null if the site's secret can't open it. */
export function webhookOf(target: Pick<Target, "address">): Webhook | null {
  const { id, token, thread_id } = target.address ?? {};
  return id && token ? { id, token, thread_id: thread_id ?? null } : null;
}

export type WebhookReply = DiscordReply | { outcome: "wait"; afterS: number };

/**
 * Sends one request to a webhook if its limit allows it now. `wait`: nothing was sent. Stops the webhook when Discord says it is
 * gone or closed: Discord bans clients whose requests can only be refused.
 */
export async function askWebhook(
  { db, target_id, webhook }: { db: Db; target_id: string; webhook: Webhook },
  route: DiscordRoute,
  ask: () => ReturnType<Discord["post"]>,
): Promise<WebhookReply> {
  const afterS = await takeRequest(db, webhook.id, route);
  if (afterS !== null) return { outcome: "wait", afterS };
  const reply = await ask();
  // A failed limit update must not lose the reply: without it requests pause for a while.
  await noteReply(db, webhook.id, route, reply).catch(() => {});
  if (isGone(reply)) await stopWebhook(db, target_id, reply.text);
  return reply;
}

/** True if Discord has refused the webhook itself. */
export const isGone = (reply: WebhookReply): reply is Extract<DiscordReply, { outcome: "refused" }> =>
  reply.outcome === "refused" &&
  [401, 403, 404].includes(reply.status) &&
  reply.code !== UNKNOWN_MESSAGE &&
  reply.code !== NOT_ITS_MESSAGE;

/** True if this webhook didn't post the message to be edited. */
export const isForeignMessage = (reply: WebhookReply): boolean =>
  reply.outcome === "refused" && reply.code === NOT_ITS_MESSAGE;

/** True if the message to be edited doesn't exist. */
export const isMessageGone = (reply: WebhookReply): boolean =>
  reply.outcome === "refused" && reply.status === 404 && reply.code === UNKNOWN_MESSAGE;

/** Stops sending to a webhook until its address is entered again. */
async function stopWebhook(db: Db, targetId: string, reason: string): Promise<void> {
  await db
    .update(notificationTargets)
    .set({ dead_at: sql`coalesce(${notificationTargets.dead_at}, now())`, last_error: reason.slice(0, 300) })
    .where(eq(notificationTargets.target_id, targetId));
}

/** Deletes the addresses of disconnected channels without cards. */
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
