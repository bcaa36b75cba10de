/** Game servers that answer, and never name who is on: to wait for that each time would cost two seconds of every question. */

/** After so many questions in a row without a list it is asked for none for a while; a packet may get lost now and then. */
const MOST_IN_VAIN = 3;
const REST_MS = 600_000;

/** Makes what remembers them; `now` in ms of the steady clock. */
export function createUnansweredLists(now: () => number = () => performance.now()) {
  const inVain = new Map<number, { times: number; until: number }>();
  return {
    /** Whether it is worth asking this game server who is on. */
    isWorthAsking(serverId: number): boolean {
      const known = inVain.get(serverId);
      if (known === undefined || known.times < MOST_IN_VAIN) return true;
      if (now() < known.until) return false;
      // Once, and if it is in vain again, not for as long again.
      inVain.set(serverId, { times: MOST_IN_VAIN - 1, until: 0 });
      return true;
    },
    /** It has answered: with a list, or without. */
    hear(serverId: number, told: boolean): void {
      if (told) inVain.delete(serverId);
      else inVain.set(serverId, { times: (inVain.get(serverId)?.times ?? 0) + 1, until: now() + REST_MS });
    },
  };
}
