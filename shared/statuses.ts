// How a game server can be: what is measured of it, what its admin says of it, and what people are shown.

/** What is measured: `degraded` means that the last try failed and is not confirmed, `unknown` that nobody can tell. */
export const MEASURED_STATUSES = ["unknown", "online", "degraded", "offline"] as const;
export type MeasuredStatus = (typeof MEASURED_STATUSES)[number];

/** What people see. `maintenance` and `inactive` come from the admin's lifecycle, the rest from measuring. */
export const SHOWN_STATUSES = ["online", "degraded", "offline", "unknown", "maintenance", "inactive"] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];

/** What the admin says: whether it is meant to run. */
export const LIFECYCLES = ["active", "maintenance", "retired"] as const;
export type Lifecycle = (typeof LIFECYCLES)[number];

/**
 * Why a server that was checked lately is unknown: `unreadable`: bytes come from its port and can't be read; `no_answer`: it has
 * never answered a check, so its silence proves nothing.
 */
export const UNKNOWN_REASONS = ["unreadable", "no_answer"] as const;
export type UnknownReason = (typeof UNKNOWN_REASONS)[number];

/** What people see where nothing was measured, and of what is not meant to run whatever is measured. */
export const UNMEASURED = {
  active: "unknown",
  maintenance: "maintenance",
  retired: "inactive",
} as const satisfies Record<Lifecycle, ShownStatus>;

/** What the admin says: who is shown it. */
export const VISIBILITIES = ["public", "members", "hidden"] as const;

/**
 * Why a question to a game server gave no usable answer.
 * - `timeout`: the exchange began as the protocol says (an accepted connection, a challenge, half a reply), then nothing
 *   until the deadline; also a proxy that says that the game behind it is down
 * - `no_reply`: nothing came back at all
 * - `refused`: the machine answered that nobody listens there, or closed the door without a word
 * - `malformed`: bytes came from the asked port and can't be read: they break the protocol or our limits. Something is up there
 * - `unauthorized`: it answers only those who show its key (a password, a token), and ours is missing or another one
 * - `network`: our own side could not send (no route, no sockets or buffers left): says nothing about the game server
 * - `dns`: the name has no address; `blocked`: an address or port that is not asked
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
 * Why a poll failed: the question did, the record lacks the port to ask (`no_address`), what it has to show was sealed with
 * another secret of the site (`sealed`), or no heartbeat came (`silent`).
 */
export const FAILURES = [...QUERY_FAILURES, "no_address", "sealed", "silent"] as const;
export type Failure = (typeof FAILURES)[number];
