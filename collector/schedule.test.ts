import assert from "node:assert/strict";
import { test } from "node:test";
import { askedEveryS } from "#shared/asked-every.ts";
import { type AskedNow, claimForMs, confirmAfterMs, nextPollAt, nextTurn, spreadOf } from "./schedule.ts";

const S = 1_000;
const T = 1_800_000_000_000;

test("turns come once an interval, within the jitter", () => {
  for (const key of ["a2s play.example.org:2457", "#1", "#2"]) {
    let at = nextTurn(key, 30 * S, T);
    for (let i = 0; i < 500; i++) {
      const next = nextTurn(key, 30 * S, at);
      assert.ok(next - at >= 27 * S && next - at <= 33 * S, `${key}: ${next - at}`);
      at = next;
    }
    assert.ok(Math.abs(at - T - 500 * 30 * S) < 35 * S, "the plan does not drift");
  }
});

test("an answer that comes late does not move the plan", () => {
  const turn = nextTurn("#7", 30 * S, T);
  const onTime = nextTurn("#7", 30 * S, turn);
  assert.equal(nextTurn("#7", 30 * S, turn + 2 * S), onTime);
  assert.equal(nextTurn("#7", 30 * S, turn + 20 * S), onTime);
});

test("missed turns are skipped, not queued", () => {
  const late = nextPollAt({ ...asked, plannedAt: T, now: T + 3600 * S });
  assert.ok(late > T + 3600 * S && late <= T + 3600 * S + 35 * S);
});

test("many servers spread evenly over the interval", () => {
  const tenths = new Array<number>(10).fill(0);
  for (let id = 0; id < 5_000; id++) {
    const tenth = Math.floor(spreadOf(`#${id}`) * 10);
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  for (const count of tenths) assert.ok(count > 400 && count < 600, String(tenths));
});

const asked: AskedNow = {
  key: "#7",
  intervalMs: 30 * S,
  plannedAt: T,
  now: T + S,
  outcome: "answered",
  failuresInRow: 0,
  wasOffline: false,
  isOffline: false,
  confirmAt: Number.POSITIVE_INFINITY,
  askedAt: T + S,
  waited: false,
};

test("a failure is checked again 5 s after its question until it is confirmed, or an interval where that is shorter", () => {
  const turn = nextTurn("#7", 30 * S, T);
  // Silence takes two seconds.
  const first = { ...asked, askedAt: turn, now: turn + 2 * S, outcome: "failed" as const, failuresInRow: 1 };
  assert.equal(nextPollAt(first), turn + 5 * S);
  assert.equal(nextPollAt({ ...first, failuresInRow: 4, confirmAt: turn + 20 * S }), turn + 5 * S);
  assert.equal(
    nextPollAt({ ...first, confirmAt: turn + 6 * S }),
    turn + 4.1 * S,
    "what confirms is heard when it counts",
  );
  assert.equal(
    nextPollAt({ ...first, now: turn + 1, confirmAt: turn + 2 }),
    turn + S,
    "and nobody is asked twice at once",
  );
  assert.equal(nextPollAt({ ...first, now: turn + 9 * S }), turn + 9 * S, "a late answer is no question of the past");
  assert.equal(
    nextPollAt({ ...first, intervalMs: 3600 * S }),
    turn + 5 * S,
    "an hourly one is not in doubt for an hour",
  );
  assert.ok(nextPollAt({ ...first, intervalMs: S }) <= turn + 3.2 * S);
});

test("offline is asked every 30 s at the longest, or at its interval where that is longer; a short one backs off", () => {
  const every = (intervalS: number, wasOffline: boolean) => {
    const turn = nextTurn("#7", intervalS * S, T);
    const offline = { ...asked, plannedAt: turn, now: turn, askedAt: turn, intervalMs: intervalS * S };
    return (nextPollAt({ ...offline, outcome: "failed", failuresInRow: 9, isOffline: true, wasOffline }) - turn) / S;
  };
  for (const [intervalS, first, then] of [
    [2, 4, 8],
    [10, 20, 30],
    [30, 30, 30],
    [60, 60, 60],
    [3600, 3600, 3600],
  ] as const) {
    assert.ok(Math.abs(every(intervalS, false) - first) <= intervalS / 10, `${intervalS}: ${every(intervalS, false)}`);
    assert.ok(Math.abs(every(intervalS, true) - then) <= intervalS / 10, `${intervalS}: ${every(intervalS, true)}`);
    assert.equal(askedEveryS(intervalS, "offline", false), then, "pages say so");
  }
});

test("while somebody waits, what is down is asked every 5 s, all records of one target at the same moments", () => {
  const waits = {
    ...asked,
    outcome: "failed" as const,
    failuresInRow: 9,
    isOffline: true,
    wasOffline: true,
    waited: true,
  };
  const turnsOf = (from: number, takesMs: number) => {
    const turns = [];
    for (let at = from; turns.length < 20; turns.push(at)) {
      at = nextPollAt({ ...waits, plannedAt: at, askedAt: at, now: at + takesMs });
    }
    return turns;
  };
  const turns = turnsOf(T, 2 * S);
  for (const [i, at] of turns.entries()) {
    const gap = at - (turns[i - 1] ?? T);
    if (i === 0) assert.ok(gap >= 4 * S && gap <= 9 * S, `the first after one out of turn: ${gap}`);
    else assert.equal(Math.round(gap), 5 * S);
  }
  const twin = turnsOf(T + 1_700, 40).slice(2);
  assert.deepEqual(
    twin.slice(0, 15).map((at) => turns.some((turn) => Math.abs(turn - at) < 1)),
    Array(15).fill(true),
  );
  assert.equal(askedEveryS(30, "offline", true), 5);
  assert.equal(
    nextPollAt({ ...waits, outcome: "answered", isOffline: false }),
    nextTurn("#7", 30 * S, T + S),
    "one that is back is not",
  );
  assert.ok(nextPollAt({ ...waits, outcome: "kept" }) <= T + 10 * S, "also while figures are held back");
});

test("when nothing was judged the plan just goes on, also for a server that is offline", () => {
  const kept = { ...asked, outcome: "kept" as const, failuresInRow: 1 };
  assert.equal(nextPollAt(kept), nextTurn("#7", 30 * S, T + S));
});

test("spans: confirming takes a minute at 30 s, a claim two intervals", () => {
  assert.deepEqual([S, 10 * S, 30 * S, 3600 * S].map(confirmAfterMs), [2 * S, 20 * S, 60 * S, 60 * S]);
  assert.deepEqual([S, 10 * S, 30 * S].map(claimForMs), [6 * S, 20 * S, 60 * S]);
});
