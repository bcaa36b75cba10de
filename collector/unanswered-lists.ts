/** Tracks game servers that answer but never list players: waiting for the list would add two seconds to every poll. */

/** Polls in a row without a list after which it isn't requested for a while; a packet may get lost. */
const MOST_IN_VAIN = 3;
const REST_MS = 600_000;

/** Creates the tracker; `now` in monotonic ms. */
export function createUnansweredLists(now: () => number = () => performance.now()) {
  const inVain = new Map<number, { times: number; until: number }>();
  return {
    /** Returns whether to request this game server's player list. */
    isWorthAsking(serverId: number): boolean {
      const known = inVain.get(serverId);
      if (known === undefined || known.times < MOST_IN_VAIN) return true;
      if (now() < known.until) return false;
      // One attempt; if it fails, the next pause follows at once.
      inVain.set(serverId, { times: MOST_IN_VAIN - 1, until: 0 });
      return true;
    },
    /** Records an answer with or without a list. */
    hear(serverId: number, told: boolean): void {
      if (told) inVain.delete(serverId);
      else inVain.set(serverId, { times: (inVain.get(serverId)?.times ?? 0) + 1, until: now() + REST_MS });
    },
  };
}
