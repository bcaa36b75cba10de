/**
 * Tells our faults from theirs: when most servers that were online fail at once, it is our network.
 *
 * - Freeze: within one interval more than half of the servers that were online and have a result in it, and at least five, begin to
 *   fail. Servers not polled since don't count: they may have a longer interval, or another collector. Not if all that fail share
 *   one address while another answers: then that machine is down. (If everything is on one machine, its outage can't be told from
 *   ours: that is a freeze too.)
 * - This is one collector's view; before it calls a server offline, common-evidence.ts reads the results of all.
 * - During a freeze no failure counts; answers do. Rows without an answer become stale and are shown as unknown.
 * - End: at least half of the failed servers answer again, or what still fails shares one address while another answers. Or it has
 *   lasted ten intervals and some address other than the failing ones still answers: then our network works, and from then on the
 *   silent servers are judged as usual.
 */

/** With fewer game servers our faults can't be told from theirs. */
export const FEWEST = 5;
export const GIVE_UP_INTERVALS = 10;
/** How far apart failures of one cause may be, beyond the interval: jitter and a query's deadline. */
const SLACK_MS = 2_500;

/** A fault that began within this, in ms, affects most of the results since, though not yet of an interval. */
const SUDDEN_MS = 10_000;

/** Returns the span within which failures count as "at once", in ms. */
export function withinMs(siteIntervalMs: number): number {
  return siteIntervalMs * 1.1 + SLACK_MS;
}

/** Returns the distinct places of `all`. */
export function placesOf<T>(all: T[], placeOf: (one: T) => string): Set<string> {
  return new Set(all.map(placeOf));
}

type Heard = {
  serverId: number;
  /** The polled address, once resolved; an unresolved name counts as a place of its own. */
  address: string;
  ok: boolean;
  /** Online before this result: only such servers count. */
  wasOnline: boolean;
  intervalMs: number;
  /** In ms, of any monotonic clock. */
  at: number;
};

export type OwnFault = {
  /** Records a result. `began` and `ended` are true only for the deciding result. */
  hear(heard: Heard): { frozen: boolean; began: boolean; ended: boolean };
  frozen(): boolean;
  /**
   * Returns whether most servers with a result in the last ten seconds, and at least five, began to fail then. It may be the start
   * of our own fault: too early to say, and too early to believe a failure.
   */
  suddenly(now: number): boolean;
  /** When the first failure of the freeze happened; null: no freeze. */
  failingSince(): number | null;
};

type Witness = { address: string; okAt: number; failingSince: number | null; lastAt: number; intervalMs: number };

/** @param siteIntervalMs the span within which failures count as "at once". */
export function createOwnFault(siteIntervalMs: number): OwnFault {
  const atOnceMs = withinMs(siteIntervalMs);
  const witnesses = new Map<number, Witness>();
  /** The servers that failed in this freeze, and those that answer again. */
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

  /** Returns whether an address outside `failing` answered after `since`. */
  function answersElsewhere(failing: Set<string>, since: number): boolean {
    for (const { address, failingSince, okAt } of witnesses.values()) {
      if (failingSince === null && okAt > since && !failing.has(address)) return true;
    }
    return false;
  }

  /** Returns whether all that fail share one address while another answers. */
  function oneMachineIsDown(failing: Witness[]): boolean {
    const addresses = new Set(failing.map((witness) => witness.address));
    const began = Math.min(...failing.map((witness) => witness.failingSince ?? 0));
    return addresses.size === 1 && answersElsewhere(addresses, began);
  }

  /** Returns whether most of the servers with a result within `spanMs` began to fail in it. */
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
        // Another collector saw it fail first. Counting it here too would give failures more weight than answers.
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
      // Failures of the freeze must not decide again: they are judged from here on.
      for (const [id, witness] of witnesses) if (witness.failingSince !== null) witnesses.delete(id);
      freeze = null;
      return { frozen: false, began: false, ended: true };
    },
  };
}
