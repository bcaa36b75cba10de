/** Ends a command of some minutes in order: by Ctrl-C, by SIGTERM, or because whoever started it is gone. */

/** Its reason is an error of one line. What listens to it takes back what is half done. */
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
