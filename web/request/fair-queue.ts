// Queues requests fairly by network, then by client: 700 requests of one address, or 750 of 250 /64s of one /48, wait for each
// other and delay no other network (decision 024).
import { CLIENTS_OF_NETWORK, clientKeysOf } from "./client-keys.ts";

/**
 * Identifies the client whose turn a request takes. Groups take turns, within a group its networks, and within a network its
 * clients: `site` is what all wait for (health, pages from memory), `staff` and `members` are accounts, each its own client and
 * network; `visitors` are addresses, by the two keys of `client-keys.ts`.
 */
export type Asker = { group: (typeof GROUPS)[number]; key: string; network: string };

/** The queue identity of an account, or of work done for all. */
export const askerOfAccount = (group: Exclude<Asker["group"], "visitors">, key: string): Asker => ({
  group,
  key,
  network: key,
});

/** The queue identity of an address, as `readVisit` returns it. */
export function askerOfAddress(ip: string): Asker {
  const { client, network } = clientKeysOf(ip);
  return { group: "visitors", key: client, network };
}

/**
 * Lists the names that a client's slots are counted under, each with its limit, for a client limit of `most`: the client, and its
 * network if that is different.
 */
export const sharesOf = ({ group, key, network }: Asker, most: number): [name: string, most: number][] => [
  [`${group} ${key}`, most],
  ...(network === key ? [] : [[`${group} ${network}`, most * CLIENTS_OF_NETWORK] as [string, number]]),
];

/** The identity of work that is done once for all. */
export const FOR_ALL: Asker = askerOfAccount("site", "all");

const GROUPS = ["site", "staff", "members", "visitors"] as const;

/** The queues of clients, by network; in both maps the next in turn comes first. */
type Networks<Item> = Map<string, Map<string, Item[]>>;

/** Makes an empty queue. */
export function createFairQueue<Item>() {
  const groups = GROUPS.map((group) => ({ group, networks: new Map() as Networks<Item> }));
  let size = 0;
  let served = 0;
  const networksOf = ({ group }: Asker) => groups[GROUPS.indexOf(group)]?.networks ?? (new Map() as Networks<Item>);

  /** Deletes an empty client queue, and its network with the last one. */
  function forgetEmpty(networks: Networks<Item>, network: string, key: string) {
    const lines = networks.get(network);
    if (lines?.get(key)?.length === 0) lines.delete(key);
    if (lines?.size === 0) networks.delete(network);
  }

  return {
    get size() {
      return size;
    },
    add(asker: Asker, item: Item): void {
      networksOf(asker)
        .getOrInsertComputed(asker.network, () => new Map<string, Item[]>())
        .getOrInsertComputed(asker.key, () => [])
        .push(item);
      size += 1;
    },
    /** Takes the next item in turn that `mayGo` permits; undefined: none. */
    take(mayGo: (asker: Asker) => boolean = () => true): Item | undefined {
      for (let step = 1; step <= groups.length; step += 1) {
        const at = (served + step) % groups.length;
        const { group, networks } = groups[at] ?? { group: "site", networks: new Map() as Networks<Item> };
        for (const [network, lines] of networks) {
          for (const [key, line] of lines) {
            if (!mayGo({ group, key, network })) continue;
            const item = line.shift();
            // The client just served goes to the end.
            lines.delete(key);
            lines.set(key, line);
            networks.delete(network);
            networks.set(network, lines);
            forgetEmpty(networks, network, key);
            size -= 1;
            served = at;
            return item;
          }
        }
      }
      return undefined;
    },
    /** Removes an item that no longer waits. */
    remove(asker: Asker, item: Item): void {
      const networks = networksOf(asker);
      const line = networks.get(asker.network)?.get(asker.key);
      const at = line?.indexOf(item) ?? -1;
      if (!line || at === -1) return;
      line.splice(at, 1);
      forgetEmpty(networks, asker.network, asker.key);
      size -= 1;
    },
    /** Removes the last item of the longest client queue in the network with the most items: makes room when the queue is full. */
    dropFromLongest(): Item | undefined {
      let most = 0;
      let from: { networks: Networks<Item>; network: string; lines: Map<string, Item[]> } | undefined;
      for (const { networks } of groups) {
        for (const [network, lines] of networks) {
          let count = 0;
          for (const line of lines.values()) count += line.length;
          if (count <= most) continue;
          most = count;
          from = { networks, network, lines };
        }
      }
      if (!from) return undefined;
      let [key, longest] = ["", [] as Item[]];
      for (const [name, line] of from.lines) if (line.length > longest.length) [key, longest] = [name, line];
      const item = longest.pop();
      forgetEmpty(from.networks, from.network, key);
      size -= 1;
      return item;
    },
  };
}
