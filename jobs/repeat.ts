/** The pace of one thing that is done again and again, never twice at once. */

export type Repeated = {
  /** Asks for a run now; one that is under way is followed by another. */
  wake(): void;
  /** Has it run as soon as its last run began so long ago; one that is under way will do. */
  runWithin(ms: number): void;
  /** Begins no more runs, and waits for the one under way, at most so long. */
  stop(withinMs: number): Promise<void>;
};

/**
 * Runs it after `firstMs`, and from then on every `everyMs`. A turn that comes while it still runs is left out.
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
      // A timer that is a little early or late must not cost a whole turn.
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
