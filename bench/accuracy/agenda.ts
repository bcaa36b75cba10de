/** What happens next: a heap of moments. */

type Entry<What> = { at: number; turn: number; what: What };

/** Makes an empty agenda. Of two things at the same moment the one that was noted first comes first. */
export function createAgenda<What>() {
  const heap: Entry<What>[] = [];
  let turns = 0;
  const before = (a: Entry<What>, b: Entry<What>) => a.at < b.at || (a.at === b.at && a.turn < b.turn);

  function sink(entry: Entry<What>): void {
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      const [left, right] = [heap[child], heap[child + 1]];
      if (left && right && before(right, left)) child++;
      const least = heap[child];
      if (!least || before(entry, least)) break;
      heap[place] = least;
      place = child;
    }
    heap[place] = entry;
  }

  return {
    note(at: number, what: What): void {
      const entry = { at, turn: turns++, what };
      let place = heap.length;
      while (place > 0) {
        const parent = (place - 1) >> 1;
        const above = heap[parent];
        if (!above || before(above, entry)) break;
        heap[place] = above;
        place = parent;
      }
      heap[place] = entry;
    },
    take(): { at: number; what: What } | undefined {
      const first = heap[0];
      const last = heap.pop();
      if (first && last && first !== last) sink(last);
      return first;
    },
  };
}
