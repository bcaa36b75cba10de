import assert from "node:assert/strict";
import { test } from "node:test";
import { downtimeOf, lengthOf, type Span, type StatusChange } from "#domain/game-servers/downtime.ts";
import { judge, type MeasuredState, NEVER_ASKED, type Outcome } from "./judge.ts";
import { nextPollAt } from "./schedule.ts";

const INTERVAL_MS = 30_000;
const DEADLINE_MS = 2_000;
const T = Date.parse("2026-11-22T00:00:00Z");
const answer: Outcome = {
  ok: true,
  latencyMs: 30,
  answer: {
    players: 3,
    maxPlayers: 10,
    version: "1",
    name: "x",
    map: null,
    bots: null,
    passwordProtected: null,
  },
};

// mulberry32: the same outages every time.
const randomOf = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};

/**
 * Watches one game server as a collector does, with a clock of its own: the plan of schedule.ts, the verdicts of judge.ts,
 * questions sent at once and after 300 and 900 ms, of which each way loses `loss`.
 * @param refuses whether the machine answers that nobody listens. @param waited whether somebody waits while it is down
 */
function watch(
  outages: Span[],
  until: number,
  { random, loss, refuses, waited }: { random: () => number; loss: number; refuses: boolean; waited: boolean },
): StatusChange[] {
  const changes: StatusChange[] = [];
  const key = `a2s server-${random()}`;
  let state: MeasuredState = NEVER_ASKED;
  for (let plannedAt = T; plannedAt < until; ) {
    const askedAt = plannedAt + random() * 50;
    const isDown = (at: number) => outages.some(([from, to]) => from <= at && at < to);
    const isLost = () => random() < loss || random() < loss;
    const heard = [0, 300, 900].find((after) => !isDown(askedAt + after) && !isLost());
    const refused = refuses && [0, 300, 900].find((after) => isDown(askedAt + after) && !isLost());
    const took = heard ?? (typeof refused === "number" ? refused : DEADLINE_MS);
    const now = askedAt + took + 30;
    const outcome: Outcome =
      heard === undefined
        ? { ok: false, latencyMs: took, failure: took === DEADLINE_MS ? "no_reply" : "refused" }
        : answer;
    const rules = { intervalMs: INTERVAL_MS, trustRecord: false, evidenceFrom: T - 1 };
    const { next, event, confirmAt } = judge(state, outcome, now, rules);
    if (event) {
      const { firstAt, lastAt, count } = event.failures;
      changes.push({
        from: event.from,
        to: event.to,
        at: now,
        lastAnsweredAt: next.lastAnsweredAt,
        firstFailedAt: firstAt,
        lastFailedAt: lastAt,
        failures: count,
        failure: next.failure,
      });
    }
    const wasOffline = state.status === "offline";
    plannedAt = nextPollAt({
      key,
      intervalMs: INTERVAL_MS,
      plannedAt,
      askedAt,
      now,
      outcome: outcome.ok ? "answered" : "failed",
      failuresInRow: next.failuresInRow,
      wasOffline,
      isOffline: next.status === "offline",
      confirmAt,
      waited: waited && next.status !== "online",
    });
    state = next;
  }
  return changes;
}

const OUTAGES = 100;

for (const [what, options] of [
  ["silent, nothing lost", { loss: 0, refuses: false, waited: false }],
  ["refusing, nothing lost", { loss: 0, refuses: true, waited: false }],
  ["silent, somebody waits", { loss: 0, refuses: false, waited: true }],
  ["silent, 5 % lost each way", { loss: 0.05, refuses: false, waited: false }],
  ["refusing, 20 % lost each way", { loss: 0.2, refuses: true, waited: true }],
] as const) {
  test(`100 outages of 30 s to 10 min at 30 s, by the collector's own plan and verdicts: ${what}`, (t) => {
    const ratios: number[] = [];
    for (let seed = 1; seed <= 10; seed++) {
      const random = randomOf(seed);
      const outages = Array.from({ length: OUTAGES }, (_, n): Span => {
        const from = T + 600_000 + n * 1_500_000 + random() * 300_000;
        return [from, from + 30_000 + random() * 570_000];
      });
      const until = T + (OUTAGES + 1) * 1_500_000;
      const { up, down } = downtimeOf(watch(outages, until, { random, ...options }), [], T, until);
      ratios.push(lengthOf(down) / lengthOf(outages));
      assert.ok(lengthOf(up) + lengthOf(down) > until - T - 60_000, "nothing is lost between up and down");
    }
    t.diagnostic(`counted ÷ true, seeds 1 to 10: ${ratios.map((ratio) => ratio.toFixed(4)).join(" ")}`);
    for (const [i, ratio] of ratios.entries()) assert.ok(ratio >= 0.98 && ratio <= 1.02, `seed ${i + 1}: ${ratio}`);
  });
}

test("a month of 20 % of all packets lost each way: no down time", (t) => {
  const days = 30;
  const random = randomOf(11);
  const until = T + days * 86_400_000;
  const changes = watch([], until, { random, loss: 0.2, refuses: false, waited: false });
  const { down } = downtimeOf(changes, [], T, until);
  t.diagnostic(`${Math.floor(changes.length / 2)} doubts, ${lengthOf(down) / 1000} s of down time in ${days} days`);
  assert.ok(changes.length > 1_000);
  assert.deepEqual(down, []);
});
