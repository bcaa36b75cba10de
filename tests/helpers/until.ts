/** Waiting for what a test expects, in place of waiting for a time. */
import { setTimeout as pauseFor } from "node:timers/promises";

/** Longer than anything takes on a busy machine; where a test is green it costs nothing. */
const LIMIT_MS = 240_000;

/** Waits until `check` gives anything but false, null or undefined, and returns it; fails after four minutes, naming `what`. */
export async function until<T>(
  what: string,
  check: () => Promise<T | false | null | undefined> | T | false | null | undefined,
): Promise<T> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const value = await check();
    if (value !== false && value !== null && value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(`not within ${LIMIT_MS / 1000} s: ${what}`);
    await pause(25);
  }
}

/** @param ms milliseconds */
export const pause = (ms: number): Promise<void> => pauseFor(ms);
