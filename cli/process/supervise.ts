/** Keeps one part of the site alive: starts it again when it dies, later each time, and says when that is no use. */
import { setTimeout as pause } from "node:timers/promises";

/** One life of a part, running. */
export type RunningPart = {
  /** Settles when it is ready for use; never, when it ends before. */
  ready: Promise<void>;
  /** Settles when it has ended, with the reason in words. `hopeless`: starting it again will not help. */
  ended: Promise<{ reason: string; hopeless?: boolean }>;
  /** Asks it to end and settles when it has; `force` does not wait for good manners. */
  stop(force: boolean): Promise<void>;
};

export type Part = {
  name: string;
  /** Rejects when it could not be started; the first time that is for good. */
  start(): Promise<RunningPart>;
};

export type Supervised = {
  /** Settles when the part is ready for the first time. */
  ready: Promise<void>;
  /** Settles, with the reason, when it has been given up. */
  givenUp: Promise<string>;
  /** From now on its end is expected: whoever ends it, it is not started again. */
  retire(): void;
  /** Ends it for good. */
  stop(): Promise<void>;
  /** Ends it at once, also while `stop` is waiting. */
  kill(): void;
};

type Pace = { delaysMs: number[]; deathsAllowed: number; withinMs: number };

const PACE: Pace = { delaysMs: [200, 500, 1000, 2000, 5000], deathsAllowed: 5, withinMs: 60_000 };

/** Starts the part and keeps it alive until `stop`, or until it has died five times in a minute. */
export function supervise(
  part: Part,
  log: { warn(message: string): void; info(message: string): void },
  pace: Pace = PACE,
): Supervised {
  const ready = Promise.withResolvers<void>();
  const givenUp = Promise.withResolvers<string>();
  const stopping = new AbortController();
  let running: RunningPart | null = null;

  const lives = async () => {
    let deaths: number[] = [];
    while (!stopping.signal.aborted) {
      const end = await liveOnce();
      if (stopping.signal.aborted) return;
      const now = performance.now();
      deaths = [...deaths.filter((at) => now - at < pace.withinMs), now];
      if (end.hopeless || deaths.length >= pace.deathsAllowed) {
        const often = end.hopeless ? "" : ` ${deaths.length} times within ${pace.withinMs / 1000} s, at last because`;
        givenUp.resolve(`${part.name} ended${often}: ${end.reason}`);
        return;
      }
      const delayMs = pace.delaysMs[Math.min(deaths.length, pace.delaysMs.length) - 1] ?? 0;
      log.warn(`${part.name} ended (${end.reason}); starting it again in ${delayMs / 1000} s`);
      await pause(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };

  let everStarted = false;
  const liveOnce = async () => {
    try {
      running = await part.start();
    } catch (error) {
      return { reason: error instanceof Error ? error.message : String(error), hopeless: !everStarted };
    }
    everStarted = true;
    running.ready.then(ready.resolve);
    if (stopping.signal.aborted) await running.stop(false);
    const end = await running.ended;
    running = null;
    return end;
  };

  const done = lives();
  return {
    ready: ready.promise,
    givenUp: givenUp.promise,
    retire: () => stopping.abort(),
    async stop() {
      stopping.abort();
      await running?.stop(false);
      await done;
    },
    kill() {
      stopping.abort();
      void running?.stop(true);
    },
  };
}
