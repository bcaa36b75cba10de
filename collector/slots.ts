/**
 * How much is asked at once: a hundred in all and two at one address, of which a known-dead server may take only one.
 * Who has not answered soon is mostly dead, costs nothing but a socket, and lends its slot to the next.
 */

/** Waiters at one host from which on no more of that host is claimed. */
const MOST_WAITING_AT_HOST = 8;
/** An answer that takes longer than this does not keep others waiting, as long as no more than so many are that slow. */
const QUIET_AFTER_MS = 100;
const MOST_QUIET = 300;
/** Waiting for an address costs no slot, so something has to bound it. */
const MOST_WAITING = 2_000;

type Waiter = { failing: boolean; start: () => void };
type Address = { asking: number; askingFailing: number; waiting: Waiter[] };

export type Slots = ReturnType<typeof createSlots>;

/**
 * @param total asked at once in all. @param perAddress at one resolved address.
 * @param onLent called when somebody who waits has lent a slot.
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

  /** Living servers first: those that failed before wait the longest anyway. */
  const startNext = (address: Address) => {
    if (closed) return;
    for (const failing of [false, true]) {
      if (!hasPlace(address, failing)) continue;
      const at = address.waiting.findIndex((waiter) => waiter.failing === failing);
      if (at >= 0) return address.waiting.splice(at, 1)[0]?.start();
    }
  };

  return {
    /** How many more may be asked now. */
    room: () => (waitingInAll >= MOST_WAITING ? 0 : Math.max(total - taken, 0)),
    /** Whether so many wait for their address that no more are wanted. */
    isFull: () => waitingInAll >= MOST_WAITING,
    /** How many are being asked (or resolved) now. */
    taken: () => taken + quiet,
    /** Hosts of which enough wait already. */
    busyHosts: () => [...waitingAtHost].filter(([, count]) => count >= MOST_WAITING_AT_HOST).map(([host]) => host),
    /** Nobody who waits for an address gets one any more. */
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
     * Runs `work` when `address` has a place. The caller holds a slot (`take`); it is lent to others while this waits.
     * @param failing the server's last try failed already
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
