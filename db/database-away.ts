/** Tells an unavailable database from an error in a statement: "try again in a moment" from "this was wrong". */

/**
 * The connection failed, was lost, aborted or closed, so the statement's outcome is unknown. `code` is the network's if there is
 * one, else `CONNECTION_LOST`, `CONNECTION_SILENT` or `CONNECTION_CLOSED`.
 */
export class DatabaseUnavailableError extends Error {
  override name = "DatabaseUnavailableError";
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Network errors of connections: https://nodejs.org/api/errors.html#common-system-errors */
const NETWORK = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOST|ENETUNREACH|EAI_AGAIN|ENOTFOUND)/;

/**
 * SQLSTATEs (Postgres, appendix A): connection exceptions (08), read-only (25006), no disk, memory or connections (53), a statement
 * timeout (57014), a server that stops or starts (57P0x), disk errors (58030).
 */
const SERVER = /^(?:08|25006|53|57014|57P0|58030)/;

/** True if an error, or its cause, means that the database is unavailable; the same statement may work later. */
export function isDatabaseAway(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof DatabaseUnavailableError) return true;
    const { code, syscall } = cause as { code?: unknown; syscall?: unknown };
    if (typeof code !== "string") continue;
    // A missing socket file means no server; any other missing file is unrelated to the database.
    if (NETWORK.test(code) || SERVER.test(code) || (code === "ENOENT" && syscall === "connect")) return true;
  }
  return false;
}
