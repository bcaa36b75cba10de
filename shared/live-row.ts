// Defines the live stream's row: a game server's data that every browser receives repeatedly.
import type { ShownStatus, UnknownReason } from "./statuses.ts";

/** One row of the live stream. Names are those of table gameserver_live_metrics; times are ISO 8601; null is "not known". */
export type LiveRow = {
  server_id: number;
  status: ShownStatus;
  user_online: number | null;
  /** Bots, which are not part of user_online; absent if there are none, or unknown. */
  bots_online?: number;
  user_max: number | null;
  user_peak: number | null;
  user_peak_at: string | null;
  user_peak_24h: number | null;
  user_peak_7d: number | null;
  version: string | null;
  map: string | null;
  /** Set if the game server reports that it requires a password. */
  password_protected?: true;
  status_since: string | null;
  /** Why the status is unknown; set only if the last check shows it. */
  unknown_reason?: UnknownReason;
  /** The locations of outposts that reach it while the site does not; absent without any. */
  reachable_from?: string[];
};
