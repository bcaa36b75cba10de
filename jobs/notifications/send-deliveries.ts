// Sends what waits in the outbox, channel by channel: several senders side by side, each delivery by one of them.
import { setTimeout as pause } from "node:timers/promises";
import { isDatabaseAway } from "#db/database-away.ts";
import type { Channel, ChannelParts, ClaimedDelivery, Outcome } from "#domain/notifications/channel.ts";
import { CLAIM_S, claimDeliveries } from "#domain/notifications/deliveries.ts";
import { recordOutcome, recordSent, type SentDelivery } from "#domain/notifications/outcomes.ts";
import type { ChannelKind } from "#domain/notifications/targets.ts";
import type { WebParts } from "../web-schedule.ts";
import { CHANNELS } from "./channels.ts";
import { writtenTogether } from "./written-together.ts";

/** While something is under way it is looked again for more after this: one slow answer holds nothing else up. */
const LOOK_AGAIN_MS = 250;
const WRITE_AGAIN_MS = 500;
/** Where the database could not say what a channel needs to know. */
const AWAY_S = 5;

/** The job of one channel. */
export const sendBy =
  (kind: ChannelKind) =>
  (parts: WebParts & { signal: AbortSignal }): Promise<void> =>
    sendDeliveries(CHANNELS[kind], parts);

/**
 * Sends all that are due, and takes no more of them after `signal`. Rejects while the database is away; what was taken then is
 * in doubt after its two minutes.
 */
async function sendDeliveries(
  channel: Channel | undefined,
  { signal, ...given }: WebParts & { signal: AbortSignal },
): Promise<void> {
  if (!channel) return;
  const parts: ChannelParts = { ...given, siteOrigin: given.siteUrl };
  const claim = { db: parts.db, secret: parts.secret, siteIntervalS: parts.config.pollIntervalS };
  const underWay = new Set<Promise<void>>();
  const busy = new Set<string>();
  const record = recordBy(channel, parts);
  try {
    while (!signal.aborted) {
      const { claimed, done } = await claimDeliveries(claim, channel, channel.atOnce - underWay.size, busy);
      for (const delivery of claimed) {
        const { target } = delivery;
        if (target) busy.add(target.target_id);
        const sending: Promise<void> = sendOne(channel, delivery, parts, { record, signal }).finally(() => {
          underWay.delete(sending);
          if (target) busy.delete(target.target_id);
        });
        underWay.add(sending);
      }
      if (underWay.size === 0 && done) return;
      if (underWay.size > 0) await makeRoom(underWay, channel.atOnce, done);
    }
  } finally {
    await Promise.all(underWay);
  }
}

/** Until half of the places are free, or, where all that is due is under way, until something may have become due. */
async function makeRoom(underWay: Set<Promise<void>>, most: number, done: boolean): Promise<void> {
  const over = new AbortController();
  const limit = pause(LOOK_AGAIN_MS, undefined, { signal: over.signal }).catch(() => {});
  const enough = done ? 0 : Math.floor(most / 2);
  const room = (async () => {
    while (underWay.size > enough) await Promise.race(underWay);
  })();
  await Promise.race(underWay.size < most ? [limit, room] : [room]);
  over.abort();
}

async function sendOne(
  channel: Channel,
  delivery: ClaimedDelivery,
  parts: ChannelParts,
  { record, signal }: { record: Recorder; signal: AbortSignal },
): Promise<void> {
  const { delivery_id, attempts, event } = delivery;
  const about = { delivery_id, channel: channel.kind, kind: event?.kind ?? delivery.mail?.template, attempt: attempts };
  const outcome = await attempt(channel, delivery, parts, signal);
  const state = await recordAtLast(() => record(delivery, outcome), about, parts, signal);
  if (outcome.sent) parts.log.info({ ...about, answer: outcome.answer }, "a delivery was sent");
  else if (outcome.next === "not asked") parts.log.debug({ ...about, reason: outcome.reason }, "a delivery waits");
  else parts.log.warn({ ...about, reason: outcome.reason, state }, "a delivery could not be sent");
}

async function attempt(
  channel: Channel,
  delivery: ClaimedDelivery,
  parts: ChannelParts,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    return await channel.send(delivery, parts, signal);
  } catch (error) {
    // Channels ask the database before they ask anybody else.
    if (isDatabaseAway(error)) return { sent: false, reason: "database", next: "not asked", afterS: AWAY_S };
    // What cannot be put together today cannot be tomorrow.
    return { sent: false, reason: String(error), next: "never" };
  }
}

/** Writes down what came of a delivery; its state from now on, null where it is not ours any more. */
type Recorder = (delivery: ClaimedDelivery, outcome: Outcome) => Promise<string | null>;

function recordBy({ audience }: Channel, { db }: ChannelParts): Recorder {
  const recordTogether = writtenTogether((sent: readonly SentDelivery[]) => recordSent(db, sent));
  return async (delivery, outcome) => {
    if (!outcome.sent || outcome.target) return recordOutcome(db, delivery, audience, outcome);
    const { delivery_id, attempts } = delivery;
    const ours = await recordTogether({ delivery_id, attempts, answer: outcome.answer });
    return ours.has(delivery_id) ? "sent" : null;
  };
}

/** For as long as the delivery is ours: a database that is away for a moment must not make people be told twice. */
async function recordAtLast(
  record: () => Promise<string | null>,
  about: { delivery_id: string },
  { log }: ChannelParts,
  signal: AbortSignal,
): Promise<string | null> {
  const began = performance.now();
  for (;;) {
    try {
      return await record();
    } catch (error) {
      if (signal.aborted || performance.now() - began > CLAIM_S * 1000) throw error;
      log.debug({ err: error, ...about }, "what came of a delivery could not be written yet");
      await pause(WRITE_AGAIN_MS, undefined, { signal }).catch(() => {});
    }
  }
}
