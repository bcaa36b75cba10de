// Plans begin, are told of and end, and outages become incidents.
import type { Db } from "#db/client.ts";
import { watchOutages } from "#domain/incidents/watch-outages.ts";
import { runPlans } from "#domain/plans/run-plans.ts";

/** Takes every plan a step further whose time has come. */
export const followPlans = ({ db }: { db: Db }): Promise<number> => runPlans(db);

/** Drafts and closes incidents. */
export const followOutages = ({ db, siteIntervalS }: { db: Db; siteIntervalS: number }): Promise<number> =>
  db.transaction((tx) => watchOutages(tx, siteIntervalS));
