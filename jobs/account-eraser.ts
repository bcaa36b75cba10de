// Erases accounts whose time of grace is over, every hour. Safe to run in every web process.
import type { Logger } from "pino";
import { eraseDueAccounts, sweepErasedAccounts } from "#domain/members/erasure.ts";

const FIRST_MS = 60_000;
const EVERY_MS = 3_600_000;

/** Starts it; the first round comes after a minute. `stop` waits for the round that runs. */
export function startAccountEraser(
  app: Parameters<typeof eraseDueAccounts>[0] & { log: Logger },
  { firstMs = FIRST_MS, everyMs = EVERY_MS } = {},
): { stop(): Promise<void> } {
  let running = Promise.resolve();
  const round = async () => {
    try {
      const erased = await eraseDueAccounts(app, (error) =>
        app.log.error({ err: error }, "an account could not be erased, because its avatar could not be removed"),
      );
      if (erased > 0) app.log.info({ erased }, "accounts were erased");
      await sweepErasedAccounts(app.db);
    } catch (error) {
      app.log.warn({ err: error }, "accounts could not be erased; the next round tries again");
    }
  };
  let timer = setTimeout(function next() {
    running = round();
    timer = setTimeout(next, everyMs);
    timer.unref();
  }, firstMs);
  timer.unref();
  return {
    stop: () => {
      clearTimeout(timer);
      return running;
    },
  };
}
