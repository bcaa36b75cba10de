// Sends the outbox channel by channel: several senders concurrently, each delivery by one of them.
import { setTimeout as pause } from "node:timers/promises";
import { isDatabaseAway } from "#db/database-away.ts";
import type { Channel, ChannelParts, ClaimedDelivery, Outcome } from "#domain/notifications/channel.ts";
import { CLAIM_S, claimDeliveries } from "#domain/notifications/deliveries.ts";
import { recordOutcome, recordSent, type SentDelivery } from "#domain/notifications/outcomes.ts";
import type { WebParts } from "../web-schedule.ts";
import { writtenTogether } from "./written-together.ts";

/** While sends are in progress, check for more after this: one slow reply delays nothing else. */
const LOOK_AGAIN_MS = 250;
const WRITE_AGAIN_MS = 500;
/** Retry after this if the database couldn't provide what a channel needs. */
const AWAY_S = 5;

/** Creates the job of a channel. */
export const sendBy =
  (channel: Channel) =>
  (parts: WebParts & { signal: AbortSignal }): Promise<void> =>
    sendDeliveries(channel, parts);

/**
 * Sends all due deliveries; claims no more after `signal`. Rejects while the database is unavailable; those claimed are in doubt
 * after their two minutes.
 */
async function sendDeliveries(
  channel: Channel,
  { signal, ...given }: WebParts & { signal: AbortSignal },
): Promise<void> {
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

/** Waits until half of the slots are free, or, if everything due is in progress, until more may be due. */
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
  const about = {
    delivery_id,
    channel: delivery.channel,
    kind: event?.kind ?? delivery.mail?.template,
    attempt: attempts,
  };
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
    // Channels query the database before they send anything.
    if (isDatabaseAway(error)) return { sent: false, reason: "database", next: "not asked", afterS: AWAY_S };
    // A message that can't be built today can't be built tomorrow.
    return { sent: false, reason: String(error), next: "never" };
  }
}

/** Records a delivery's outcome; resolves to its new state, null if the claim is lost. */
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

/** Retries while the claim lasts: a short database outage must not send a notification twice. */
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
