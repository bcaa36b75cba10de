// Makes deliveries of what happened, for everybody who asked to be told of it.
import { fanOut } from "#domain/notifications/fan-out.ts";
import { listRuleTargets } from "#domain/notifications/rules.ts";
import type { WebParts } from "../web-schedule.ts";

/** Any number of processes may try: one of them does it. */
export const makeDeliveries = ({ db, config, signal }: WebParts & { signal: AbortSignal }): Promise<void> =>
  fanOut(db, config.pollIntervalS, { choose: listRuleTargets, signal });
