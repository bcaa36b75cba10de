/** Logs a cause once, then counts it: while the database is unavailable, each request and job fails for the same reason. */

/** How long a cause is counted before the count is logged. */
export const COUNT_MS = 30_000;

type Say = (more: number) => void;

/** Counts repeated causes of one log. `flush` logs the counts at once, for a process that ends. */
export function createCauseCounter(everyMs = COUNT_MS) {
  const counted = new Map<string, { more: number; say: Say; timer: NodeJS.Timeout }>();

  function tell(cause: string): void {
    const known = counted.get(cause);
    if (!known) return;
    if (known.more === 0) {
      clearInterval(known.timer);
      counted.delete(cause);
      return;
    }
    known.say(known.more);
    known.more = 0;
  }

  return {
    /**
     * Returns whether it was just logged, and counts it.
     * @param say logs the further occurrences; called every `everyMs` while there are any
     */
    isRepeated(cause: string, say: Say): boolean {
      const known = counted.get(cause);
      if (known) known.more += 1;
      else counted.set(cause, { more: 0, say, timer: setInterval(tell, everyMs, cause).unref() });
      return known !== undefined;
    },
    flush(): void {
      for (const cause of counted.keys()) tell(cause);
    },
  };
}
