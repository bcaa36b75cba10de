/** Aborts a long command cleanly: on Ctrl-C, SIGTERM, or the end of its parent. */

/** Its reason is a one-line error. Listeners undo unfinished work. */
export function listenForTheEnd(): AbortSignal {
  const told = new AbortController();
  const end = () => told.abort(new EndedError("It was ended; nothing of it is left."));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, end);
  process.on("disconnect", end);
  return told.signal;
}

class EndedError extends Error {
  override name = "EndedError";
}
