/** The collector's recurring jobs: its part of the list (schedule.ts). Loads no code of a web process. */

import type { Db } from "#db/client.ts";
import type { Sql } from "#db/sql.ts";
import { maintenancesAreOver, plansAreDue } from "./due-conditions.ts";
import { endMaintenances } from "./end-maintenance.ts";
import { removeOldRollUps } from "./measurements/old-roll-ups.ts";
import { refreshRecentPeaks } from "./measurements/recent-peaks.ts";
import { rollUp } from "./measurements/roll-ups.ts";
import { keepSamplesInBounds } from "./measurements/sample-partitions.ts";
import { removeOldPlayerLists } from "./old-player-lists.ts";
import { repairPlans } from "./plan-repair.ts";
import { followOutages, followPlans } from "./plans.ts";
import { pulse } from "./pulse.ts";
import type { Job } from "./start-jobs.ts";

/** Dependencies of the collector's jobs. */
export type CollectorParts = {
  db: Db;
  sql: Sql;
  collectorId: string;
  siteIntervalS: number;
  loop: { inFlight(): number; delayedForMs(): number | null; faultForMs(): number | null; steadyForMs(): number };
  onPulse(heard: { anotherSees: boolean }): void;
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A wrong date must not cost the history: remove old data only once the database's clock has run steadily for this long. */
const isSteady = ({ loop }: CollectorParts) => loop.steadyForMs() > HOUR / 2;

export const COLLECTOR_JOBS = {
  pulse: { everyMs: 2 * SECOND, atOnce: "any", run: pulse },
  "plan-repair": {
    everyMs: 5 * SECOND,
    atOnce: "any",
    run: ({ sql, collectorId, siteIntervalS }) => repairPlans(sql, collectorId, siteIntervalS),
  },
  "end-maintenance": {
    everyMs: 2 * SECOND,
    due: maintenancesAreOver,
    atOnce: "any",
    run: ({ sql }) => endMaintenances(sql),
  },
  // Frequent enough for the full minute at which most plans begin.
  plans: { everyMs: 2 * SECOND, due: plansAreDue, atOnce: "any", run: followPlans },
  outages: { everyMs: 15 * SECOND, atOnce: "any", run: followOutages },
  "sample-partitions": {
    everyMs: HOUR,
    atOnce: "one by its own lock",
    run: (parts) => keepSamplesInBounds(parts.sql, isSteady(parts)),
  },
  "peaks-24h": {
    everyMs: 5 * MINUTE,
    atOnce: "one",
    run: ({ exclusively }) => refreshRecentPeaks(exclusively, "24h"),
  },
  "peaks-7d": { everyMs: HOUR, atOnce: "one", run: ({ exclusively }) => refreshRecentPeaks(exclusively, "7d") },
  // Checks whether five more minutes are over.
  "roll-ups": {
    everyMs: MINUTE,
    atOnce: "one",
    run: ({ exclusively, siteIntervalS, signal }) => rollUp(exclusively, siteIntervalS, signal),
  },
  "old-player-lists": { everyMs: MINUTE, atOnce: "any", run: ({ sql }) => removeOldPlayerLists(sql) },
  "old-roll-ups": {
    everyMs: HOUR,
    atOnce: "one",
    run: ({ exclusively, ...parts }) => removeOldRollUps(exclusively, isSteady(parts)),
  },
} satisfies Record<string, Job<CollectorParts>>;
