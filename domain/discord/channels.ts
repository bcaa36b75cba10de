// Lets admins connect and disconnect Discord channels and their live cards. Writes each change and its audit row in one
// transaction.
import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import { LOCKS } from "#db/advisory-locks.ts";
import type { Db } from "#db/client.ts";
import { discordCards, games, gameserver, notificationRules, notificationTargets } from "#db/schema/index.ts";
import { type Discord, readMessageId, readWebhook } from "#outside/discord.ts";
import type { Locale } from "#shared/locale.ts";
import { findTarget, findTargetById, registerTarget } from "../notifications/targets.ts";
import { type Actor, type AuditWhat, recordAudit } from "../site/audit.ts";
import type { CardRow } from "./cards.ts";
import { noteReply, takeRequest } from "./limits.ts";
import { addressOf, askWebhook, isGone, removeDisconnected, webhookOf } from "./webhooks.ts";

export const DISCORD_NAME_MAX = 60;
const MOST_CHANNELS = 50;
const MOST_CARDS = 20;

/** Connected channels: one without a name is being disconnected and waits for its cards to be deleted in Discord. */
const isConnected = and(eq(notificationTargets.kind, "discord"), isNotNull(notificationTargets.name));

type Why<Reason extends string> = { ok: true } | { ok: false; reason: Reason };

/** Lists the channels with their cards, by name. */
export async function listDiscordChannels(db: Db) {
  const [channels, cards] = await Promise.all([
    db
      .select({
        target_id: notificationTargets.target_id,
        name: sql<string>`${notificationTargets.name}`,
        last4: notificationTargets.last4,
        dead: sql<boolean>`${notificationTargets.dead_at} is not null`,
        last_error: notificationTargets.last_error,
      })
      .from(notificationTargets)
      .where(isConnected)
      .orderBy(asc(sql`lower(${notificationTargets.name})`), asc(notificationTargets.target_id)),
    db
      .select({
        card_id: discordCards.card_id,
        target_id: discordCards.target_id,
        kind: discordCards.kind,
        about: sql<string | null>`coalesce(${gameserver.server_name}, ${games.game_name})`,
        state: discordCards.state,
        last_error: discordCards.last_error,
      })
      .from(discordCards)
      .leftJoin(games, eq(games.game_id, discordCards.game_id))
      .leftJoin(gameserver, eq(gameserver.server_id, discordCards.server_id))
      .orderBy(asc(discordCards.created_at), asc(discordCards.card_id)),
  ]);
  return channels.map((channel) => ({
    ...channel,
    cards: cards.filter((card) => card.target_id === channel.target_id),
  }));
}

/**
 * Connects a channel by its webhook's address if Discord knows it; resumes a stopped one. `not_discord`: no such address;
 * `unknown`: Discord doesn't know it; `away`: Discord is unavailable.
 */
export async function connectChannel(
  { db, secret, discord }: { db: Db; secret: string; discord: Discord },
  actor: Actor,
  given: { name: string; url: string; locale: Locale; withCard: boolean },
): Promise<
  { ok: true; target_id: string } | { ok: false; reason: "not_discord" | "unknown" | "away" | "taken" | "too_many" }
> {
  const webhook = readWebhook(given.url);
  if (!webhook) return { ok: false, reason: "not_discord" };
  if ((await takeRequest(db, webhook.id, "look")) !== null) return { ok: false, reason: "away" };
  const reply = await discord.look(webhook);
  await noteReply(db, webhook.id, "look", reply);
  if (reply.outcome !== "ok") return { ok: false, reason: isGone(reply) ? "unknown" : "away" };
  const identity = `${webhook.id} ${webhook.thread_id ?? ""}`;
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS.discordChannels})`);
    if ((await tx.$count(notificationTargets, isConnected)) >= MOST_CHANNELS) return { ok: false, reason: "too_many" };
    const there = await findTarget(tx, secret, "discord", identity);
    if (there && there.dead_at === null) return { ok: false, reason: "taken" };
    const last4 = webhook.token.slice(-4);
    const target = {
      kind: "discord",
      identity,
      address: addressOf(webhook),
      last4,
      name: given.name,
      locale: given.locale,
    } as const;
    const made = await registerTarget(tx, secret, target);
    if (!made.ok) throw new Error(`a channel of Discord was not made: ${made.reason}`);
    const { target_id } = made.target;
    if (given.withCard) {
      await tx.insert(discordCards).values({ target_id, kind: "site", locale: given.locale }).onConflictDoNothing();
    }
    await record(tx, actor, "notification-channel-made", target_id, { kind: "discord", name: given.name });
    return { ok: true, target_id };
  });
}

/**
 * Disconnects a channel: removes its rules at once, and its address after its cards are deleted in Discord. False: there is none.
 */
export function disconnectChannel(db: Db, actor: Actor, targetId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [gone] = await tx
      .select({ name: notificationTargets.name })
      .from(notificationTargets)
      .where(and(eq(notificationTargets.target_id, targetId), isConnected))
      .for("update");
    if (!gone) return false;
    await tx.delete(notificationRules).where(eq(notificationRules.target_id, targetId));
    await tx.update(notificationTargets).set({ name: null }).where(eq(notificationTargets.target_id, targetId));
    await tx
      .update(discordCards)
      .set({ state: "ending", next_at: sql`now()` })
      .where(eq(discordCards.target_id, targetId));
    await removeDisconnected(tx);
    await record(tx, actor, "notification-channel-removed", targetId, { kind: "discord", name: gone.name });
    return true;
  });
}

/** Adds a live card. `about`: `site`, `game:3` or `server:7`. `gone`: that, or the channel, doesn't exist. */
export function addCard(
  db: Db,
  actor: Actor,
  given: { targetId: string; about: string },
): Promise<Why<"gone" | "taken" | "too_many">> {
  const [kind, id] = given.about.split(":");
  return db.transaction(async (tx) => {
    const [channel] = await tx
      .select({ locale: notificationTargets.locale })
      .from(notificationTargets)
      .where(and(eq(notificationTargets.target_id, given.targetId), isConnected))
      .for("update");
    if (!channel || (kind !== "site" && kind !== "game" && kind !== "server")) return { ok: false, reason: "gone" };
    const about = { game_id: kind === "game" ? Number(id) : null, server_id: kind === "server" ? Number(id) : null };
    const found =
      kind === "game"
        ? await tx.$count(games, eq(games.game_id, Number(id)))
        : kind === "server"
          ? await tx.$count(gameserver, eq(gameserver.server_id, Number(id)))
          : 1;
    if (found === 0) return { ok: false, reason: "gone" };
    if ((await tx.$count(discordCards, eq(discordCards.target_id, given.targetId))) >= MOST_CARDS) {
      return { ok: false, reason: "too_many" };
    }
    const [made] = await tx
      .insert(discordCards)
      .values({ target_id: given.targetId, kind, ...about, locale: channel.locale })
      .onConflictDoNothing()
      .returning({ card_id: discordCards.card_id });
    if (!made) return { ok: false, reason: "taken" };
    await record(tx, actor, "discord-card-made", given.targetId, { about: given.about });
    return { ok: true };
  });
}

/** Removes a live card: deletes its message in Discord, then the card. False: there is none. */
export const endCard = (db: Db, actor: Actor, cardId: string): Promise<boolean> =>
  changeCard(db, actor, cardId, "discord-card-removed", { state: "ending" });

/**
 * Restores a card in doubt or with a deleted message: `link` leads to its message; if empty, a new one is posted. `no_link`: not
 * a message link; `gone`: no such card.
 */
export async function renewCard(db: Db, actor: Actor, cardId: string, link: string): Promise<Why<"gone" | "no_link">> {
  const messageId = link.trim() === "" ? null : readMessageId(link);
  if (messageId === null && link.trim() !== "") return { ok: false, reason: "no_link" };
  const to = messageId
    ? // If the message doesn't exist, no new one is posted automatically.
      ({ state: "shown", message_id: messageId, content_hash: null, remade_at: sql`now()` } as const)
    : ({ state: "waiting", message_id: null, content_hash: null, remade_at: null } as const);
  const renewed = await changeCard(db, actor, cardId, "discord-card-renewed", to, ["doubtful", "removed"]);
  return renewed ? { ok: true } : { ok: false, reason: "gone" };
}

function changeCard(
  db: Db,
  actor: Actor,
  cardId: string,
  what: AuditWhat,
  to: Partial<Record<keyof CardRow, unknown>>,
  from?: string[],
): Promise<boolean> {
  const set: Partial<Record<keyof CardRow, unknown>> = { ...to, next_at: sql`now()`, failures: 0, last_error: null };
  return db.transaction(async (tx) => {
    const [changed] = await tx
      .update(discordCards)
      .set(set as Partial<CardRow>)
      .where(
        and(
          sql`${discordCards.card_id}::text = ${cardId}`,
          from ? sql`${discordCards.state} = any(${sql.param(from)}::text[])` : undefined,
        ),
      )
      .returning({ target_id: discordCards.target_id });
    if (!changed) return false;
    await record(tx, actor, what, changed.target_id, {});
    return true;
  });
}

/** Posts a test. Null: Discord accepted it; "gone": no such channel; otherwise the reason. */
export async function testDiscordChannel(
  { db, secret, discord }: { db: Db; secret: string; discord: Discord },
  actor: Actor,
  targetId: string,
  message: object,
): Promise<null | "gone" | { reason: string }> {
  const target = await findTargetById(db, secret, targetId);
  const webhook = target?.kind === "discord" && target.name !== null ? webhookOf(target) : null;
  if (!webhook) return "gone";
  const reply = await askWebhook({ db, target_id: targetId, webhook }, "post", () => discord.post(webhook, message));
  await record(db, actor, "notification-channel-tested", targetId, { taken: reply.outcome === "ok" ? "yes" : "no" });
  if (reply.outcome === "ok") return null;
  return { reason: "text" in reply ? reply.text : `429, ${Math.ceil(reply.afterS)} s` };
}

/** Writes an action's audit row in its transaction. */
function record(
  tx: Db,
  actor: Actor,
  what: AuditWhat,
  id: string,
  details: Record<string, string | null>,
): Promise<void> {
  const subject = { type: "notification-channel", id };
  return recordAudit(tx, { what, actor_id: actor.user_id, origin: actor.origin, subject, details });
}
