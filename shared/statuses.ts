// Lists the states of a game server: the measured ones, those set by its admin, and those shown to people.

/** The measured status: `degraded` means that the last try failed and is not confirmed, `unknown` that it can't be determined. */
export const MEASURED_STATUSES = ["unknown", "online", "degraded", "offline"] as const;
export type MeasuredStatus = (typeof MEASURED_STATUSES)[number];

/** The status shown to people. `maintenance` and `inactive` come from the admin's lifecycle, the rest from measuring. */
export const SHOWN_STATUSES = ["online", "degraded", "offline", "unknown", "maintenance", "inactive"] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];

/** The admin's setting: whether it is meant to run. */
export const LIFECYCLES = ["active", "maintenance", "retired"] as const;
export type Lifecycle = (typeof LIFECYCLES)[number];

/**
 * Why a recently checked server is unknown: `unreadable`: bytes come from its port and can't be read; `no_answer`: it has never
 * answered a check, so its silence proves nothing.
 */
export const UNKNOWN_REASONS = ["unreadable", "no_answer"] as const;
export type UnknownReason = (typeof UNKNOWN_REASONS)[number];

/** The shown status without a measurement, and of servers that are not meant to run regardless of it. */
export const UNMEASURED = {
  active: "unknown",
  maintenance: "maintenance",
  retired: "inactive",
} as const satisfies Record<Lifecycle, ShownStatus>;

/** The admin's setting: who may see it. */
export const VISIBILITIES = ["public", "members", "hidden"] as const;

/**
 * Why a query to a game server gave no usable answer.
 * - `timeout`: the exchange began as the protocol says (an accepted connection, a challenge, half a reply), then nothing until
 *   the deadline; also a proxy that reports that the game behind it is down
 * - `no_reply`: nothing came back
 * - `refused`: the machine reported a closed port, or closed the connection without a reply
 * - `malformed`: bytes came from the polled port and can't be read: they break the protocol or our limits. Something is up there
 * - `unauthorized`: it requires a key (a password, a token), and ours is missing or wrong
 * - `network`: our own side could not send (no route, no sockets or buffers left): says nothing about the game server
 * - `dns`: the name has no address; `blocked`: an address or port that is not polled
 */
const QUERY_FAILURES = [
  "timeout",
  "refused",
  "no_reply",
  "malformed",
  "unauthorized",
  "network",
  "dns",
  "blocked",
] as const;
export type QueryFailure = (typeof QUERY_FAILURES)[number];

/**
 * Why a poll failed: the query did, the record lacks the port to poll (`no_address`), its credentials were sealed with another
 * secret of the site (`sealed`), or no heartbeat came (`silent`).
 */
export const FAILURES = [...QUERY_FAILURES, "no_address", "sealed", "silent"] as const;
export type Failure = (typeof FAILURES)[number];
