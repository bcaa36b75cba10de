// Sums up the live rows: the same on the server and in the browser.
import type { LiveRow } from "./live-row.ts";

export type Summary = {
  /** The reported ones. */
  playersNow: number;
  /** Whether that number is meaningful: players are reported, or no server is up that players could be on. */
  playersKnown: boolean;
  serversOnline: number;
  serversTotal: number;
  fullest: LiveRow | null;
};

/** Sums up known values. A game server without reported players is left out; an inactive one is not counted. */
export function summarize(rows: LiveRow[]): Summary {
  const summary: Summary = { playersNow: 0, playersKnown: true, serversOnline: 0, serversTotal: 0, fullest: null };
  let reported = false;
  let maybeUp = false;
  for (const row of rows) {
    if (row.status === "inactive") continue;
    summary.serversTotal += 1;
    reported ||= row.user_online !== null;
    maybeUp ||= row.status !== "offline" && row.status !== "maintenance";
    if (row.status !== "online" && row.status !== "degraded") continue;
    summary.serversOnline += 1;
    summary.playersNow += row.user_online ?? 0;
    if ((row.user_online ?? 0) > (summary.fullest?.user_online ?? 0)) summary.fullest = row;
  }
  summary.playersKnown = reported || !maybeUp;
  return summary;
}
