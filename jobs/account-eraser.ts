// Erases accounts whose grace period is over.
import type { Logger } from "pino";
import { eraseDueAccounts, sweepErasedAccounts } from "#domain/members/erasure.ts";

/** Concurrent processes take different accounts. Rejects when an avatar couldn't be removed: that account stays. */
export async function eraseAccounts(app: Parameters<typeof eraseDueAccounts>[0] & { log: Logger }): Promise<void> {
  let kept: Error | undefined;
  const erased = await eraseDueAccounts(app, (error) => {
    kept = new Error("an account could not be erased, because its avatar could not be removed", { cause: error });
  });
  if (erased > 0) app.log.info({ erased }, "accounts were erased");
  await sweepErasedAccounts(app.db);
  if (kept) throw kept;
}
