/** Repeats one function at an interval, never twice at once. */

export type Repeated = {
  /** Requests a run now; one in progress is followed by another. */
  wake(): void;
  /** Runs as soon as the last run began `ms` ago; one in progress counts. */
  runWithin(ms: number): void;
  /** Starts no more runs; waits for the one in progress, at most this long. */
  stop(withinMs: number): Promise<void>;
};

/**
 * Runs it after `firstMs`, then every `everyMs`. Skips a turn while it is still running.
 * @param run never rejects
 */
export function repeat(run: () => Promise<void>, everyMs: number, firstMs: number): Repeated {
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  let beganAt = Number.NEGATIVE_INFINITY;
  const start = () => {
    if (stopped) return;
    if (running) return;
    beganAt = performance.now();
    running = run().finally(() => {
      running = null;
      if (!again) return;
      again = false;
      start();
    });
  };
  const begin = () => {
    start();
    timer = setInterval(start, everyMs).unref();
  };
  let timer: NodeJS.Timeout | undefined;
  if (firstMs > 0) timer = setTimeout(begin, firstMs).unref();
  else begin();
  return {
    wake() {
      again = running !== null;
      start();
    },
    runWithin(ms) {
      // A timer that is slightly early or late must not cost a whole turn.
      if (performance.now() - beganAt >= ms * 0.9) start();
    },
    async stop(withinMs) {
      stopped = true;
      clearTimeout(timer);
      const limit = Promise.withResolvers<void>();
      const patience = setTimeout(limit.resolve, withinMs);
      await Promise.race([running, limit.promise]);
      clearTimeout(patience);
    },
  };
}
