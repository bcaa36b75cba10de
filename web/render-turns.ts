// Lets one page be rendered in each turn of the event loop: between two pages streams, health checks and answers of the
// database get theirs, however many people ask for pages at once.

const waiting: (() => void)[] = [];

/** Settles when it is the caller's turn; what it does at once then is all that is rendered in this turn. */
export function renderTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(giveTurn);
  });
}

function giveTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(giveTurn);
}
