// Renders one page per turn of the event loop, clients in turn: streams, health checks and database replies run in between,
// however many pages a client requests.
import { whenNobodyArrives } from "../request/arrivals.ts";
import { type Asker, createFairQueue } from "../request/fair-queue.ts";

const waiting = createFairQueue<() => void>();

/** Resolves when it is the client's turn; the caller's synchronous work is all that this turn of the loop renders. */
export function renderTurn(asker: Asker): Promise<void> {
  return new Promise((resolve) => {
    waiting.add(asker, resolve);
    if (waiting.size === 1) whenNobodyArrives(giveTurn);
  });
}

/** How long pages wait for news at most, in ms: longer than reading a change takes. */
const MOST_HELD_MS = 20;
/** The work that pages wait for; null: none. */
let holder: object | null = null;
/** A page has waited for news: it goes before the next news. */
let isOwed = false;
let isPaused = false;

/** Runs `work`, which brings news to streams, before pages that wait for their turn; a page goes between two of these. */
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
