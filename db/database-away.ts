/** Whether a failure is the database's absence, for whoever has to tell "try again in a moment" from "this was wrong". */

/**
 * What says that Postgres was not reached, gave no answer in time, or takes nothing just now: the driver's own codes, the
 * network's, and of SQLSTATE (Postgres' appendix A) connection exceptions (08), a database that is only to be read (25006), no
 * disk, memory or connections (53), a statement that took too long (57014), a server that stops or starts (57P0x), disk errors.
 */
const AWAY =
  /^(?:CONNECT_|CONNECTION_|ECONN|EPIPE|ETIMEDOUT|EHOST|ENETUNREACH|EAI_AGAIN|ENOTFOUND|08|25006|53|57014|57P0|58030)/;

/** Whether an error, or one that it was caused by, means that the database could not do it now; the same may work later. */
export function isDatabaseAway(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, syscall } = cause as { code?: unknown; syscall?: unknown };
    if (typeof code !== "string") continue;
    // A socket in the file system that is not there; any other file that is missing is no database.
    if (AWAY.test(code) || (code === "ENOENT" && syscall === "connect")) return true;
  }
  return false;
}
