/** Judges a result: previous state and result give the next state, and possibly an event. */
import type { GameAnswer } from "#outside/game-query/answer.ts";
import type { Failure, MeasuredStatus, QueryFailure } from "#shared/statuses.ts";
import { confirmAfterMs, failingForMs } from "./schedule.ts";

/** Result of one query. */
export type Outcome =
  | { ok: true; latencyMs: number | null; answer: GameAnswer; answeredAt?: number }
  | { ok: false; latencyMs: number | null; failure: Failure };

/** The measured part of a row of gameserver_live_metrics; times in ms. */
export type MeasuredState = {
  status: MeasuredStatus;
  statusSince: number | null;
  userOnline: number | null;
  botsOnline: number | null;
  userMaxMeasured: number | null;
  version: string | null;
  map: string | null;
  passwordProtected: boolean | null;
  lastAskedAt: number | null;
  lastAnsweredAt: number | null;
  latencyMs: number | null;
  failure: string | null;
  failuresInRow: number;
};

/** Initial state of a game server that was never polled. */
export const NEVER_ASKED: Readonly<MeasuredState> = {
  status: "unknown",
  statusSince: null,
  userOnline: null,
  botsOnline: null,
  userMaxMeasured: null,
  version: null,
  map: null,
  passwordProtected: null,
  lastAskedAt: null,
  lastAnsweredAt: null,
  latencyMs: null,
  failure: null,
  failuresInRow: 0,
};

/** The failures before a change of status, or that an answer ended; for measuring down times. In ms. */
export type FailuresInRow = {
  /** Null: none, or unknown, as for a name that at first didn't resolve. */
  firstAt: number | null;
  lastAt: number | null;
  count: number;
};

export type Verdict = {
  next: MeasuredState;
  /** Status event to write; null if the status stays. */
  event: { from: MeasuredStatus; to: MeasuredStatus; failures: FailuresInRow } | null;
  /** False if the result says nothing about the server (the fault is ours): no sample, no freshness. */
  judged: boolean;
  /** Players counted by this result: only these enter samples and peaks. */
  counted: number | null;
  /** When one more failure would make it offline; in ms. */
  confirmAt: number;
};

/** Failures in a row after which a game server is offline, or its name lost. */
export const FAILURES_TO_OFFLINE = 3;
/** Failures in a row, the last of them unreadable, after which a formerly readable server becomes unknown. */
const UNREADABLE_IN_ROW = 2;
/** How far the clocks of two collectors may differ, in ms: each reads the database's. */
const AHEAD_MS = 2_000;
/** A query library poll may take 4 s: at an interval of a second, its failures are no gaps. */
const SHORTEST_GAP_MS = 15_000;
const MOST_PLAYERS = 100_000;
/** Limit of a two-byte column. */
const MOST_FAILURES = 32_767;

export type JudgeRules = {
  intervalMs: number;
  /** The record's name and maximum are right, the reply's aren't (The Front). */
  trustRecord: boolean;
  /**
   * Since when this process can judge, in ms: its start, or the end of the last disturbance (own network, database, clock, stall).
   * Earlier failures don't count.
   */
  evidenceFrom: number;
};

/** Judges `outcome`, polled at `now` (ms), against the previous state. Pure; never throws. */
export function judge(previous: MeasuredState, outcome: Outcome, now: number, rules: JudgeRules): Verdict {
  if (outcome.ok) return judgeAnswer(previous, outcome, now, rules);
  switch (outcome.failure) {
    case "network":
      // We could not send. The state stays and ages meanwhile. Failures before and after aren't "in a row".
      return {
        next: {
          ...previous,
          failure: outcome.failure,
          failuresInRow: previous.status === "degraded" ? 0 : previous.failuresInRow,
        },
        event: null,
        judged: false,
        counted: null,
        confirmAt: Number.POSITIVE_INFINITY,
      };
    case "blocked":
    case "unauthorized":
    case "no_address":
    case "sealed":
    case "silent":
      return settle(previous, withoutFigures(previous, "unknown", outcome.failure, 0), now);
    default:
      return judgeFailure(previous, outcome.failure, now, rules);
  }
}

function judgeAnswer(
  previous: MeasuredState,
  outcome: Outcome & { ok: true },
  now: number,
  rules: JudgeRules,
): Verdict {
  const { answer } = outcome;
  const counted = cleanCount(answer.players);
  const next: MeasuredState = {
    ...previous,
    status: "online",
    userOnline: counted,
    botsOnline: cleanCount(answer.bots),
    userMaxMeasured: rules.trustRecord ? null : cleanCount(answer.maxPlayers),
    version: answer.version,
    map: answer.map,
    passwordProtected: answer.passwordProtected,
    lastAnsweredAt: Math.min(Math.max(previous.lastAnsweredAt ?? 0, outcome.answeredAt ?? now), now),
    failure: null,
    failuresInRow: 0,
  };
  return { ...settle(previous, next, now, outcome.latencyMs), counted };
}

function judgeFailure(previous: MeasuredState, failure: QueryFailure, now: number, rules: JudgeRules): Verdict {
  // A failure before a gap in polling isn't in a row with this one.
  const since = Math.max(rules.evidenceFrom, now - Math.max(3 * rules.intervalMs, SHORTEST_GAP_MS));
  const isSilentUnknown = previous.status === "unknown" && previous.lastAnsweredAt !== null && isSilence(failure);
  const isDecided = previous.status === "offline" || (previous.status === "unknown" && !isSilentUnknown);
  const isFresh = isDecided || (past(previous.lastAskedAt, now) ?? Number.NEGATIVE_INFINITY) >= since;
  const before = isFresh && isSameRow(previous, failure) ? previous.failuresInRow : 0;
  const failuresInRow = Math.min(before + 1, MOST_FAILURES);
  const isInDoubt = previous.status === "degraded" && failuresInRow > 1;
  const degradedSince = isInDoubt ? (past(previous.statusSince, now) ?? rules.evidenceFrom) : now;
  // An answer dated in the future came before the clock was set back, which restarts the evidence.
  const neverAnswered = previous.lastAnsweredAt === null ? degradedSince : rules.evidenceFrom;
  const quietSince = Math.max(past(previous.lastAnsweredAt, now) ?? neverAnswered, rules.evidenceFrom);
  const quietUntil = quietSince + confirmAfterMs(rules.intervalMs);
  const confirmAt = Math.max(quietUntil, degradedSince + failingForMs(rules.intervalMs));
  const confirmed = failuresInRow >= FAILURES_TO_OFFLINE && now >= confirmAt;
  const isDoubted = previous.status === "online" || previous.status === "degraded";

  let next: MeasuredState;
  if (failure === "dns") {
    // Without an address nothing was sent to the server itself: a lost name ends as unknown.
    next =
      confirmed || !isDoubted
        ? withoutFigures(previous, "unknown", failure, failuresInRow)
        : unconfirmed(previous, failure, failuresInRow);
  } else if (isUndecided(previous, failure)) {
    // One garbled reply of a formerly readable server is a doubt; a minute of them isn't "offline" either.
    const isEarly = failuresInRow < UNREADABLE_IN_ROW || now < quietUntil;
    next =
      isDoubted && previous.lastAnsweredAt !== null && isEarly
        ? unconfirmed(previous, failure, failuresInRow)
        : withoutFigures(previous, "unknown", failure, failuresInRow);
  } else if (isSilentUnknown && failuresInRow < FAILURES_TO_OFFLINE) {
    // A lost packet is no news for a server of unknown state.
    next = withoutFigures(previous, "unknown", failure, failuresInRow);
  } else if (confirmed || previous.status === "offline") {
    next = withoutFigures(previous, "offline", failure, failuresInRow);
  } else {
    next = unconfirmed(previous, failure, failuresInRow);
  }
  return { ...settle(previous, next, now), confirmAt };
}

/**
 * Returns whether `failure` leaves open if the server is up. Bytes came from its port (`malformed`), or it never gave a valid
 * answer: silence may only mean that its game doesn't know our query. A refused port is closed in any case, and later silence
 * doesn't open it.
 */
function isUndecided(previous: MeasuredState, failure: QueryFailure): boolean {
  if (failure === "malformed") return true;
  return previous.lastAnsweredAt === null && failure !== "refused" && previous.status !== "offline";
}

const isSilence = (failure: string | null): boolean => failure === "no_reply" || failure === "timeout";

/** Returns whether `failure` continues the failures before it. */
function isSameRow(previous: MeasuredState, failure: QueryFailure): boolean {
  if (failure === "dns") return true;
  // While the name was lost, nothing was sent to the server itself.
  if (previous.failure === "dns") return false;
  if (previous.status === "unknown")
    return isUndecided(previous, failure) || (isSilence(failure) && isSilence(previous.failure));
  // Bytes prove that something is up: silence after them starts a new row.
  return failure === "malformed" || previous.failure !== "malformed";
}

/** Returns a stored time; null if it is in the future, because the clock was set back since. */
function past(at: number | null, now: number): number | null {
  return at !== null && at <= now + AHEAD_MS ? Math.min(at, now) : null;
}

/** Builds the state "not confirmed": keeps the last counts. Lasts since the first failure that counts. */
function unconfirmed(previous: MeasuredState, failure: string, failuresInRow: number): MeasuredState {
  const statusSince = failuresInRow === 1 ? null : previous.statusSince;
  return { ...previous, status: "degraded", statusSince, failure, failuresInRow };
}

/** Builds a state without figures: null, never 0. */
function withoutFigures(
  previous: MeasuredState,
  status: MeasuredStatus,
  failure: string,
  failuresInRow: number,
): MeasuredState {
  const unseen = { userOnline: null, botsOnline: null, map: null, passwordProtected: null };
  return { ...previous, ...unseen, status, failure, failuresInRow };
}

/** @param latencyMs of the answer; null without one: a failure's duration is no response time */
function settle(previous: MeasuredState, next: MeasuredState, now: number, latencyMs: number | null = null): Verdict {
  const changed = previous.status !== next.status;
  return {
    next: {
      ...next,
      statusSince: changed || next.statusSince === null ? now : next.statusSince,
      lastAskedAt: now,
      latencyMs: latencyMs === null ? null : Math.round(latencyMs),
    },
    event: changed ? { from: previous.status, to: next.status, failures: failuresBehind(previous, next, now) } : null,
    judged: true,
    counted: null,
    confirmAt: Number.POSITIVE_INFINITY,
  };
}

function failuresBehind(previous: MeasuredState, next: MeasuredState, now: number): FailuresInRow {
  const doubted = previous.status === "degraded" ? previous.statusSince : null;
  if (next.failuresInRow === 0) {
    const { failuresInRow: count, lastAskedAt } = previous;
    return { firstAt: doubted, lastAt: count > 0 ? lastAskedAt : null, count };
  }
  const nameWasLost = previous.failure === "dns" && next.failure !== "dns";
  return { firstAt: nameWasLost ? null : (doubted ?? now), lastAt: now, count: next.failuresInRow };
}

function cleanCount(count: number | null): number | null {
  if (count === null || !Number.isFinite(count)) return null;
  return Math.min(Math.max(Math.trunc(count), 0), MOST_PLAYERS);
}
