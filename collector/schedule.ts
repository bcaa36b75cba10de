/** Calculates a game server's next poll: from a plan fixed for each target, never from when an answer came. */
import { offlineEveryS, SOON_S } from "#shared/asked-every.ts";

/** Interval of rechecks after a failure until it is confirmed, unless the poll interval is shorter. */
export const RECHECK_MS = SOON_S * 1_000;
/** Margin, so that a slightly quicker failure isn't too early. */
const SURELY_MS = 100;
/** Least time between two polls. */
const LEAST_GAP_MS = 1_000;
/** Poll interval of an offline server while a client waits for it, and the least time between two such polls. */
const WAITED_MS = SOON_S * 1_000;
const WAITED_LEAST_MS = 4_000;
/** Greatest offset of a turn, as part of the interval, so that the rounds of many sites don't coincide. */
const JITTER = 0.05;
/** A turn this soon (part of the interval) after another poll is the same turn, or skipped. */
const SAME_TURN = 0.1;

/** Offline needs a minute without an answer, with short intervals two of them (so that tests needn't wait). */
export function confirmAfterMs(intervalMs: number): number {
  return Math.min(60_000, 2 * intervalMs);
}

/**
 * And failures for this long: with an interval over a minute, three within ten seconds would otherwise be enough, and a lossy line
 * often loses three in a row.
 */
export function failingForMs(intervalMs: number): number {
  return Math.min(25_000, 0.8 * intervalMs);
}

/** Duration of a claim: two intervals, and at least as long as resolving and polling can take. */
export function claimForMs(intervalMs: number): number {
  return Math.max(2 * intervalMs, 6_000);
}

/** Returns FNV-1a of the text with a final mix, as a number from 0 up to 1. */
export function spreadOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** Returns the first regular turn of `key` that isn't the one at (or right beside) `after`. All in ms. Missed turns are skipped. */
export function nextTurn(key: string, intervalMs: number, after: number): number {
  const phase = spreadOf(key);
  const turn = Math.floor(after / intervalMs - phase + SAME_TURN) + 1;
  const jitter = (spreadOf(`${key}#${turn}`) * 2 - 1) * JITTER;
  return (turn + phase + jitter) * intervalMs;
}

export type AskedNow = {
  /** The target: records of one target share a key, and so their turns. */
  key: string;
  intervalMs: number;
  /** The planned turn of this result, the start of the query, and the present, in ms. */
  plannedAt: number;
  askedAt: number;
  now: number;
  /** The judged result; `kept`: not judged (our own fault), so the plan simply continues. */
  outcome: "answered" | "failed" | "kept";
  failuresInRow: number;
  /** Offline (or its name lost) before and after this result. */
  wasOffline: boolean;
  isOffline: boolean;
  /** When another failure would confirm that the server is offline. */
  confirmAt: number;
  /** A client waits for it, and it isn't online. */
  waited: boolean;
};

/** Returns the next poll time, in ms. Never before `now`. */
export function nextPollAt(asked: AskedNow): number {
  const { waited, outcome, isOffline } = asked;
  return waited && (outcome === "kept" || isOffline) ? waitedTurn(asked) : plannedTurn(asked);
}

function plannedTurn(asked: AskedNow): number {
  const { key, intervalMs, plannedAt, askedAt, now, confirmAt } = asked;
  const regular = nextTurn(key, intervalMs, Math.max(plannedAt, now));
  if (asked.outcome !== "failed") return regular;
  if (asked.isOffline) {
    const every = offlineEveryS(intervalMs / 1_000) * 1_000;
    const wait = asked.wasOffline ? every : Math.min(2 * intervalMs, every);
    return nextTurn(key, intervalMs, Math.max(plannedAt, now) + wait - intervalMs);
  }
  if (intervalMs <= RECHECK_MS) return regular;
  // Until it is confirmed: a line that loses a fifth of its packets fails three times in a row, but not seven times.
  const again = askedAt + RECHECK_MS;
  // Timed so that the confirming failure, which takes as long as this one, arrives when it counts.
  const confirming = confirmAt - (now - askedAt) + SURELY_MS;
  const isNear = confirming > askedAt && confirming < again;
  return Math.max(now, isNear ? Math.max(confirming, askedAt + LEAST_GAP_MS) : again);
}

/** Returns a turn of the faster schedule, the same for all records of one target, so that they share one query. */
function waitedTurn({ key, intervalMs, askedAt, now }: AskedNow): number {
  const every = Math.min(WAITED_MS, intervalMs);
  const phase = spreadOf(key) * every;
  const earliest = Math.max(now, askedAt + (WAITED_LEAST_MS / WAITED_MS) * every);
  return Math.ceil((earliest - phase) / every) * every + phase;
}
