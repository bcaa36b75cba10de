/** Starts and stops the whole collector: pool, loop and jobs. */
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { type Config, ownPorts } from "#config";
import { connectDatabase } from "#db/client.ts";
import { DUE_CHANNEL } from "#domain/game-servers/due-channel.ts";
import { COLLECTOR_JOBS } from "#jobs/collector-schedule.ts";
import { keepSamplesInBounds } from "#jobs/measurements/sample-partitions.ts";
import { removePulse, writePulse } from "#jobs/pulse.ts";
import { type RunningJobs, startJobs } from "#jobs/start-jobs.ts";
import { createGameAddressResolver } from "#outside/game-address.ts";
import { type Outside, query } from "./ask.ts";
import { releaseClaims } from "./claim.ts";
import { startLoop } from "./loop.ts";
import type { CollectorMetrics } from "./metrics.ts";
import { createSecretOpener, type SecretPlace } from "./open-secrets.ts";

const GRACE_MS = 3_000;
/** Time limits for the database at the end of a stop. */
const FAREWELL_MS = 2_000;
const CLOSE_MS = 1_000;

/**
 * Starts polling. Needs a migrated database, but waits for it, at the start and in outages.
 * `stop` takes no new claims, lets running polls finish (at most 3 s), writes them, releases claims, closes the pool.
 * @param options.outside replaces external systems in tests
 * @param options.metrics receives metrics for operators
 */
export async function startCollector(
  config: Pick<Config, "databaseUrl" | "pollIntervalS" | "probeAllowCidrs" | "port" | "metrics" | "webWorkers"> &
    SecretPlace,
  options: { log: Logger; outside?: Partial<Outside>; metrics?: CollectorMetrics | undefined },
): Promise<{ collectorId: string; stop(): Promise<void> }> {
  const { log } = options;
  const collectorId = randomUUID();
  const database = connectDatabase(config, { max: 4, applicationName: "spawnpoint collector" });
  const { sql } = database;
  const siteIntervalS = config.pollIntervalS;
  const resolver = createGameAddressResolver({ allowCidrs: config.probeAllowCidrs, deniedPorts: ownPorts(config) });
  const outside: Outside = { resolver, query, openSecrets: createSecretOpener(config), ...options.outside };

  let anotherSees = false;
  const onPulse = (heard: { anotherSees: boolean }) => {
    ({ anotherSees } = heard);
  };
  let jobs: RunningJobs | undefined;
  const loop = startLoop({
    sql,
    collectorId,
    siteIntervalS,
    outside,
    log,
    // Without a pulse its claims look like a dead collector's; without a partition nothing can be written.
    prepare: async () => {
      onPulse(await writePulse(sql, collectorId, { inFlight: 0, delayedForMs: null }));
      await keepSamplesInBounds(sql, false);
    },
    onDelayed: () => jobs?.wake("pulse"),
    anotherSees: () => anotherSees,
    metrics: options.metrics,
  });
  options.metrics?.follow(loop);
  // Not awaited: subscribes as soon as the database is available.
  for (const channel of [DUE_CHANNEL, "catalog"]) database.listen(channel, loop.lookNow, loop.lookNow).catch(() => {});
  jobs = await startJobs(
    COLLECTOR_JOBS,
    { db: database.db, sql, collectorId, siteIntervalS, loop, onPulse },
    { database, log, metrics: options.metrics?.jobs },
  );
  log.info({ collector_id: collectorId, interval_s: siteIntervalS }, "watching game servers");

  return {
    collectorId,
    async stop() {
      const farewell = async () => {
        const quiet = jobs.stop();
        await loop.stop(GRACE_MS);
        await releaseClaims(sql, collectorId);
        await quiet;
        await removePulse(sql, collectorId);
      };
      const tooLong = new Promise<void>((resolve) => setTimeout(resolve, GRACE_MS + FAREWELL_MS).unref());
      await Promise.race([farewell(), tooLong]).catch((error) =>
        log.warn({ err: error }, "stopped without a farewell"),
      );
      // Everything worth waiting for had its time above.
      await database.close(CLOSE_MS);
    },
  };
}
