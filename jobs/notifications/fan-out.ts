// Creates the deliveries of events for their followers and rules.
import { fanOut } from "#domain/notifications/fan-out.ts";
import { listRuleTargets } from "#domain/notifications/rules.ts";
import type { WebParts } from "../web-schedule.ts";

/** Any number of processes may run it: one of them does the work. */
export const makeDeliveries = ({ db, config, signal }: WebParts & { signal: AbortSignal }): Promise<void> =>
  fanOut(db, config.pollIntervalS, { choose: listRuleTargets, signal });
