// What every browser is told of a game server, over and over: one row of the live stream.
import type { ShownStatus, UnknownReason } from "./statuses.ts";

/** One row of the live stream. Names are those of table gameserver_live_metrics; times are ISO 8601; null is "not known". */
export type LiveRow = {
  server_id: number;
  status: ShownStatus;
  user_online: number | null;
  /** Bots, which are no part of user_online; absent where there are none, or nobody tells. */
  bots_online?: number;
  user_max: number | null;
  user_peak: number | null;
  user_peak_at: string | null;
  user_peak_24h: number | null;
  user_peak_7d: number | null;
  version: string | null;
  map: string | null;
  /** Set where the game server says that it asks for a password. */
  password_protected?: true;
  status_since: string | null;
  /** Why the status is unknown; set only where the last check says so. */
  unknown_reason?: UnknownReason;
  /** Where outposts stand that reach it while we do not; absent where there are none. */
  reachable_from?: string[];
};
