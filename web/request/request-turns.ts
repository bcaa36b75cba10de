// Answers a few requests per turn of the event loop, clients in turn: in between, connections are read, database
// notifications received and pages rendered, however many cheap requests a client sends (decision 024).
import type { IncomingMessage } from "node:http";
import { type Asker, createFairQueue } from "./fair-queue.ts";

/** Requests per turn of the loop that are answered without identifying the client: a site that is not flooded never does. */
const WITHOUT_ASKING = 16;
/** The time per turn for requests that waited. */
const TURN_MS = 4;

/** Makes what starts each request: at once, or in the turn of the client that `askerOf` returns. */
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
