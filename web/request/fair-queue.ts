// A waiting line in which everybody who asks has a line of their own: whoever stands there seven hundred times waits for
// themselves, and for nobody else (decision 024).

/**
 * Who asks. Groups take turns, and within a group those in it: `site` is what all wait for (health, pages from memory),
 * `staff` and `members` are accounts, each named by its `key`; `visitors` are addresses, an IPv6 one by its /64.
 */
export type Asker = { group: (typeof GROUPS)[number]; key: string };

/** Who asks where something is made once for all. */
export const FOR_ALL: Asker = { group: "site", key: "all" };

const GROUPS = ["site", "staff", "members", "visitors"] as const;

/** Makes an empty one. */
export function createFairQueue<Item>() {
  /** Whose turn it is stands in front: who was served and has more goes to the end. */
  const groups = GROUPS.map((group) => ({ group, lines: new Map<string, Item[]>() }));
  let size = 0;
  let served = 0;
  const linesOf = ({ group }: Asker) => groups[GROUPS.indexOf(group)]?.lines ?? new Map<string, Item[]>();

  return {
    get size() {
      return size;
    },
    add(asker: Asker, item: Item): void {
      const lines = linesOf(asker);
      const line = lines.get(asker.key);
      if (line) line.push(item);
      else lines.set(asker.key, [item]);
      size += 1;
    },
    /** The next in turn whom `mayGo` lets go; undefined: nobody. */
    take(mayGo: (asker: Asker) => boolean = () => true): Item | undefined {
      for (let step = 1; step <= groups.length; step += 1) {
        const at = (served + step) % groups.length;
        const { group, lines } = groups[at] ?? { group: "site", lines: new Map<string, Item[]>() };
        for (const [key, line] of lines) {
          if (!mayGo({ group, key })) continue;
          lines.delete(key);
          const item = line.shift();
          if (line.length > 0) lines.set(key, line);
          size -= 1;
          served = at;
          return item;
        }
      }
      return undefined;
    },
    /** Takes out one that waits no longer. */
    remove(asker: Asker, item: Item): void {
      const lines = linesOf(asker);
      const line = lines.get(asker.key);
      const at = line?.indexOf(item) ?? -1;
      if (!line || at === -1) return;
      line.splice(at, 1);
      if (line.length === 0) lines.delete(asker.key);
      size -= 1;
    },
    /** Takes out the last of the longest line: where there is no room for all, whoever wants most has to go. */
    dropFromLongest(): Item | undefined {
      let longest: Item[] = [];
      let of: { lines: Map<string, Item[]>; key: string } | undefined;
      for (const { lines } of groups) {
        for (const [key, line] of lines) {
          if (line.length <= longest.length) continue;
          longest = line;
          of = { lines, key };
        }
      }
      const item = longest.pop();
      if (item === undefined) return undefined;
      if (longest.length === 0) of?.lines.delete(of.key);
      size -= 1;
      return item;
    },
  };
}
