// How long a game server was up and how long it was down: from the changes of its status, and the times in which nobody watched.
import type { MeasuredStatus } from "#shared/statuses.ts";

/**
 * A change of a measured status, as the collector writes it (`gameserver_status_event`). Times in ms since 1970; null where none is
 * known.
 */
export type StatusChange = {
  from: MeasuredStatus;
  to: MeasuredStatus;
  /** When the question was asked that changed it. */
  at: number;
  /** The last answer that was known by then. */
  lastAnsweredAt: number | null;
  /** The failures in a row that the change belongs to, or that an answer ended: the first, the newest, how many. */
  firstFailedAt: number | null;
  lastFailedAt: number | null;
  failures: number | null;
  /** Why the question failed; null: it was answered. */
  failure: string | null;
};

/** One as a statement reads it, times in ms. */
export type StatusChangeRow = {
  from_status: MeasuredStatus;
  to_status: MeasuredStatus;
  failure: string | null;
  failures: number | null;
  at_ms: number;
  answered_ms: number | null;
  first_ms: number | null;
  last_ms: number | null;
};

/** The change that a row tells, its times in ms as they are. */
export const statusChangeOf = (row: StatusChangeRow): StatusChange => ({
  from: row.from_status,
  to: row.to_status,
  at: row.at_ms,
  lastAnsweredAt: row.answered_ms,
  firstFailedAt: row.first_ms,
  lastFailedAt: row.last_ms,
  failures: row.failures,
  failure: row.failure,
});

/** From one moment up to, but not with, another; in ms since 1970. */
export type Span = readonly [from: number, to: number];

/** A row of this many failures, seconds apart, is an outage even where it was never confirmed. */
const FAILURES_OF_OUTAGE = 5;
/** So many are enough where the machine itself said that nothing listens: what is refused was not lost on the way. */
const REFUSALS_OF_OUTAGE = 2;

/**
 * When a game server was up and when it was down within [from, to); what is in neither was not known. Pure.
 *
 * A server falls silent somewhere between its last answer and its first failure, and comes back somewhere between its last
 * failure and its next answer. Nobody looked in between, and its fall knows nothing of our plan, so every moment there is
 * as likely as any other: the middle is wrong by up to half the distance, but as often too early as too late, and over many
 * outages the sum is right. (The first failure to the first answer would add half the pause of an offline server and take
 * half an interval away; the last answer to the first answer would add both.) The time of confirming is part of the outage.
 *
 * What was never confirmed is the hard case: questions lost on the way look like a short outage. A doubt is asked again every
 * five seconds, so one that an answer ends was down time only after five failures in a row, or two where the machine refused;
 * any other was up all along. With the usual plan that misses outages that end within 20 s of their first failure: of
 * outages of 30 s to 10 min one in 60, and 0.1 % of their time. A week with 20 % of all packets lost each way has no down time.
 *
 * Nothing is up or down before the first answer or failure, in a doubt that is not decided, once nobody could tell any more
 * ("unknown", from the last answer on), and while nobody watched.
 * @param changes in order: those in [from, to), and the last one before. @param unwatched times that count for neither, in
 *   any order: planned maintenance, faults of our own.
 * @param to up to when something is known: never later than the last look
 */
export function downtimeOf(
  changes: StatusChange[],
  unwatched: Span[],
  from: number,
  to: number,
): { up: Span[]; down: Span[] } {
  const spans: Record<State, Span[]> = { up: [], down: [], unknown: [] };
  let state: State = stateOf(changes[0]?.from);
  let since = Number.NEGATIVE_INFINITY;
  let doubt: Doubt | null = null;

  function turn(next: State, at: number): void {
    if (next === state) return;
    if (at > since) spans[state].push([since, at]);
    since = Math.max(since, at);
    state = next;
  }

  for (const change of changes) {
    const { at, lastAnsweredAt, lastFailedAt } = change;
    switch (change.to) {
      case "degraded":
        // From "offline" nothing leads here; a doubt of what is down already would be none.
        if (state !== "down")
          doubt = { began: beginOf(state, lastAnsweredAt, at), failedAt: at, failure: change.failure };
        continue;
      case "offline":
        turn("down", beginOf(state, lastAnsweredAt, change.firstFailedAt ?? failedOf(doubt) ?? at));
        break;
      case "online":
        if (doubt && wasOutage(doubt, change)) turn("down", doubt.began);
        turn("up", state === "down" ? midway(lastFailedAt, at) : at);
        break;
      case "unknown":
        turn("unknown", doubt?.began ?? (state === "up" ? (lastAnsweredAt ?? at) : at));
        break;
    }
    doubt = null;
  }
  const end = doubt ? Math.min(doubt.began, to) : to;
  if (end > since) spans[state].push([since, end]);

  const holes = joined(unwatched);
  const counted = (all: Span[]) => without(within(all, from, to), holes);
  return { up: counted(spans.up), down: counted(spans.down) };
}

type State = "up" | "down" | "unknown";
/** Not confirmed yet: when it would have begun, its first failure, and why that failed. */
type Doubt = { began: number; failedAt: number; failure: string | null };

/** Before the first change that is known: one that was in doubt was up until then, as far as anybody knew. */
function stateOf(status: MeasuredStatus | undefined): State {
  if (status === "offline") return "down";
  return status === "online" || status === "degraded" ? "up" : "unknown";
}

/** When an outage began whose first failure was at `failedAt`; from "unknown" nothing is claimed of the time before. */
function beginOf(state: State, answeredAt: number | null, failedAt: number): number {
  return state === "up" ? midway(answeredAt, failedAt) : failedAt;
}

const midway = (before: number | null, after: number): number =>
  before === null || before > after ? after : (before + after) / 2;

/** A name that was not found says nothing of the machine: such a doubt is not the beginning of its outage. */
const failedOf = (doubt: Doubt | null) => (doubt === null || doubt.failure === "dns" ? null : doubt.failedAt);

function wasOutage(doubt: Doubt, back: StatusChange): boolean {
  if (back.failures === null || doubt.failure === "dns") return false;
  return back.failures >= (doubt.failure === "refused" ? REFUSALS_OF_OUTAGE : FAILURES_OF_OUTAGE);
}

/** The length of all spans, in ms. */
export function lengthOf(spans: Span[]): number {
  return spans.reduce((sum, [from, to]) => sum + to - from, 0);
}

function within(spans: Span[], from: number, to: number): Span[] {
  return spans.flatMap(([began, ended]): Span[] => {
    const cut: Span = [Math.max(began, from), Math.min(ended, to)];
    return cut[0] < cut[1] ? [cut] : [];
  });
}

/** The same time in order, nothing of it twice. */
function joined(spans: Span[]): Span[] {
  const joint: [number, number][] = [];
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    const last = joint.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else if (to > from) joint.push([from, to]);
  }
  return joint;
}

/** What of `spans` lies in none of `holes` (in order). */
function without(spans: Span[], holes: Span[]): Span[] {
  return spans.flatMap(([began, ended]) => {
    const left: Span[] = [];
    let from = began;
    for (const [gone, back] of holes) {
      if (back <= from) continue;
      if (gone >= ended) break;
      if (gone > from) left.push([from, gone]);
      from = back;
    }
    if (from < ended) left.push([from, ended]);
    return left;
  });
}
