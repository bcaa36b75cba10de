/** Claims due game servers, one statement at a time: as many as can be polled soon. */
import type { DatabaseClock } from "#db/database-clock.ts";
import { keepSamplesInBounds } from "#jobs/measurements/sample-partitions.ts";
import { repairPlans } from "#jobs/plan-repair.ts";
import type { Asking } from "./asking.ts";
import { claimDue, MOST_FAILING_OF_HOST } from "./claim.ts";
import type { ClaimsInHand } from "./claims-in-hand.ts";
import type { LoopOptions } from "./loop.ts";
import type { ResultsQueue } from "./results-queue.ts";
import type { Settler } from "./settle.ts";

/** Claims ahead of free slots, so that a free slot never waits for a claim. */
export const AHEAD = 200;
/** While this collector gets no answers but another does: polls only this many, this often, to notice the end. */
const PROBES = 2;
const PROBE_EVERY_MS = 2_000;
/** After a look that claimed this many, the next comes as soon as allowed. */
const MANY = 3;

/** Result of a look: whether more may be due than there was room for, and the ms until the next look, if known. */
export type Look = { more: boolean; againMs: number | null };

export type ClaimingOptions = LoopOptions & {
  clock: DatabaseClock;
  inHand: ClaimsInHand;
  settler: Settler;
  queue: ResultsQueue;
  asking: Asking;
};

/** Creates the claiming, one look at a time: the caller's loop schedules it. */
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
    /** Claims due servers, and has them polled. Rejects while the database is unavailable. */
    async look(): Promise<Look> {
      let room = asking.slots.room() + AHEAD - inHand.ahead();
      if (room <= 0 || asking.slots.isFull()) return { more: true, againMs: null };
      const began = performance.now();
      if (settler.isBlindAlone()) {
        // Even without room, the statement returns the database's time.
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
      // Only after claims: other collectors are mostly faster, and pausing after vain looks would leave noticing the end to chance.
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
    /** How long the database's clock has run steadily, in ms. */
    steadyForMs: () => performance.now() - clockJumpedAt,
  };
}
