/** Detects stalls of this process (suspended, swapped out, blocked event loop): they aren't a server's timeouts. */

const BEAT_MS = 250;
const STALL_MS = 1_000;

export type StallWatch = {
  /** Returns whether this process stalled since `from` (monotonic ms). */
  stalledSince(from: number): boolean;
  stop(): void;
};

/** @param onStall called when the process continues, with the length of the stall in ms. */
export function watchForStalls(onStall: (lengthMs: number) => void): StallWatch {
  let lastBeat = performance.now();
  let lastStallEnded = Number.NEGATIVE_INFINITY;
  // Also called before judging a result: its timer may fire before ours when everything is late.
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
