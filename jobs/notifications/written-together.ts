// Writes that come while another is under way go together in the next one: the first is not held up, and a thousand are a few statements.

/**
 * Makes a function that hands one item to `write`, beside others that came meanwhile, and settles as that does.
 * @param write what it resolves to is what each of its items gets
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
