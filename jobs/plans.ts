// Runs plans (beginning, notification, end), and turns outages into incidents.
import type { Db } from "#db/client.ts";
import { watchOutages } from "#domain/incidents/watch-outages.ts";
import { runPlans } from "#domain/plans/run-plans.ts";

/** Runs every due step of every plan. */
export const followPlans = ({ db }: { db: Db }): Promise<number> => runPlans(db);

/** Drafts and closes incidents. */
export const followOutages = ({ db, siteIntervalS }: { db: Db; siteIntervalS: number }): Promise<number> =>
  db.transaction((tx) => watchOutages(tx, siteIntervalS));
