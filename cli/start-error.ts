/** What keeps a command from starting and an operator can mend. */

/** The message is one line that says what to do. */
export class StartError extends Error {
  override name = "StartError";
}

/** With this exit code a child process says: starting me again will not help. */
export const MEND_FIRST = 78;
