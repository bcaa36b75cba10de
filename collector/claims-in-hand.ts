/** The game servers that this collector has claimed: waiting, being polled, or waiting to be written. */
import type { Claimed } from "./claim.ts";

export type ClaimsInHand = ReturnType<typeof createClaimsInHand>;

/** Creates the empty list of one collector; in memory only. */
export function createClaimsInHand() {
  /** All claims not written yet. */
  const held = new Map<number, Claimed>();
  /** Claims that wait for a slot; and those waiting or being polled. */
  const ahead: Claimed[] = [];
  const asking = new Set<number>();

  return {
    /** Adds a claim; one that waits or is being polled isn't polled twice. */
    take(server: Claimed): void {
      held.set(server.serverId, server);
      if (asking.has(server.serverId)) return;
      asking.add(server.serverId);
      ahead.push(server);
    },
    /** Returns the claim to poll next: the longest waiting. */
    next(): Claimed | undefined {
      const server = ahead.shift();
      // Its claim may have expired and been renewed meanwhile.
      return server && (held.get(server.serverId) ?? server);
    },
    /** Number of waiting claims. */
    ahead: () => ahead.length,
    /** Hosts with at least `most` failing servers waiting or being polled. */
    failingHosts(most: number): string[] {
      const counts = new Map<string, number>();
      for (const serverId of asking) {
        const server = held.get(serverId);
        if (server?.host == null || server.state.failuresInRow === 0) continue;
        counts.set(server.host, (counts.get(server.host) ?? 0) + 1);
      }
      return [...counts].filter(([, count]) => count >= most).map(([host]) => host);
    },
    /** The current claim; absent: written, or never ours. */
    find: (serverId: number) => held.get(serverId),
    ids: () => [...held.keys()],
    /** Marks it as polled, whatever the result. Returns whether no other waits or is being polled. */
    wasAsked(serverId: number): boolean {
      asking.delete(serverId);
      return asking.size === 0;
    },
    /** Removes it: written, or never will be. */
    letGo: (serverId: number): void => void held.delete(serverId),
  };
}
