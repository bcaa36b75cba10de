/** An interrupted run leaves no process behind, whatever it has started. */
import { endLeftovers, markRun } from "./leftovers.ts";

const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
const PATIENCE_MS = 5_000;

/**
 * Ends everything that this process starts from now on, and then itself, when it is interrupted: by Ctrl-C, by a signal, or by the end
 * of the launcher or of npm's shell, which may die without passing a signal on.
 */
export function endAllWhenInterrupted(): void {
  const { mark, env } = markRun();
  Object.assign(process.env, env);
  let ending = false;
  const end = async (code: number) => {
    if (ending) return;
    ending = true;
    await endLeftovers(mark, PATIENCE_MS);
    process.exit(code);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => end(CODES[signal]));
  process.once("disconnect", () => end(CODES.SIGTERM));
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && end(CODES.SIGTERM), 500).unref();
}
