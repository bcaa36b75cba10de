/** When a game server is asked next: computed from a plan that is fixed for each target, never from when an answer came. */

/** How soon a first failure is checked again, where the interval is not shorter still. */
export const RECHECK_MS = 5_000;
/** A server that is offline is asked after two intervals, then every four; never less often than this or its interval. */
const LONGEST_BACKOFF_MS = 10 * 60_000;
/** A turn lies up to this part of the interval beside its even place, so that rounds of many sites do not beat together. */
const JITTER = 0.05;
/** A turn that comes this soon (part of the interval) after another question is the same turn, or skipped. */
const SAME_TURN = 0.1;

/** Offline needs a minute without an answer, with short intervals two of them (so that a test need not wait). */
export function confirmAfterMs(intervalMs: number): number {
  return Math.min(60_000, 2 * intervalMs);
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
  /** The turn this result belongs to, and the present, in ms. */
  plannedAt: number;
  now: number;
  /** What the result was judged to be; `kept`: nothing was judged (our own fault), so that the plan just goes on. */
  outcome: "answered" | "failed" | "kept";
  failuresInRow: number;
  /** Was offline (or its name lost) before this result, is so after it. */
  wasOffline: boolean;
  isOffline: boolean;
  /** When a further failure would confirm that the server is offline. */
  confirmAt: number;
};

/** When to ask next, in ms. Always after `now`. */
export function nextPollAt(asked: AskedNow): number {
  const { key, intervalMs, now } = asked;
  const regular = nextTurn(key, intervalMs, Math.max(asked.plannedAt, now));
  if (asked.outcome !== "failed") return regular;
  if (asked.isOffline) {
    const steps = asked.wasOffline ? 4 : 2;
    const wait = Math.min(steps * intervalMs, Math.max(LONGEST_BACKOFF_MS, intervalMs));
    return nextTurn(key, intervalMs, Math.max(asked.plannedAt, now) + wait - intervalMs);
  }
  if (asked.failuresInRow === 1) return Math.min(now + Math.min(RECHECK_MS, intervalMs), regular);
  // The try that confirms comes when it can: not a turn just short of that, nor a turn long after it.
  const confirming = Math.max(asked.confirmAt, now + RECHECK_MS);
  return regular < asked.confirmAt - intervalMs / 2
    ? regular
    : Math.min(confirming, Math.max(regular, asked.confirmAt));
}
