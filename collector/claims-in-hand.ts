/** The game servers that this collector has claimed: those that wait to be asked, are being asked, or wait to be written. */
import type { Claimed } from "./claim.ts";

export type ClaimsInHand = ReturnType<typeof createClaimsInHand>;

/** Makes the list, empty: of one collector, in its memory alone. */
export function createClaimsInHand() {
  /** All that are not written yet. */
  const held = new Map<number, Claimed>();
  /** Those of them that wait for a slot, and those that wait or are being asked. */
  const ahead: Claimed[] = [];
  const asking = new Set<number>();

  return {
    /** Takes in a claim; who waits or is being asked still is not asked twice. */
    take(server: Claimed): void {
      held.set(server.serverId, server);
      if (asking.has(server.serverId)) return;
      asking.add(server.serverId);
      ahead.push(server);
    },
    /** Who is to be asked now: the one that waited longest. */
    next(): Claimed | undefined {
      const server = ahead.shift();
      // Its claim may have lapsed and been taken anew meanwhile.
      return server && (held.get(server.serverId) ?? server);
    },
    /** How many wait to be asked. */
    ahead: () => ahead.length,
    /** The hosts of which so many wait or are being asked whose last try failed. */
    failingHosts(most: number): string[] {
      const counts = new Map<string, number>();
      for (const serverId of asking) {
        const server = held.get(serverId);
        if (server?.host == null || server.state.failuresInRow === 0) continue;
        counts.set(server.host, (counts.get(server.host) ?? 0) + 1);
      }
      return [...counts].filter(([, count]) => count >= most).map(([host]) => host);
    },
    /** The claim as it is now; absent: it is written, or was never ours. */
    find: (serverId: number) => held.get(serverId),
    ids: () => [...held.keys()],
    /** It was asked, whatever came of it. Returns whether nobody else waits or is being asked. */
    wasAsked(serverId: number): boolean {
      asking.delete(serverId);
      return asking.size === 0;
    },
    /** It is written, or never will be. */
    letGo: (serverId: number): void => void held.delete(serverId),
  };
}
