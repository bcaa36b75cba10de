// Computes how often a game server is polled: one rule for the collector's schedule and for the pages that show it.
import type { ShownStatus } from "./statuses.ts";

/** While a user waits for an offline game server, and while a failure is not confirmed yet. */
export const SOON_S = 5;
/** The longest interval of offline game servers, unless their own is longer. */
export const LONGEST_OFFLINE_S = 30;

/** Gets the seconds between two polls of an offline game server: more than its interval only if that is short. */
export function offlineEveryS(intervalS: number): number {
  return Math.max(intervalS, Math.min(4 * intervalS, LONGEST_OFFLINE_S));
}

/**
 * Gets the seconds between two polls, as currently scheduled.
 * @param intervalS the game server's own interval, or the site's
 * @param waiting a user waits for it, and that is granted (`gameserver_wait`)
 */
export function askedEveryS(intervalS: number, status: ShownStatus, waiting: boolean): number {
  if (status === "degraded" || (status === "offline" && waiting)) return Math.min(intervalS, SOON_S);
  return status === "offline" ? offlineEveryS(intervalS) : intervalS;
}
