/** The collector as a whole: its pool, its loop, its pulse and what it tidies up, started and stopped in order. */
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Config } from "#config";
import { connectDatabase } from "#db/client.ts";
import { createGameAddressResolver } from "#outside/game-address.ts";
import { type Outside, query } from "./ask.ts";
import { releaseClaims, repairPlans } from "./claim.ts";
import { endMaintenances } from "./end-maintenance.ts";
import { startLoop } from "./loop.ts";
import { removePulse, writePulse } from "./pulse.ts";
import { refreshRecentPeaks } from "./recent-peaks.ts";
import { removeOldRollUps, rollUp } from "./roll-ups.ts";
import { keepSamplesInBounds } from "./sample-partitions.ts";
import type { CollectorWatch } from "./watch.ts";

const PULSE_MS = 1_000;
const REPAIR_MS = 5_000;
/** How often it is looked whether five more minutes are over. */
const ROLL_UP_MS = 60_000;
const PEAKS_MS = 5 * 60_000;
const HOUR_MS = 3_600_000;
const GRACE_MS = 3_000;
/** What the end of a stop may take of the database's time. */
const FAREWELL_MS = 2_000;
const CLOSE_S = 1;

/**
 * Starts watching. Needs a migrated database, but not at once: it waits for it, however often it goes away.
 * `stop` takes no new claims, lets those in flight finish (at most 3 s), writes them, gives claims back, closes the pool.
 * @param options.outside replaces what is outside: tests hand in their own
 * @param options.watch is told of what is measured for operators
 */
export async function startCollector(
  config: Pick<Config, "databaseUrl" | "pollIntervalS" | "probeAllowCidrs" | "port">,
  options: { log: Logger; outside?: Partial<Outside>; watch?: CollectorWatch | undefined },
): Promise<{ collectorId: string; stop(): Promise<void> }> {
  const { log } = options;
  const collectorId = randomUUID();
  const { sql } = connectDatabase(config, { max: 4, applicationName: "spawnpoint collector" });
  const resolver = createGameAddressResolver({ allowCidrs: config.probeAllowCidrs, deniedPorts: [config.port] });
  const outside: Outside = { resolver, query, ...options.outside };

  const timers: NodeJS.Timeout[] = [];
  /** Runs `job` now and every `everyMs`, never twice at once; of failures in a row the first is news. */
  const repeat = (name: string, everyMs: number, job: () => Promise<unknown>): (() => void) => {
    let running = false;
    let failures = 0;
    const run = () => {
      if (running) return;
      running = true;
      job()
        .then(() => {
          failures = 0;
        })
        .catch((error) => {
          const level = failures++ === 0 ? "warn" : "debug";
          log[level]({ err: error, job: name }, "a job beside the loop failed; it is tried again");
        })
        .finally(() => {
          running = false;
        });
    };
    timers.push(setInterval(run, everyMs));
    run();
    return run;
  };

  let beat = () => {};
  let anotherSees = false;
  const pulse = async (inFlight: number, delayedForMs: number | null) => {
    ({ anotherSees } = await writePulse(sql, collectorId, { inFlight, delayedForMs }));
  };
  const loop = startLoop({
    sql,
    collectorId,
    siteIntervalS: config.pollIntervalS,
    outside,
    log,
    // Without a pulse a claim looks like a dead collector's; without a partition nothing can be written.
    prepare: async () => {
      await pulse(0, null);
      await keepSamplesInBounds(sql, false);
    },
    onDelayed: () => beat(),
    anotherSees: () => anotherSees,
    watch: options.watch,
  });
  options.watch?.follow(loop);
  beat = repeat("pulse", PULSE_MS, () => pulse(loop.inFlight(), loop.delayedForMs()));
  repeat("partitions", HOUR_MS, () => keepSamplesInBounds(sql, loop.steadyForMs() > HOUR_MS / 2));
  repeat("repair", REPAIR_MS, () => repairPlans(sql, collectorId, config.pollIntervalS));
  repeat("maintenance", REPAIR_MS, () => endMaintenances(sql));
  repeat("peaks 24h", PEAKS_MS, () => refreshRecentPeaks(sql, "24h"));
  repeat("peaks 7d", HOUR_MS, () => refreshRecentPeaks(sql, "7d"));
  repeat("roll-ups", ROLL_UP_MS, () => rollUp(sql));
  repeat("old roll-ups", HOUR_MS, () => removeOldRollUps(sql, loop.steadyForMs() > HOUR_MS / 2));
  log.info({ collector_id: collectorId, interval_s: config.pollIntervalS }, "watching game servers");

  return {
    collectorId,
    async stop() {
      for (const timer of timers) clearInterval(timer);
      const farewell = async () => {
        await loop.stop(GRACE_MS);
        await releaseClaims(sql, collectorId);
        await removePulse(sql, collectorId);
      };
      const tooLong = new Promise<void>((resolve) => setTimeout(resolve, GRACE_MS + FAREWELL_MS).unref());
      await Promise.race([farewell(), tooLong]).catch((error) =>
        log.warn({ err: error }, "stopped without a farewell"),
      );
      // All that was worth waiting for has had its time above.
      await sql.end({ timeout: CLOSE_S });
    },
  };
}
