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

/** So long pages wait for news at most, in ms: longer than reading a change takes. */
const MOST_HELD_MS = 20;
/** Whoever holds them now; null: nobody. */
let holder: object | null = null;
/** A page has waited for news: it comes before the next ones. */
let isOwed = false;
let isPaused = false;

/** Lets `work`, which brings news to streams, go before pages that wait for their turn; a page comes between two such works. */
export async function beforePages<Result>(work: () => Promise<Result>): Promise<Result> {
  if (holder || isOwed) return work();
  const mine = {};
  holder = mine;
  const limit = setTimeout(letGo, MOST_HELD_MS, mine);
  try {
    return await work();
  } finally {
    clearTimeout(limit);
    letGo(mine);
  }
}

function letGo(mine: object): void {
  if (holder !== mine) return;
  holder = null;
  if (isPaused) whenNobodyArrives(giveTurn);
  isPaused = false;
}

function giveTurn(): void {
  if (holder) {
    isOwed = true;
    isPaused = true;
    return;
  }
  isOwed = false;
  waiting.take()?.();
  if (waiting.size > 0) whenNobodyArrives(giveTurn);
}
