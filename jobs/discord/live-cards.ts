// Updates Discord's live cards: compares what each shows with the site's current state, and sends only the newest.
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

/** Least time between two edits of a message, and the greatest age of an unchanged one. */
const CARD_PACE = { changeS: 10, renewS: 240 };
/** How long storing a received reply is retried while the database is unavailable. */
const WRITE_WITHIN_MS = 30_000;
/** Check again after this while waiting for a limit: a pending reply may raise what is left. */
const waitOf = ({ afterS }: { afterS: number }): number => Math.min(Math.max(afterS, 1), 3);

/** While one webhook doesn't reply, check the cards of the others again after this. */
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
 * Processes all due cards until none is in progress. Works on webhooks concurrently, and on each one's cards in turn; while one
 * webhook doesn't reply, checks the others again.
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

/** Starts the due cards of webhooks that aren't in progress. */
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

/** Processes the cards of one webhook. */
async function bringAll(work: Omit<Work, "webhook">, own: { card: Due; wanted: Wanted }[]): Promise<void> {
  const { db, secret, signal, target_id } = work;
  const target = await findTargetById(db, secret, target_id);
  const webhook = target && webhookOf(target);
  // Without a usable webhook nothing can be deleted in Discord either.
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

/** The action that a card needs; null: none. */
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

/** Processes a card. Returns whether the webhook's next one may follow now. */
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
  // Stored before the request: if the process dies from here on, no process posts the card again.
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

/** Deletes the card's message in Discord, then the card. */
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

/** Stores which message a posted card has, with retries: only this process knows. */
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
