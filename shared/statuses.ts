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
 * - `timeout`: something came back (an accepted connection, a challenge, half a reply), then nothing until the deadline
 * - `no_reply`: nothing came back at all
 * - `refused`: the machine answered that nobody listens there, or closed the door without a word
 * - `malformed`: an answer that breaks the protocol or our limits
 * - `unauthorized`: it answers only those who show its key (a password, a token), and ours is missing or another one
 * - `publisher`: the company that is asked in its place gave no answer, or is not set up here: says nothing of the game server
 * - `network`: our own side could not send (no route, no sockets or buffers left): says nothing about the game server
 * - `dns`: the name has no address; `blocked`: an address or port that is not asked
 */
const QUERY_FAILURES = [
  "timeout",
  "refused",
  "no_reply",
  "malformed",
  "unauthorized",
  "publisher",
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
