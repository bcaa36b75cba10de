/** Error that prevents a start and that an operator can fix. */

/** The message is one line that says what to do. */
export class StartError extends Error {
  override name = "StartError";
}

/** Exit code of a child process: a restart won't help. */
export const MEND_FIRST = 78;
