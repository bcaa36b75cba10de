/** Tells an unavailable database from an error in a statement: "try again in a moment" from "this was wrong". */

/**
 * The connection failed, was lost, was given up or was closed, so nothing is known of the statement's outcome. `code` is the
 * network's where there is one, else what happened: `CONNECTION_LOST`, `CONNECTION_SILENT` or `CONNECTION_CLOSED`.
 */
export class DatabaseUnavailableError extends Error {
  override name = "DatabaseUnavailableError";
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** What the network says of a connection that failed or broke: https://nodejs.org/api/errors.html#common-system-errors */
const NETWORK = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOST|ENETUNREACH|EAI_AGAIN|ENOTFOUND)/;

/**
 * SQLSTATEs (Postgres, appendix A): connection exceptions (08), read-only (25006), no disk, memory or connections (53), a
 * statement that took too long (57014), a server that stops or starts (57P0x), disk errors (58030).
 */
const SERVER = /^(?:08|25006|53|57014|57P0|58030)/;

/** Whether an error, or one that caused it, means that the database could not do it now; the same may work later. */
export function isDatabaseAway(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof DatabaseUnavailableError) return true;
    const { code, syscall } = cause as { code?: unknown; syscall?: unknown };
    if (typeof code !== "string") continue;
    // A missing socket file means no server; any other missing file has nothing to do with the database.
    if (NETWORK.test(code) || SERVER.test(code) || (code === "ENOENT" && syscall === "connect")) return true;
  }
  return false;
}
