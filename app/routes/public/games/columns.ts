// Counts the columns of a grid of cards.

/** Returns the number of columns, at most `most`, with the fewest gaps in the last row: of 8 cards 4 or 2, never 3. */
export function columnsFor(cards: number, most: number): number {
  let best = 1;
  let fewest = Number.POSITIVE_INFINITY;
  // One column never has a gap; only for a single card.
  for (let columns = Math.max(1, Math.min(most, cards)); columns >= Math.min(2, cards); columns--) {
    const gaps = (columns - (cards % columns)) % columns;
    if (gaps < fewest) [best, fewest] = [columns, gaps];
  }
  return best;
}
