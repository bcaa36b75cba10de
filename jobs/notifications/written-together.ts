// Combines writes: those that arrive during a write go together in the next one. The first isn't delayed, and a thousand take a few
// statements.

/**
 * Creates a function that passes one item to `write`, with others that arrived meanwhile, and settles as that does.
 * @param write each of its items gets what it resolves to
 */
export function writtenTogether<Item, Written>(
  write: (items: readonly Item[]) => Promise<Written>,
): (item: Item) => Promise<Written> {
  let next: { items: Item[]; written: Promise<Written> } | null = null;
  let last: Promise<unknown> = Promise.resolve();
  return (item) => {
    if (next) {
      next.items.push(item);
      return next.written;
    }
    const items = [item];
    const written = last.then(() => {
      next = null;
      return write(items);
    });
    next = { items, written };
    last = written.catch(() => {});
    return written;
  };
}
