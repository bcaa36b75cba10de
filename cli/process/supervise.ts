/** Keeps one part of the site alive: starts it again when it dies, later each time, and says when that is no use. */
import { setTimeout as pause } from "node:timers/promises";
import type { ListeningSocket } from "./listening-socket.ts";

/** One life of a part, running. */
export type RunningPart = {
  /** Settles when it is ready for use; never, when it ends before. */
  ready: Promise<void>;
  /** Settles when it has ended, with the reason in words. `hopeless`: starting it again will not help. */
  ended: Promise<{ reason: string; hopeless?: boolean }>;
  /** Asks it to end and settles when it has; `force` does not wait for good manners. */
  stop(force: boolean): Promise<void>;
  /** What it listens on, for the life that is to take its place. */
  sockets?(): Promise<ListeningSocket[]>;
};

export type Part = {
  name: string;
  /**
   * Rejects when it could not be started; the first time that is for good.
   * @param sockets of the life beside which it starts, to take its place
   */
  start(sockets?: ListeningSocket[]): Promise<RunningPart>;
  /** True while something outside that passes, such as a full disk, keeps it from living: such a death does not count. */
  excused?(): Promise<boolean>;
};

export type Supervised = {
  /** Settles when the part is ready for the first time. */
  ready: Promise<void>;
  /** Settles, with the reason, when it has been given up. */
  givenUp: Promise<string>;
  /**
   * Puts a new life in the place of the one that runs. `beside`: the old one is ended when the new one is ready and has what it
   * listens on, and goes on where that fails; `after`, or where it is not ready itself: it is ended first. Settles with null, or with the reason in words.
   */
  replace(how: "beside" | "after"): Promise<string | null>;
  /** What the life that runs listens on. */
  sockets(): Promise<ListeningSocket[]>;
  /** From now on its end is expected: whoever ends it, it is not started again. */
  retire(): void;
  /** Ends it for good. */
  stop(): Promise<void>;
  /** Ends it at once, also while `stop` is waiting. */
  kill(): void;
};

type Pace = { delaysMs: number[]; deathsAllowed: number; withinMs: number };

/** A new life may be slow, or wait for its database, while the old one goes on; but not for ever while somebody waits for it. */
const REPLACED_WITHIN_MS = 5 * 60_000;

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
  /** The life that is to take the place of the one that runs: not ready yet, and then in its place as soon as that has ended. */
  let coming: RunningPart | null = null;
  let successor: RunningPart | null = null;
  /** While a life starts beside another: an end that falls into this waits for how it goes. */
  let takingOver: Promise<unknown> | null = null;
  /** The end that comes is wanted, and the next life follows at once. */
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
  /** The life that was ready last. */
  let inUse: RunningPart | null = null;
  const liveOnce = async () => {
    try {
      running = await part.start();
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
      if (stopping.signal.aborted) await running.stop(false);
      const end = await running.ended;
      await takingOver;
      running = successor;
      successor = null;
      if (running === null) return end;
    }
  };

  /** Null, once it is ready; else why it is not. */
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
    await running?.stop(false);
    const life = await Promise.race([next, givenUp.promise]);
    onStart = null;
    return typeof life === "string" ? life : untilReady(life);
  };

  const takeOver = async (old: RunningPart): Promise<string | null> => {
    const sockets = (await old.sockets?.()) ?? [];
    // Without them it would wait for the port, which the old one has.
    if (sockets.length === 0) return `${part.name} did not hand over what it listens on`;
    try {
      coming = await part.start(sockets);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    const life = coming;
    const trouble = stopping.signal.aborted ? "it is being stopped" : await untilReady(life);
    coming = null;
    if (trouble !== null || stopping.signal.aborted) {
      await life.stop(trouble !== null);
      return trouble ?? "it is being stopped";
    }
    inUse = life;
    successor = life;
    await old.stop(false);
    return null;
  };

  const done = lives();
  return {
    ready: ready.promise,
    givenUp: givenUp.promise,
    async replace(how) {
      // What is not in use yet, or not again, has nobody to hand over and nothing to hand over.
      if (how === "after" || running === null || running !== inUse) return renew();
      const taking = takeOver(running);
      takingOver = taking;
      const trouble = await taking;
      takingOver = null;
      return trouble;
    },
    sockets: async () => (await running?.sockets?.()) ?? [],
    retire: () => stopping.abort(),
    async stop() {
      stopping.abort();
      await Promise.all([running, coming, successor].map((life) => life?.stop(false)));
      await done;
    },
    kill() {
      stopping.abort();
      for (const life of [running, coming, successor]) void life?.stop(true);
    },
  };
}
