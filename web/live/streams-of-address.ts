// Limits how many live streams one client, and one network, holds open, over all web processes: each open stream costs memory.
import type { ServerResponse } from "node:http";
import type { Logger } from "pino";
import { type Asker, sharesOf } from "../request/fair-queue.ts";
import type { RateLimits } from "../request/rate-limits.ts";

const SHARE_EVERY_MS = 1_000;
/** A shared count restarts after this time, which forgets the streams of a killed process. */
const WINDOW_S = 60;
/** Addresses below this part of their limit are not reported to other processes. */
const TOLD_FROM = 1 / 20;

export type StreamPlaces = {
  /** Takes a slot for an open stream until the response is closed. False: its client or network holds its maximum. */
  take(asker: Asker, response: ServerResponse): boolean;
  stop(): void;
};

/** `own`: held here; `told`: how many of them were reported; `others`: held elsewhere. */
type Count = { most: number; own: number; told: number; others: number; endsAt: number };

/**
 * Makes the slots: `most` for one client, and several times that for a network (`client-keys.ts`). With `shared` they are counted
 * together with those of other web processes, through Postgres and once a second; while it is unavailable each process counts
 * alone.
 */
export function limitStreams(
  most: number,
  shared?: { name: string; limits: Pick<RateLimits, "add">; log: Logger },
): StreamPlaces {
  const counts = new Map<string, Count>();
  let sharing: Promise<void> | null = null;

  async function share({ name, limits }: NonNullable<typeof shared>) {
    const now = performance.now();
    const told = [...counts].filter(([, { most, own, told }]) => told > 0 || own >= most * TOLD_FROM);
    if (told.length === 0) return;
    const sent = told.map(([of, count]) => {
      const isNew = count.endsAt <= now;
      // The row that included ours has expired.
      if (isNew) count.told = 0;
      return { of, count, isNew, points: count.own - count.told };
    });
    const totals = await limits.add(sent.map(({ of, points }) => ({ name, of, points, seconds: WINDOW_S })));
    for (const [index, { of, count, isNew, points }] of sent.entries()) {
      const total = totals[index];
      if (!total) continue;
      count.told += points;
      count.endsAt = performance.now() + total.wait_s * 1000;
      // Others may not have reported theirs yet.
      if (!isNew || count.others === 0) count.others = Math.max(0, total.points - count.told);
      if (count.own === 0 && count.told === 0) counts.delete(of);
    }
  }
  const timer = setInterval(() => {
    if (!shared || sharing) return;
    sharing = share(shared)
      .catch((error) =>
        shared.log.debug({ err: error }, "counts of streams could not be shared; each process counts alone"),
      )
      .finally(() => {
        sharing = null;
      });
  }, SHARE_EVERY_MS);
  timer.unref();

  return {
    take(asker, response) {
      const held = sharesOf(asker, most).map(([of, most]) => {
        return { of, count: counts.get(of) ?? { most, own: 0, told: 0, others: 0, endsAt: 0 } };
      });
      if (held.some(({ count }) => count.own + count.others >= count.most)) return false;
      for (const { of, count } of held) {
        counts.set(of, count);
        count.own += 1;
      }
      response.once("close", () => {
        for (const { of, count } of held) {
          count.own -= 1;
          if (count.own === 0 && count.told === 0) counts.delete(of);
        }
      });
      return true;
    },
    stop: () => clearInterval(timer),
  };
}
