/**
 * Tells a fault of ours from a fault of theirs: when most servers that were online fail at once, it is our network.
 *
 * - Freeze: within one interval more than half of the servers that were online and are heard in it, and at least five,
 *   begin to fail. Who was not asked since bears no witness: it may have a longer interval, or another collector.
 *   Not when all that fail share one address while another address answers: then that machine is down, not we.
 *   (Where everything that we ask is one machine, nobody can tell its death from ours: that is a freeze too.)
 * - This is what one collector hears by itself; before it calls anybody offline, common-evidence.ts asks all of them.
 * - While frozen no failure counts; answers do. Rows that get no answer grow old and are shown as unknown.
 * - Over: at least half of those that failed answer again, or what still fails shares one address while another
 *   answers. Or it has lasted ten intervals and some other address than the failing ones still answers: then our
 *   network provably works, and from there on the silent ones are judged like any server.
 */

/** With fewer game servers than this nobody can tell whose fault it is. */
export const FEWEST = 5;
export const GIVE_UP_INTERVALS = 10;
/** How far apart two failures of one fault can be heard, beyond the interval: jitter and a query's deadline. */
const SLACK_MS = 2_500;

/** A fault that began within this, in ms, shows in most of what was heard since, though not yet in most of an interval. */
const SUDDEN_MS = 10_000;

/** The span within which failures count as "at once", in ms. */
export function withinMs(siteIntervalMs: number): number {
  return siteIntervalMs * 1.1 + SLACK_MS;
}

/** The different places of `all`. */
export function placesOf<T>(all: T[], placeOf: (one: T) => string): Set<string> {
  return new Set(all.map(placeOf));
}

type Heard = {
  serverId: number;
  /** Where it was asked, once resolved; a name that does not resolve counts as a place of its own. */
  address: string;
  ok: boolean;
  /** Online before this result: only such servers bear witness. */
  wasOnline: boolean;
  intervalMs: number;
  /** In ms, of any clock that never jumps. */
  at: number;
};

export type OwnFault = {
  /** Takes in one result. `began` and `ended` are true only at the very result that tips the scale. */
  hear(heard: Heard): { frozen: boolean; began: boolean; ended: boolean };
  frozen(): boolean;
  /**
   * Have most of those that were heard in the last ten seconds, and at least five, begun to fail in them? It may be the
   * beginning of a fault of ours: too early to say so, and too early to believe any failure.
   */
  suddenly(now: number): boolean;
  /** When the first of those failed by whom the freeze began; null: there is none. */
  failingSince(): number | null;
};

type Witness = { address: string; okAt: number; failingSince: number | null; lastAt: number; intervalMs: number };

/** @param siteIntervalMs the span within which failures count as "at once". */
export function createOwnFault(siteIntervalMs: number): OwnFault {
  const atOnceMs = withinMs(siteIntervalMs);
  const witnesses = new Map<number, Witness>();
  /** The servers that failed in this freeze, and those of them that answer again. */
  let freeze: { since: number; failingSince: number; failed: Set<number>; back: Set<number> } | null = null;
  let sweptAt = 0;

  function forgetOld(now: number) {
    if (now - sweptAt < 1_000) return;
    sweptAt = now;
    for (const [id, witness] of witnesses) {
      const kept = 3 * Math.max(siteIntervalMs, witness.intervalMs) + SLACK_MS;
      if (now - witness.lastAt > kept && !freeze?.failed.has(id)) witnesses.delete(id);
    }
  }

  /** Has an address that is none of `failing` answered after `since`? */
  function answersElsewhere(failing: Set<string>, since: number): boolean {
    for (const { address, failingSince, okAt } of witnesses.values()) {
      if (failingSince === null && okAt > since && !failing.has(address)) return true;
    }
    return false;
  }

  /** All that fail share one address while another answers. */
  function oneMachineIsDown(failing: Witness[]): boolean {
    const addresses = new Set(failing.map((witness) => witness.address));
    const began = Math.min(...failing.map((witness) => witness.failingSince ?? 0));
    return addresses.size === 1 && answersElsewhere(addresses, began);
  }

  /** Of those that were heard within `spanMs`, have most begun to fail in it? */
  function mostBeganToFail(now: number, spanMs: number): boolean {
    const failing: Witness[] = [];
    let answering = 0;
    for (const witness of witnesses.values()) {
      if (witness.failingSince === null) {
        if (now - witness.lastAt <= spanMs) answering++;
      } else if (now - witness.failingSince <= spanMs) failing.push(witness);
    }
    return failing.length >= FEWEST && failing.length > answering && !oneMachineIsDown(failing);
  }

  function shouldThaw(now: number, { since, failed, back }: NonNullable<typeof freeze>): boolean {
    if (back.size * 2 >= failed.size) return true;
    const failing = [...witnesses.values()].filter((witness) => witness.failingSince !== null);
    if (oneMachineIsDown(failing)) return true;
    if (now - since < GIVE_UP_INTERVALS * siteIntervalMs) return false;
    return answersElsewhere(new Set(failing.map((witness) => witness.address)), now - 2 * siteIntervalMs);
  }

  return {
    frozen: () => freeze !== null,
    failingSince: () => freeze?.failingSince ?? null,
    suddenly: (now) => mostBeganToFail(now, SUDDEN_MS),
    hear({ serverId, address, ok, wasOnline, intervalMs, at }) {
      const known = witnesses.get(serverId);
      if (ok) {
        witnesses.set(serverId, { address, okAt: at, failingSince: null, lastAt: at, intervalMs });
        if (freeze?.failed.has(serverId)) freeze.back.add(serverId);
      } else if (!wasOnline && known?.failingSince === null) {
        // Another collector heard it fail first. To count it here as well would make failures weigh more than answers.
        witnesses.delete(serverId);
      } else if (known || wasOnline) {
        const okAt = known?.okAt ?? at - intervalMs;
        witnesses.set(serverId, { address, okAt, failingSince: known?.failingSince ?? at, lastAt: at, intervalMs });
        freeze?.failed.add(serverId);
        freeze?.back.delete(serverId);
      }
      forgetOld(at);
      if (freeze === null) {
        if (ok || !mostBeganToFail(at, atOnceMs)) return { frozen: false, began: false, ended: false };
        const failed = [...witnesses].filter(([, { failingSince }]) => failingSince !== null).map(([id]) => id);
        const atOnce = [...witnesses.values()].map(({ failingSince }) => failingSince ?? at);
        const failingSince = Math.min(...atOnce.filter((since) => at - since <= atOnceMs));
        freeze = { since: at, failingSince, failed: new Set(failed), back: new Set() };
        return { frozen: true, began: true, ended: false };
      }
      if (!shouldThaw(at, freeze)) return { frozen: true, began: false, ended: false };
      // What failed in the freeze must not tip the scale again: it is judged from here on.
      for (const [id, witness] of witnesses) if (witness.failingSince !== null) witnesses.delete(id);
      freeze = null;
      return { frozen: false, began: false, ended: true };
    },
  };
}
