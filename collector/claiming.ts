/** One look for due game servers after the other: as many are claimed as can be asked soon. */
import type { DatabaseClock } from "#db/database-clock.ts";
import { keepSamplesInBounds } from "#jobs/measurements/sample-partitions.ts";
import { repairPlans } from "#jobs/plan-repair.ts";
import type { Asking } from "./asking.ts";
import { claimDue, MOST_FAILING_OF_HOST } from "./claim.ts";
import type { ClaimsInHand } from "./claims-in-hand.ts";
import type { LoopOptions } from "./loop.ts";
import type { ResultsQueue } from "./results-queue.ts";
import type { Settler } from "./settle.ts";

/** Claimed ahead of a free slot, so that nobody who could be asked waits for a claim to come back. */
export const AHEAD = 200;
/** Blind while another collector sees: so few are asked, so often, to hear when that is over. */
const PROBES = 2;
const PROBE_EVERY_MS = 2_000;
/** Where the last look claimed so many, the next one comes as soon as it may in any case. */
const MANY = 3;

/** What a look found: whether more may be due than there was room for, and in how many ms to look again, where that is known. */
export type Look = { more: boolean; againMs: number | null };

export type ClaimingOptions = LoopOptions & {
  clock: DatabaseClock;
  inHand: ClaimsInHand;
  settler: Settler;
  queue: ResultsQueue;
  asking: Asking;
};

/** Makes what looks for due game servers, one look at a time: the caller's loop says when. */
export function createClaiming(options: ClaimingOptions) {
  const { sql, collectorId, siteIntervalS, clock, inHand, asking, settler, queue, log, metrics } = options;
  let probedAt = Number.NEGATIVE_INFINITY;
  let clockJumpedAt = performance.now();
  let claimedLast = 0;

  async function planAnew(jump: number): Promise<void> {
    log.warn({ jump_ms: Math.round(jump) }, "the database's clock jumped; every turn is planned anew");
    clockJumpedAt = performance.now();
    settler.blindUntilNow();
    await keepSamplesInBounds(sql, false);
    await repairPlans(sql, collectorId, siteIntervalS);
  }

  return {
    /**
     * Claims what is due, and has it asked. Rejects while the database is away.
     */
    async look(): Promise<Look> {
      let room = asking.slots.room() + AHEAD - inHand.ahead();
      if (room <= 0 || asking.slots.isFull()) return { more: true, againMs: null };
      const began = performance.now();
      if (settler.isBlindAlone()) {
        // With a room of none the statement still tells the database's time.
        room = began - probedAt < PROBE_EVERY_MS ? 0 : PROBES;
      }
      const busyHosts = asking.slots.busyHosts();
      const { databaseNow, claimed, nextDueMs } = await claimDue(
        sql,
        collectorId,
        siteIntervalS,
        room,
        busyHosts,
        inHand.failingHosts(MOST_FAILING_OF_HOST),
        claimedLast < MANY,
      );
      claimedLast = claimed.length;
      // Those that see are mostly quicker: one that waited after a vain look would hear of its end by luck alone.
      if (claimed.length > 0) probedAt = began;
      const jump = clock.set(databaseNow, began, performance.now());
      for (const server of claimed) {
        metrics?.claimed(Math.max(0, databaseNow - server.plannedAt));
        queue.drop(server.serverId);
        inHand.take(server);
      }
      asking.askAhead();
      if (jump !== 0) await planAnew(jump);
      return { more: claimed.length === room && !settler.isBlindAlone(), againMs: jump === 0 ? nextDueMs : null };
    },
    /** For how long the database's clock has run steadily, in ms. */
    steadyForMs: () => performance.now() - clockJumpedAt,
  };
}
