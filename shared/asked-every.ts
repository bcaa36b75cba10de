// How often a game server is asked: one rule for the plan of the collector and for what pages say of it.
import type { ShownStatus } from "./statuses.ts";

/** While somebody waits for a game server that is down, and while a failure is not confirmed yet. */
export const SOON_S = 5;
/** What is offline is asked at this interval at the longest, or at its own where that is longer. */
export const LONGEST_OFFLINE_S = 30;

/** Seconds between two questions to a game server that is offline: more than its interval only where that is short. */
export function offlineEveryS(intervalS: number): number {
  return Math.max(intervalS, Math.min(4 * intervalS, LONGEST_OFFLINE_S));
}

/**
 * Seconds between two questions, as they are planned now.
 * @param intervalS the game server's own interval, or the site's
 * @param waiting somebody waits for it, and that is granted (`gameserver_wait`)
 */
export function askedEveryS(intervalS: number, status: ShownStatus, waiting: boolean): number {
  if (status === "degraded" || (status === "offline" && waiting)) return Math.min(intervalS, SOON_S);
  return status === "offline" ? offlineEveryS(intervalS) : intervalS;
}
