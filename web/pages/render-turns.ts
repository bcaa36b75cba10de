// Lets one page be rendered in each turn of the event loop, in turns of those who ask: between two pages streams, health
// checks and answers of the database get theirs, however many pages one of them asks for.
import { whenNobodyArrives } from "../request/arrivals.ts";
import { type Asker, createFairQueue } from "../request/fair-queue.ts";

const waiting = createFairQueue<() => void>();

/** Settles when it is the asker's turn; what is done at once then is all that is rendered in this turn of the loop. */
export function renderTurn(asker: Asker): Promise<void> {
  return new Promise((resolve) => {
    waiting.add(asker, resolve);
    if (waiting.size === 1) whenNobodyArrives(giveTurn);
  });
}

function giveTurn(): void {
  waiting.take()?.();
  if (waiting.size > 0) whenNobodyArrives(giveTurn);
}
