// Divides the memory for a web process's live streams: by client, by network, and between visitors and members. A fixed number of
// streams would be too many for a small machine, and few slow readers cost as much as many streams.
import { usableMemory } from "../../config/usable-memory.ts";
import { type Asker, sharesOf } from "../request/fair-queue.ts";

/** Per stream with its connection, and per topic that it shows, in bytes (docs/performance.md, P5). */
const STREAM_BYTES = 12 * 1024;
const TOPIC_BYTES = 170;

/** The memory of a stream with this many topics and this many bytes that its client hasn't read. */
export const streamBytes = (topics: number, unread = 0): number => STREAM_BYTES + topics * TOPIC_BYTES + unread;

/** About 50,000 streams of the home page; on a small machine a quarter of its memory, for all web processes together. */
const MOST_BYTES = 640 * 2 ** 20;
const PART_OF_MACHINE = 1 / 4;
export const streamMemoryOf = (processes: number): number =>
  Math.min(MOST_BYTES, (usableMemory() * PART_OF_MACHINE) / processes);

/** The shares of all visitors, which leaves room for members, and of one client. */
const PART_OF_VISITORS = 3 / 4;
const PART_OF_CLIENT = 1 / 32;

/** A visitor whose address can't be determined (`isUncountedProxy`): together they have only the limit of all visitors. */
export const ANY_VISITOR: Asker = { group: "visitors", key: "any", network: "any" };

/** The memory of one open stream. */
export type StreamPlace = {
  /** Changes its number of bytes. False without a change: there is not enough memory. */
  resize(bytes: number): boolean;
  leave(): void;
};

/** A network or an account; the newest stream comes last. */
type Holder = { bytes: number; streams: Set<{ end(): void }> };

/** Makes the account of `most` bytes. */
export function createStreamMemory(most: number) {
  const clients = new Map<string, number>();
  const holders = { visitors: new Map<string, Holder>(), others: new Map<string, Holder>() };
  const taken = { visitors: 0, others: 0 };
  const poolOf = ({ group }: Asker) => (group === "visitors" ? "visitors" : "others");
  const hasRoom = (asker: Asker, more: number) =>
    taken.visitors + taken.others + more <= most &&
    (poolOf(asker) === "others" || taken.visitors + more <= most * PART_OF_VISITORS);

  function largest(maps: Map<string, Holder>[]): Holder | undefined {
    let found: Holder | undefined;
    for (const map of maps) for (const holder of map.values()) if (holder.bytes > (found?.bytes ?? 0)) found = holder;
    return found;
  }

  /** Ends the newest streams of the largest holders, until there is room for a smaller one. False: there is none. */
  function makeRoom(asker: Asker, more: number): boolean {
    const pool = poolOf(asker);
    const own = (holders[pool].get(asker.network)?.bytes ?? 0) + more;
    while (!hasRoom(asker, more)) {
      const holder = largest(pool === "visitors" ? [holders.visitors] : [holders.visitors, holders.others]);
      const newest = [...(holder?.streams ?? [])].at(-1);
      if (!holder || !newest || holder.bytes <= own) return false;
      holder.streams.delete(newest);
      newest.end();
    }
    return true;
  }

  function refusalOf(asker: Asker, more: number): "own" | "all" | null {
    if (more <= 0) return null;
    const shares = asker === ANY_VISITOR ? [] : sharesOf(asker, most * PART_OF_CLIENT);
    if (shares.some(([name, share]) => (clients.get(name) ?? 0) + more > share)) return "own";
    return makeRoom(asker, more) ? null : "all";
  }

  function count(asker: Asker, stream: { end(): void }, more: number) {
    const pool = poolOf(asker);
    taken[pool] += more;
    for (const [name] of sharesOf(asker, 0)) {
      const bytes = (clients.get(name) ?? 0) + more;
      if (bytes > 0) clients.set(name, bytes);
      else clients.delete(name);
    }
    const holder = holders[pool].getOrInsertComputed(asker.network, () => ({ bytes: 0, streams: new Set() }));
    holder.bytes += more;
    holder.streams.add(stream);
  }

  return {
    /**
     * Takes memory for a stream. `end` is called, at most once, if another client needs the memory: it has to call `leave`. "own":
     * the client or its network uses its whole share; "all": all streams together do, and no holder uses more than this one.
     */
    take(asker: Asker, bytes: number, end: () => void): StreamPlace | "own" | "all" {
      const refusal = refusalOf(asker, bytes);
      if (refusal) return refusal;
      const stream = { end };
      let here = bytes;
      count(asker, stream, bytes);
      return {
        resize(next) {
          if (refusalOf(asker, next - here)) return false;
          count(asker, stream, next - here);
          here = next;
          return true;
        },
        leave() {
          if (here === 0) return;
          count(asker, stream, -here);
          here = 0;
          const map = holders[poolOf(asker)];
          const holder = map.get(asker.network);
          holder?.streams.delete(stream);
          if (holder?.streams.size === 0) map.delete(asker.network);
        },
      };
    },
  };
}
