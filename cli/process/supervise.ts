/** Supervises one part of the site: restarts it with growing pauses, and gives up when that is useless. */
import { setTimeout as pause } from "node:timers/promises";

/** `replaced`: another process listens on the same socket, and is ready. */
export type StopHow = "asked" | "replaced" | "killed";

/** One running process of a part. */
export type RunningPart = {
  /** Settles when it is ready; never, if it ends before. */
  ready: Promise<void>;
  /** Settles when it has ended, with the reason. `hopeless`: a restart won't help. */
  ended: Promise<{ reason: string; hopeless?: boolean }>;
  /** Stops it and settles when it has ended. */
  stop(how: StopHow): Promise<void>;
};

export type Part = {
  name: string;
  /**
   * Rejects if it can't be started; the first time that is final.
   * @param beside the process that it will replace still runs
   */
  start(beside: boolean): Promise<RunningPart>;
  /** True during a passing external problem, such as a full disk: such a crash doesn't count. */
  excused?(): Promise<boolean>;
};

export type Supervised = {
  /** Settles when the part is ready for the first time. */
  ready: Promise<void>;
  /** Settles, with the reason, when supervision gave up. */
  givenUp: Promise<string>;
  /**
   * Replaces the running process. `beside`: stops the old one when the new one is ready, and keeps it if that fails; `after`, or
   * if it isn't ready itself: stops it first. Settles with null, or with the reason.
   */
  replace(how: "beside" | "after"): Promise<string | null>;
  /** Expects its end from now on: no restart, whatever ends it. */
  retire(): void;
  /** Stops it for good. */
  stop(): Promise<void>;
  /** Kills it, also while `stop` is waiting. */
  kill(): void;
};

type Pace = { delaysMs: number[]; deathsAllowed: number; withinMs: number };

/** Longest wait for a replacement, which may be slow, or wait for its database, while the old one runs. */
const REPLACED_WITHIN_MS = 5 * 60_000;

const PACE: Pace = { delaysMs: [200, 500, 1000, 2000, 5000], deathsAllowed: 5, withinMs: 60_000 };

/** Starts the part and restarts it until `stop`, or until five crashes in a minute. */
export function supervise(
  part: Part,
  log: { warn(message: string): void; info(message: string): void },
  pace: Pace = PACE,
): Supervised {
  const ready = Promise.withResolvers<void>();
  const givenUp = Promise.withResolvers<string>();
  const stopping = new AbortController();
  let running: RunningPart | null = null;
  /** The replacement: not ready yet, then successor as soon as the old process has ended. */
  let coming: RunningPart | null = null;
  let successor: RunningPart | null = null;
  /** While a replacement starts: an end meanwhile waits for its outcome. */
  let takingOver: Promise<unknown> | null = null;
  /** The coming end is wanted, and the next process follows at once. */
  let renewing = false;
  let onStart: ((life: RunningPart) => void) | null = null;

  const lives = async () => {
    let deaths: number[] = [];
    let excusedInTurn = 0;
    while (!stopping.signal.aborted) {
      const end = await liveOnce();
      if (stopping.signal.aborted) return;
      if (renewing) {
        renewing = false;
        continue;
      }
      const now = performance.now();
      const excused = !end.hopeless && (await part.excused?.()) === true;
      excusedInTurn = excused ? excusedInTurn + 1 : 0;
      deaths = [...deaths.filter((at) => now - at < pace.withinMs), ...(excused ? [] : [now])];
      if (end.hopeless || deaths.length >= pace.deathsAllowed) {
        const often = end.hopeless ? "" : ` ${deaths.length} times within ${pace.withinMs / 1000} s, at last because`;
        givenUp.resolve(`${part.name} ended${often}: ${end.reason}`);
        return;
      }
      const delayMs = pace.delaysMs[Math.min(excusedInTurn || deaths.length, pace.delaysMs.length) - 1] ?? 0;
      log.warn(`${part.name} ended (${end.reason}); starting it again in ${delayMs / 1000} s`);
      await pause(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };

  let everStarted = false;
  /** The process that was ready last. */
  let inUse: RunningPart | null = null;
  const liveOnce = async () => {
    try {
      running = await part.start(false);
    } catch (error) {
      return { reason: error instanceof Error ? error.message : String(error), hopeless: !everStarted };
    }
    everStarted = true;
    const life = running;
    life.ready.then(() => {
      inUse = life;
      ready.resolve();
    });
    onStart?.(life);
    for (;;) {
      if (stopping.signal.aborted) await running.stop("asked");
      const end = await running.ended;
      await takingOver;
      running = successor;
      successor = null;
      if (running === null) return end;
    }
  };

  /** Returns null once ready; else the reason. */
  const untilReady = (life: RunningPart) =>
    Promise.race([
      life.ready.then(() => null),
      life.ended.then(({ reason }) => `${part.name} ended (${reason})`),
      pause(REPLACED_WITHIN_MS, `${part.name} was not ready within ${REPLACED_WITHIN_MS / 60_000} minutes`, {
        ref: false,
      }),
    ]);

  const renew = async (): Promise<string | null> => {
    const next = new Promise<RunningPart>((resolve) => {
      onStart = resolve;
    });
    renewing = running !== null;
    await running?.stop("asked");
    const life = await Promise.race([next, givenUp.promise]);
    onStart = null;
    return typeof life === "string" ? life : untilReady(life);
  };

  const takeOver = async (old: RunningPart): Promise<string | null> => {
    try {
      coming = await part.start(true);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    const life = coming;
    const trouble = stopping.signal.aborted ? "it is being stopped" : await untilReady(life);
    coming = null;
    if (trouble !== null || stopping.signal.aborted) {
      await life.stop(trouble === null ? "asked" : "killed");
      return trouble ?? "it is being stopped";
    }
    inUse = life;
    successor = life;
    await old.stop("replaced");
    return null;
  };

  const done = lives();
  return {
    ready: ready.promise,
    givenUp: givenUp.promise,
    async replace(how) {
      // A process that isn't ready serves nobody and has nothing to pass on.
      if (how === "after" || running === null || running !== inUse) return renew();
      const taking = takeOver(running);
      takingOver = taking;
      const trouble = await taking;
      takingOver = null;
      return trouble;
    },
    retire: () => stopping.abort(),
    async stop() {
      stopping.abort();
      await Promise.all([running, coming, successor].map((life) => life?.stop("asked")));
      await done;
    },
    kill() {
      stopping.abort();
      for (const life of [running, coming, successor]) void life?.stop("killed");
    },
  };
}
