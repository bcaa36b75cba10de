import assert from "node:assert/strict";
import { test } from "node:test";
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
};

test("a first failure is checked again after 5 s, or an interval where that is shorter", () => {
  const turn = nextTurn("#7", 30 * S, T);
  const first = { ...asked, plannedAt: turn, now: turn, outcome: "failed" as const, failuresInRow: 1 };
  assert.equal(nextPollAt(first), turn + 5 * S);
  assert.ok(nextPollAt({ ...first, intervalMs: S }) <= turn + 1.2 * S);
});

test("later failures keep the turns, unless the moment that confirms is near one or long before it", () => {
  const turn = nextTurn("#7", 30 * S, T);
  const next = nextTurn("#7", 30 * S, turn + 5 * S);
  const second = { ...asked, plannedAt: turn + 5 * S, now: turn + 5 * S, outcome: "failed" as const, failuresInRow: 2 };
  assert.equal(nextPollAt(second), next);
  assert.equal(nextPollAt({ ...second, confirmAt: next - S }), next - S);
  assert.equal(nextPollAt({ ...second, confirmAt: turn - S }), turn + 10 * S, "no sooner than another 5 s");
  const hourly = nextPollAt({ ...second, intervalMs: 3600 * S, confirmAt: turn + 60 * S });
  assert.equal(hourly, turn + 60 * S, "an hourly server is not left in doubt for an hour");
  assert.equal(nextPollAt({ ...second, confirmAt: next + S }), next + S);
  assert.equal(nextPollAt({ ...second, confirmAt: next + 20 * S }), next);
});

test("offline is asked after two intervals, then every four, but not less often than ten minutes", () => {
  const turn = nextTurn("#7", 30 * S, T);
  const offline = {
    ...asked,
    plannedAt: turn,
    now: turn,
    outcome: "failed" as const,
    failuresInRow: 3,
    isOffline: true,
  };
  const near = (value: number, expected: number) => assert.ok(Math.abs(value - expected) <= 3 * S, `${value}`);
  near(nextPollAt(offline) - turn, 60 * S);
  near(nextPollAt({ ...offline, wasOffline: true }) - turn, 120 * S);
  const slow = { ...offline, wasOffline: true, intervalMs: 400 * S };
  assert.ok(nextPollAt(slow) - turn <= 1_050 * S);
  assert.ok(nextPollAt({ ...slow, intervalMs: 3600 * S }) - turn <= 7_300 * S);
});

test("when nothing was judged the plan just goes on, also for a server that is offline", () => {
  const kept = { ...asked, outcome: "kept" as const, failuresInRow: 1 };
  assert.equal(nextPollAt(kept), nextTurn("#7", 30 * S, T + S));
});

test("spans: confirming takes a minute at 30 s, a claim two intervals", () => {
  assert.deepEqual([S, 10 * S, 30 * S, 3600 * S].map(confirmAfterMs), [2 * S, 20 * S, 60 * S, 60 * S]);
  assert.deepEqual([S, 10 * S, 30 * S].map(claimForMs), [6 * S, 20 * S, 60 * S]);
});
