/** Says a cause once and counts it then: while the database is away, each request and each job fails of the same. */

/** How long a cause is counted before the count is said. */
export const COUNT_MS = 30_000;

type Say = (more: number) => void;

/** Counts repeated causes of one log. `flush` says at once what was counted, for a process that ends. */
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
     * Whether it was said a moment ago, so that this time it is counted alone.
     * @param say reports how many more times it came; called every `everyMs` for as long as it comes
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
