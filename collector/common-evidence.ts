/**
 * Checks before a server is called offline whether the fault is ours, by the results of all collectors.
 *
 * - own-fault.ts sees one collector's part of one interval. Here every row counts; where the last moments show too little (long
 *   intervals, few game servers), others are polled ahead of schedule.
 * - `theirs`: at least as many others answered since it began to fail as fail; or all that fail share one address. This collector
 *   got one of the answers: others' say nothing about its own network.
 * - `ours`: more fail than answer or still could answer, and at least five; or none of at least five answers. Servers that began to
 *   fail more than ten intervals ago no longer count.
 * - `unclear`: too few results. None is called offline; some of the servers without a result are polled now.
 * - With fewer than five game servers there is no way to tell, and failures are believed.
 */
import type { MeasuredStatus } from "#shared/statuses.ts";
import { FEWEST, GIVE_UP_INTERVALS, placesOf, withinMs } from "./own-fault.ts";

/** How many are polled ahead of schedule at a time, and the wait before more are. */
const ASKED_AHEAD = 8;
const PATIENCE_MS = 4_000;
/** Longest age of read data: many servers fail together. */
const FRESH_MS = 250;
/** Intervals without an answer after which an online server isn't expected to answer soon. */
const EXPECTED_INTERVALS = 3;

/** Data of all collectors about a game server that has answered before. Times in ms of the database's clock. */
export type Seen = {
  serverId: number;
  host: string;
  status: Exclude<MeasuredStatus, "unknown">;
  statusSince: number;
  lastAnsweredAt: number;
  intervalMs: number;
};

export type Says = "theirs" | "ours" | "unclear";

/** Compares observations; `since` is a time at which the server already failed. `unheard` servers could still decide. */
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
 * Creates the comparison for one collector.
 * @param options.read reads the data of all collectors. @param options.askSoon makes servers due now.
 */
export function createCommonEvidence(options: {
  siteIntervalMs: number;
  databaseNow: () => number;
  read: () => Promise<Seen[]>;
  askSoon: (serverIds: number[]) => Promise<void>;
  /** From 0 up to 1; picks the servers to poll ahead. */
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
    /** Records a result of this collector: the place where `host` was polled. */
    hear(host: string, place: string, ok: boolean): void {
      places.set(host, place);
      if (ok) heardAt = databaseNow();
    },
    /** Time of this collector's last answer, in ms of the database's clock. */
    heardAt: () => heardAt,
    /** Compares all observations for a game server failing since `failingSince`. Rejects while the database is unavailable. */
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
