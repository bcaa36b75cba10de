/** When a game server is asked next: computed from a plan that is fixed for each target, never from when an answer came. */
import { offlineEveryS, SOON_S } from "#shared/asked-every.ts";

/** How soon a failure is checked again until it is confirmed, where the interval is not shorter still. */
export const RECHECK_MS = SOON_S * 1_000;
/** So much later than it must be, so that what takes a moment less is not too early. */
const SURELY_MS = 100;
/** Between two questions there is at least this. */
const LEAST_GAP_MS = 1_000;
/** How often one that is down is asked while somebody waits for it, and the least time between two of these questions. */
const WAITED_MS = SOON_S * 1_000;
const WAITED_LEAST_MS = 4_000;
/** A turn lies up to this part of the interval beside its even place, so that rounds of many sites do not beat together. */
const JITTER = 0.05;
/** A turn that comes this soon (part of the interval) after another question is the same turn, or skipped. */
const SAME_TURN = 0.1;

/** Offline needs a minute without an answer, with short intervals two of them (so that a test need not wait). */
export function confirmAfterMs(intervalMs: number): number {
  return Math.min(60_000, 2 * intervalMs);
}

/**
 * And failures for so long: where the interval is longer than that minute, three of them in ten seconds would do otherwise,
 * and on a line that loses packets three in a row are not rare.
 */
export function failingForMs(intervalMs: number): number {
  return Math.min(25_000, 0.8 * intervalMs);
}

/** How long a claim holds: two intervals, and never less than resolving and asking can take. */
export function claimForMs(intervalMs: number): number {
  return Math.max(2 * intervalMs, 6_000);
}

/** FNV-1a of the text with a final mix, as a number from 0 up to 1. */
export function spreadOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/**
 * The first regular turn of `key` that is not the one at (or right beside) `after`. All in ms.
 * Turns of the past never come back: a missed one is skipped.
 */
export function nextTurn(key: string, intervalMs: number, after: number): number {
  const phase = spreadOf(key);
  const turn = Math.floor(after / intervalMs - phase + SAME_TURN) + 1;
  const jitter = (spreadOf(`${key}#${turn}`) * 2 - 1) * JITTER;
  return (turn + phase + jitter) * intervalMs;
}

export type AskedNow = {
  /** What is asked: records of one target share a key, and so their turns. */
  key: string;
  intervalMs: number;
  /** The turn this result belongs to, when the question began, and the present, in ms. */
  plannedAt: number;
  askedAt: number;
  now: number;
  /** What the result was judged to be; `kept`: nothing was judged (our own fault), so that the plan just goes on. */
  outcome: "answered" | "failed" | "kept";
  failuresInRow: number;
  /** Was offline (or its name lost) before this result, is so after it. */
  wasOffline: boolean;
  isOffline: boolean;
  /** When a further failure would confirm that the server is offline. */
  confirmAt: number;
  /** Somebody waits for it, and it is not online. */
  waited: boolean;
};

/** When to ask next, in ms. Never before `now`. */
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
  // The one that confirms is asked so that its failure, which takes as long as this one took, is heard when it counts.
  const confirming = confirmAt - (now - askedAt) + SURELY_MS;
  const isNear = confirming > askedAt && confirming < again;
  return Math.max(now, isNear ? Math.max(confirming, askedAt + LEAST_GAP_MS) : again);
}

/** Turns of their own, the same for all records of one target, so that these share one question. */
function waitedTurn({ key, intervalMs, askedAt, now }: AskedNow): number {
  const every = Math.min(WAITED_MS, intervalMs);
  const phase = spreadOf(key) * every;
  const earliest = Math.max(now, askedAt + (WAITED_LEAST_MS / WAITED_MS) * every);
  return Math.ceil((earliest - phase) / every) * every + phase;
}
