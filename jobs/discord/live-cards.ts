// Keeps the live cards of Discord true: compares what each shows with what the site shows now, and sends the newest alone.
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { type CardScope, cardEmbed, cardMessage } from "#content/discord/card.ts";
import type { DiscordSite } from "#content/discord/site.ts";
import type { Db } from "#db/client.ts";
import {
  type CardRow,
  claimCard,
  deleteCard,
  listDueCards,
  noteDeletedThere,
  noteDoubt,
  noteFailure,
  noteShown,
  noteWait,
  scopeOf,
} from "#domain/discord/cards.ts";
import { askWebhook, isForeignMessage, isMessageGone, webhookOf } from "#domain/discord/webhooks.ts";
import { findTargetById } from "#domain/notifications/targets.ts";
import { createDiscord, type Discord, messageIdOf, type Webhook } from "#outside/discord.ts";

/** How often one message is changed at most, and how old what it shows may become where nothing changes. */
const CARD_PACE = { changeS: 10, renewS: 240 };
/** How long an answer that is there is tried to be written down, while the database is away. */
const WRITE_WITHIN_MS = 30_000;
/** What waits for its limit is looked at again after so long: an answer that is under way may say that more is left. */
const waitOf = ({ afterS }: { afterS: number }): number => Math.min(Math.max(afterS, 1), 3);

/** While somebody's webhook does not answer, the cards of all others are looked at again after so long. */
const LOOK_AGAIN_MS = 2_000;

type Parts = {
  db: Db;
  secret: string;
  config: { discordApi: string; siteUrl: string };
  publicSite(): DiscordSite;
  log: Logger;
  signal: AbortSignal;
};

/** For tests. */
type Options = { pace?: typeof CARD_PACE; limitMs?: number; lookAgainMs?: number };
type Due = CardRow & { age_s: number | null };
type Work = Parts & { discord: Discord; pace: typeof CARD_PACE; at: number; target_id: string; webhook: Webhook };

/**
 * Looks at all cards until nothing is under way any more. Webhooks are worked on side by side, the cards of one after the other;
 * while one of them does not answer, the others are looked at again.
 */
export async function updateDiscordCards(parts: Parts, options: Options = {}): Promise<void> {
  const underWay = new Map<string, Promise<void>>();
  const broken: unknown[] = [];
  do {
    for (const [target_id, work] of await beginDue(parts, options, underWay)) {
      const done = work.catch((error: unknown) => void broken.push(error)).finally(() => underWay.delete(target_id));
      underWay.set(target_id, done);
    }
    const over = new AbortController();
    const limit = pause(options.lookAgainMs ?? LOOK_AGAIN_MS, undefined, { signal: over.signal }).catch(() => {});
    await Promise.race([limit, Promise.all(underWay.values())]);
    over.abort();
  } while (underWay.size > 0 && broken.length === 0 && !parts.signal.aborted);
  await Promise.all(underWay.values());
  if (broken.length > 0) throw broken[0];
}

/** Begins with what is due of the webhooks that nobody works on. */
async function beginDue(
  parts: Parts,
  { pace = CARD_PACE, limitMs }: Options,
  underWay: ReadonlyMap<string, unknown>,
): Promise<[string, Promise<void>][]> {
  const { db, config } = parts;
  const { at, cards } = await listDueCards(db);
  if (cards.length === 0) return [];
  const site = parts.publicSite();
  const due = cards.flatMap((card) => {
    const wanted = underWay.has(card.target_id) ? null : wantedOf(card, site, pace);
    return wanted ? [{ card, wanted }] : [];
  });
  const discord = createDiscord({ base: config.discordApi, siteUrl: config.siteUrl, ...(limitMs ? { limitMs } : {}) });
  return [...Map.groupBy(due, ({ card }) => card.target_id)].map(([target_id, own]) => [
    target_id,
    bringAll({ ...parts, discord, pace, at, target_id }, own),
  ]);
}

/** The cards of one webhook. */
async function bringAll(work: Omit<Work, "webhook">, own: { card: Due; wanted: Wanted }[]): Promise<void> {
  const { db, secret, signal, target_id } = work;
  const target = await findTargetById(db, secret, target_id);
  const webhook = target && webhookOf(target);
  // Where nothing can be asked any more, nothing can be deleted either.
  if (!webhook || target.dead_at !== null) {
    for (const { card, wanted } of own) if (wanted.act === "end") await deleteCard(db, card.card_id);
    return;
  }
  for (const { card, wanted } of own) {
    if (signal.aborted) return;
    const goOn = await bring({ ...work, webhook }, card, wanted);
    if (!goOn) return;
  }
}

type Shown = { hash: string; message(at: number): object };
type Wanted = { act: "doubt" } | { act: "end" } | ({ act: "post" | "edit" } & Shown);

/** What a card needs; null: nothing. */
function wantedOf(card: Due, site: DiscordSite, pace: typeof CARD_PACE): Wanted | null {
  if (card.state === "making") return { act: "doubt" };
  const scope: CardScope | null = scopeOf(card);
  if (card.state === "ending" || scope === null) return { act: "end" };
  const embed = cardEmbed(site, scope, card.locale);
  const hash = createHash("sha256").update(JSON.stringify(embed)).digest("base64url");
  const message = (at: number) => cardMessage(embed, card.locale, at);
  if (card.state === "waiting") return { act: "post", hash, message };
  const isOld = (card.age_s ?? Number.POSITIVE_INFINITY) >= pace.renewS;
  return card.content_hash !== hash || isOld ? { act: "edit", hash, message } : null;
}

/** Whether the next card of this webhook may be brought now. */
async function bring(work: Work, card: Due, wanted: Wanted): Promise<boolean> {
  if (wanted.act === "doubt") {
    await noteDoubt(work.db, card.card_id, "the site ended while it posted the message");
    return true;
  }
  if (wanted.act === "end") return endCard(work, card);
  const bringIt = wanted.act === "post" ? post : edit;
  return bringIt(work, card, wanted);
}

async function post(work: Work, card: Due, { hash, message }: Shown): Promise<boolean> {
  const { db, discord, target_id, webhook, pace, at, log } = work;
  // Written before the network is touched: whoever dies from here on leaves a card that nobody posts again.
  if (!(await claimCard(db, card, "making"))) return true;
  const reply = await askWebhook({ db, target_id, webhook }, "post", () => discord.post(webhook, message(at)));
  if (reply.outcome === "wait" || reply.outcome === "limited") {
    await noteWait(db, card.card_id, "waiting", waitOf(reply));
    return false;
  }
  if (reply.outcome === "ok") {
    const messageId = messageIdOf(reply.body);
    if (messageId === null) await noteDoubt(db, card.card_id, "Discord's answer names no message");
    else await surely(log, messageId, () => noteShown(db, card.card_id, { messageId, hash, pauseS: pace.changeS }));
    return true;
  }
  if (reply.outcome === "in doubt") await noteDoubt(db, card.card_id, reply.text);
  else await noteFailure(db, card, "waiting", reply.text);
  return false;
}

async function edit(work: Work, card: Due, { hash, message }: Shown): Promise<boolean> {
  const { db, discord, target_id, webhook, pace, at, signal } = work;
  const messageId = card.message_id ?? "";
  if (!(await claimCard(db, card))) return true;
  const reply = await askWebhook({ db, target_id, webhook }, "edit", () =>
    discord.edit(webhook, messageId, message(at), signal),
  );
  if (reply.outcome === "ok") {
    await noteShown(db, card.card_id, { messageId, hash, pauseS: pace.changeS });
    return true;
  }
  if (reply.outcome === "wait" || reply.outcome === "limited") {
    await noteWait(db, card.card_id, "shown", waitOf(reply));
    return false;
  }
  if (isMessageGone(reply)) {
    await noteDeletedThere(db, card);
    return true;
  }
  if (isForeignMessage(reply)) {
    await noteDoubt(db, card.card_id, reply.text);
    return true;
  }
  if (signal.aborted) await noteWait(db, card.card_id, "shown", 0);
  else await noteFailure(db, card, "shown", reply.text);
  return false;
}

/** Deletes its message in Discord, then the card. */
async function endCard(work: Work, card: Due): Promise<boolean> {
  const { db, discord, target_id, webhook, signal } = work;
  const { card_id, message_id } = card;
  if (message_id === null) {
    await deleteCard(db, card_id);
    return true;
  }
  if (!(await claimCard(db, card))) return true;
  const reply = await askWebhook({ db, target_id, webhook }, "remove", () =>
    discord.remove(webhook, message_id, signal),
  );
  if (reply.outcome === "ok" || isMessageGone(reply)) {
    await deleteCard(db, card_id);
    return true;
  }
  if (reply.outcome === "wait" || reply.outcome === "limited") {
    await noteWait(db, card_id, card.state, waitOf(reply));
  } else if (signal.aborted) await noteWait(db, card_id, card.state, 0);
  else await noteFailure(db, card, card.state, reply.text);
  return false;
}

/** Writes down which message a card is: it was posted, and nobody else knows. */
async function surely(log: Logger, messageId: string, write: () => Promise<void>): Promise<void> {
  const began = performance.now();
  for (;;) {
    try {
      await write();
      return;
    } catch (error) {
      if (performance.now() - began > WRITE_WITHIN_MS) {
        log.error(
          { err: error, message_id: messageId },
          "a message was posted to Discord, and its id not written down",
        );
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}
