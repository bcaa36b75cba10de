/**
 * Before a game server is called offline: do the others, asked by whichever collector, show that the fault is not ours?
 *
 * - What own-fault.ts sees is one collector's part of one interval. Here every row counts, and where the last moments
 *   tell too little (long intervals, few game servers) others are asked ahead of their turn.
 * - `theirs`: others answered since it began to fail, at least as many as fail; or all that fail share one address.
 *   This very collector heard one of them, too: others' answers say nothing of its own way out.
 * - `ours`: more fail than answer or still could answer, and at least five; or none of at least five answers. Who
 *   began to fail more than ten intervals ago does not count any more.
 * - `unclear`: too few were heard. Nobody is called offline; some of the unheard are asked now.
 * - With fewer than five game servers nobody can tell, and the failures are believed.
 */
import type { MeasuredStatus } from "#shared/statuses.ts";
import { FEWEST, GIVE_UP_INTERVALS, placesOf, withinMs } from "./own-fault.ts";

/** How many are asked ahead of their turn at a time, and how long that is given before more are. */
const ASKED_AHEAD = 8;
const PATIENCE_MS = 4_000;
/** How old what was read may be: many fail together. */
const FRESH_MS = 250;
/** After so many intervals without a word an online game server is not expected to answer soon. */
const EXPECTED_INTERVALS = 3;

/** What all collectors know of a game server that has answered before. Times in ms of the database's clock. */
export type Seen = {
  serverId: number;
  host: string;
  status: Exclude<MeasuredStatus, "unknown">;
  statusSince: number;
  lastAnsweredAt: number;
  intervalMs: number;
};

export type Says = "theirs" | "ours" | "unclear";

/** Weighs what all know, `since` a time at which the one in question failed already. `unheard` could tell more. */
function weigh(
  seen: Seen[],
  at: { since: number; now: number; siteIntervalMs: number; placeOf: (host: string) => string },
): { says: Says; unheard: number[]; witnesses: number } {
  const { since, now, siteIntervalMs, placeOf } = at;
  const failing: Seen[] = [];
  const answering: Seen[] = [];
  const unheard: number[] = [];
  let witnesses = 0;
  for (const one of seen) {
    if (one.status === "offline" && one.statusSince < since) continue;
    witnesses++;
    if (one.status !== "online") {
      if (one.statusSince >= now - GIVE_UP_INTERVALS * siteIntervalMs) failing.push(one);
    } else if (one.lastAnsweredAt >= since) answering.push(one);
    else if (now - one.lastAnsweredAt <= EXPECTED_INTERVALS * Math.max(one.intervalMs, siteIntervalMs)) {
      unheard.push(one.serverId);
    }
  }
  const say = (says: Says) => ({ says, unheard, witnesses });
  if (witnesses < FEWEST) return say("theirs");
  const down = placesOf(failing, (one) => placeOf(one.host));
  if (down.size === 1 && answering.some((one) => !down.has(placeOf(one.host)))) return say("theirs");
  if (unheard.length === 0) {
    const most = failing.length >= FEWEST && failing.length > answering.length;
    return say(most || answering.length === 0 ? "ours" : "theirs");
  }
  if (failing.length > answering.length + unheard.length && failing.length >= FEWEST) return say("ours");
  const enough = answering.length >= failing.length && answering.length + failing.length >= FEWEST;
  return say(enough ? "theirs" : "unclear");
}

export type CommonEvidence = ReturnType<typeof createCommonEvidence>;

/**
 * Makes what weighs for one collector.
 * @param options.read what all collectors know. @param options.askSoon makes these due now.
 */
export function createCommonEvidence(options: {
  siteIntervalMs: number;
  databaseNow: () => number;
  read: () => Promise<Seen[]>;
  askSoon: (serverIds: number[]) => Promise<void>;
  /** From 0 up to 1; decides who is asked ahead. */
  random?: () => number;
}) {
  const { siteIntervalMs, databaseNow, read, askSoon, random = Math.random } = options;
  const places = new Map<string, string>();
  let heardAt = Number.NEGATIVE_INFINITY;
  let askedAheadAt = Number.NEGATIVE_INFINITY;
  let last: { at: number; seen: Promise<Seen[]> } | null = null;

  function look(now: number): Promise<Seen[]> {
    if (last === null || Math.abs(now - last.at) > FRESH_MS) last = { at: now, seen: read() };
    return last.seen;
  }

  return {
    /** Takes in one result of this collector: where `host` was asked. */
    hear(host: string, place: string, ok: boolean): void {
      places.set(host, place);
      if (ok) heardAt = databaseNow();
    },
    /** When this collector last heard an answer, in ms of the database's clock. */
    heardAt: () => heardAt,
    /** What all know, of a game server that fails since `failingSince`. Rejects when the database is away. */
    async weigh(failingSince: number): Promise<Says> {
      const now = databaseNow();
      const since = Math.max(failingSince, now - withinMs(siteIntervalMs));
      const seen = await look(now);
      const { says, unheard, witnesses } = weigh(seen, {
        since,
        now,
        siteIntervalMs,
        placeOf: (host) => places.get(host) ?? host,
      });
      if (says === "unclear" && now - askedAheadAt >= PATIENCE_MS) {
        askedAheadAt = now;
        const from = Math.floor(random() * unheard.length);
        await askSoon([...unheard.slice(from), ...unheard.slice(0, from)].slice(0, ASKED_AHEAD));
      }
      return says === "theirs" && heardAt < since && witnesses >= FEWEST ? "unclear" : says;
    },
  };
}
