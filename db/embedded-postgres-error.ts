/** What the embedded Postgres says when it cannot be had on this machine. */

/** The message is one line for the operator. */
export class EmbeddedPostgresError extends Error {
  override name = "EmbeddedPostgresError";
}
