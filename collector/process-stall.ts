/** Notices when this process itself stood still (stopped, swapped out, a blocked event loop), so that a query's time-out is not held against a server. */

const BEAT_MS = 250;
const STALL_MS = 1_000;

export type StallWatch = {
  /** Did this process stand still at any moment since `from` (steady ms)? */
  stalledSince(from: number): boolean;
  stop(): void;
};

/** @param onStall called once the process goes on, with the length of the stall in ms. */
export function watchForStalls(onStall: (lengthMs: number) => void): StallWatch {
  let lastBeat = performance.now();
  let lastStallEnded = Number.NEGATIVE_INFINITY;
  // Also called before a result is judged: its timer may come before ours when everything is late.
  const beat = () => {
    const now = performance.now();
    const late = now - lastBeat - BEAT_MS;
    lastBeat = now;
    if (late < STALL_MS) return;
    lastStallEnded = now;
    onStall(late);
  };
  const timer = setInterval(beat, BEAT_MS);
  return {
    stalledSince(from) {
      beat();
      return lastStallEnded >= from;
    },
    stop: () => clearInterval(timer),
  };
}
