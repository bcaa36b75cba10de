// Transactions whose connection is gone: nothing more is written to it.

/** The driver's word, the network's, or Postgres' own (57P01 to 57P03) for a connection that has ended under a statement. */
const LOST = /^(?:CONNECTION_CLOSED|CONNECTION_DESTROYED|ECONNRESET|EPIPE|ETIMEDOUT|57P0[123])$/;

/**
 * Does the work of a transaction. Where it fails the driver sends `rollback`, also to a connection that is gone; that write
 * fails in a turn of the event loop in which nobody hears it, and the process would end (postgres 3.4.9, `nextWrite`). So
 * work that failed because its connection did never ends: whoever waits for the transaction is told by the driver itself, and
 * Postgres has rolled back by then.
 */
export async function leaveWhenLost(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (isConnectionLost(error)) return new Promise(() => {});
    throw error;
  }
}

function isConnectionLost(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && LOST.test(String(cause.code))) return true;
  }
  return false;
}
