/**
 * Limits simultaneous polls: a hundred in all and two per address, of which a failing server may take only one. A server that is
 * slow to answer is mostly down and costs only a socket, so it lends its slot.
 */

/** Waiting servers per host from which no more of it are claimed. */
const MOST_WAITING_AT_HOST = 8;
/** An answer slower than this frees its slot for others, up to a number of such slow ones. */
const QUIET_AFTER_MS = 100;
const MOST_QUIET = 300;
/** Waiting for an address costs no slot, so it needs a limit of its own. */
const MOST_WAITING = 2_000;

type Waiter = { failing: boolean; start: () => void };
type Address = { asking: number; askingFailing: number; waiting: Waiter[] };

export type Slots = ReturnType<typeof createSlots>;

/**
 * @param total simultaneous polls in all. @param perAddress per resolved address.
 * @param onLent called when a waiting server has lent its slot.
 */
export function createSlots(total: number, perAddress: number, onLent: () => void = () => {}) {
  let taken = 0;
  let quiet = 0;
  let waitingInAll = 0;
  let closed = false;
  const addresses = new Map<string, Address>();
  const waitingAtHost = new Map<string, number>();

  const hasPlace = (address: Address, failing: boolean) =>
    address.asking < perAddress && (!failing || address.askingFailing < Math.max(perAddress - 1, 1));

  const countWaiting = (host: string, by: 1 | -1) => {
    waitingInAll += by;
    const count = (waitingAtHost.get(host) ?? 0) + by;
    if (count === 0) waitingAtHost.delete(host);
    else waitingAtHost.set(host, count);
  };

  /** Servers that answer come first: failing ones take longest anyway. */
  const startNext = (address: Address) => {
    if (closed) return;
    for (const failing of [false, true]) {
      if (!hasPlace(address, failing)) continue;
      const at = address.waiting.findIndex((waiter) => waiter.failing === failing);
      if (at >= 0) return address.waiting.splice(at, 1)[0]?.start();
    }
  };

  return {
    /** Number of further polls possible now. */
    room: () => (waitingInAll >= MOST_WAITING ? 0 : Math.max(total - taken, 0)),
    /** Returns whether the limit of servers waiting for their address is reached. */
    isFull: () => waitingInAll >= MOST_WAITING,
    /** Number of polls running (or resolving) now. */
    taken: () => taken + quiet,
    /** Hosts with enough waiting servers. */
    busyHosts: () => [...waitingAtHost].filter(([, count]) => count >= MOST_WAITING_AT_HOST).map(([host]) => host),
    /** Servers waiting for an address get none any more. */
    close() {
      closed = true;
    },
    take() {
      taken++;
    },
    give() {
      taken--;
    },
    /**
     * Runs `work` when `address` has a free slot. The caller holds a slot (`take`); it is lent to others meanwhile.
     * @param failing the server's last poll failed
     */
    async atAddress<T>(address: string, host: string, failing: boolean, work: () => Promise<T>): Promise<T> {
      const place = addresses.get(address) ?? { asking: 0, askingFailing: 0, waiting: [] };
      addresses.set(address, place);
      const enter = () => {
        place.asking++;
        if (failing) place.askingFailing++;
      };
      if (hasPlace(place, failing)) enter();
      else {
        taken--;
        countWaiting(host, 1);
        queueMicrotask(onLent);
        await new Promise<void>((resolve) => {
          const start = () => {
            countWaiting(host, -1);
            taken++;
            enter();
            resolve();
          };
          place.waiting.push({ failing, start });
        });
      }
      let isQuiet = false;
      const lend = setTimeout(() => {
        if (quiet >= MOST_QUIET) return;
        isQuiet = true;
        quiet++;
        taken--;
        onLent();
      }, QUIET_AFTER_MS);
      try {
        return await work();
      } finally {
        clearTimeout(lend);
        if (isQuiet) {
          quiet--;
          taken++;
        }
        place.asking--;
        if (failing) place.askingFailing--;
        startNext(place);
        if (place.asking === 0 && place.waiting.length === 0) addresses.delete(address);
      }
    },
  };
}
