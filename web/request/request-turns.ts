// Answers a few requests in each turn of the event loop, in turns of those who ask: between them connections are read, the
// database is heard and pages are rendered, however fast somebody asks for what costs little (decision 024).
import type { IncomingMessage } from "node:http";
import { type Asker, createFairQueue } from "./fair-queue.ts";

/** So many in one turn of the loop are answered without asking whose they are: a site that is not flooded never asks. */
const WITHOUT_ASKING = 16;
/** What a turn may take for those that waited. */
const TURN_MS = 4;

/** Makes what begins each request: at once, or when it is the turn of the one `askerOf` names. */
export function createRequestTurns(askerOf: (request: IncomingMessage) => Asker) {
  const waiting = createFairQueue<() => void>();
  let left = WITHOUT_ASKING;
  let isTurnComing = false;

  function giveTurn() {
    left = WITHOUT_ASKING;
    isTurnComing = false;
    const until = performance.now() + TURN_MS;
    try {
      do waiting.take()?.();
      while (waiting.size > 0 && performance.now() < until);
    } finally {
      if (waiting.size > 0) comeAgain();
    }
  }
  function comeAgain() {
    if (isTurnComing) return;
    isTurnComing = true;
    setImmediate(giveTurn);
  }

  return (request: IncomingMessage, begin: () => void): void => {
    comeAgain();
    if (left > 0 && waiting.size === 0) {
      left -= 1;
      begin();
    } else waiting.add(askerOf(request), begin);
  };
}
