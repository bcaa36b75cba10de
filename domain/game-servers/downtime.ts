// Computes uptime and downtime of a game server from its status changes and the unwatched times.
import type { MeasuredStatus } from "#shared/statuses.ts";

/**
 * A change of a measured status, as the collector writes it (`gameserver_status_event`). Times in ms since 1970; null if unknown.
 */
export type StatusChange = {
  from: MeasuredStatus;
  to: MeasuredStatus;
  /** When the poll that changed it was sent. */
  at: number;
  /** The last answer known by then. */
  lastAnsweredAt: number | null;
  /** The consecutive failures that the change belongs to, or that an answer ended: the first, the newest, how many. */
  firstFailedAt: number | null;
  lastFailedAt: number | null;
  failures: number | null;
  /** Why the poll failed; null: it was answered. */
  failure: string | null;
};

/** As a statement reads it, times in ms. */
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

/** Converts a row; its times stay in ms. */
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

/** From one moment (inclusive) to another (exclusive); in ms since 1970. */
export type Span = readonly [from: number, to: number];

/** This many consecutive failures, seconds apart, are an outage even if it was never confirmed. */
const FAILURES_OF_OUTAGE = 5;
/** Fewer suffice if the machine itself refused: a refusal isn't a lost packet. */
const REFUSALS_OF_OUTAGE = 2;

/**
 * Computes when a game server was up and when it was down within [from, to); other times are unknown. Pure.
 * A server fails somewhere between its last answer and its first failure, and recovers somewhere between its last failure and its
 * next answer. No poll ran in between, and the failure is independent of our schedule, so every moment there is equally likely: the
 * midpoint is wrong by up to half the distance, but as often too early as too late, so over many outages the sum is right. (The
 * first failure to the first answer would add half the pause of an offline server and subtract half an interval; the last answer to
 * the first answer would add both.) The time of confirming is part of the outage.
 * An outage that was never confirmed is the hard case: lost packets look like a short outage. A doubtful server is polled every
 * five seconds, so a doubt that an answer ends counts as downtime only after five failures in a row, or two if the machine refused;
 * otherwise the server was up throughout. With the usual schedule that misses outages that end within 20 s of their first failure:
 * of outages of 30 s to 10 min one in 60, and 0.1 % of their time. A week with 20 % of all packets lost each way has no downtime.
 * Time is neither up nor down before the first answer or failure, in an undecided doubt, in "unknown" (from the last answer on),
 * and without a watch.
 * @param changes in order: those in [from, to), and the last one before. @param unwatched times that count for neither, in any
 * order: planned maintenance, faults of our own.
 * @param to until when the state is known: never later than the last poll
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
        // Impossible from "offline": a server that is down can't be in doubt.
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
/** Not confirmed yet: its start if it is an outage, its first failure, and the cause of that. */
type Doubt = { began: number; failedAt: number; failure: string | null };

/** The state before the first known change: a server in doubt counted as up until then. */
function stateOf(status: MeasuredStatus | undefined): State {
  if (status === "offline") return "down";
  return status === "online" || status === "degraded" ? "up" : "unknown";
}

/** Start of an outage with its first failure at `failedAt`; after "unknown" the time before isn't claimed. */
function beginOf(state: State, answeredAt: number | null, failedAt: number): number {
  return state === "up" ? midway(answeredAt, failedAt) : failedAt;
}

const midway = (before: number | null, after: number): number =>
  before === null || before > after ? after : (before + after) / 2;

/** A DNS failure says nothing about the machine, so such a doubt doesn't start its outage. */
const failedOf = (doubt: Doubt | null) => (doubt === null || doubt.failure === "dns" ? null : doubt.failedAt);

function wasOutage(doubt: Doubt, back: StatusChange): boolean {
  if (back.failures === null || doubt.failure === "dns") return false;
  return back.failures >= (doubt.failure === "refused" ? REFUSALS_OF_OUTAGE : FAILURES_OF_OUTAGE);
}

/** Adds up the length of all spans, in ms. */
export function lengthOf(spans: Span[]): number {
  return spans.reduce((sum, [from, to]) => sum + to - from, 0);
}

function within(spans: Span[], from: number, to: number): Span[] {
  return spans.flatMap(([began, ended]): Span[] => {
    const cut: Span = [Math.max(began, from), Math.min(ended, to)];
    return cut[0] < cut[1] ? [cut] : [];
  });
}

/** Merges overlapping spans and sorts them. */
function joined(spans: Span[]): Span[] {
  const joint: [number, number][] = [];
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    const last = joint.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else if (to > from) joint.push([from, to]);
  }
  return joint;
}

/** Removes `holes` (in order) from `spans`. */
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
