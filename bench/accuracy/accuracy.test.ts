/** The accuracy bench in small: the real rules keep its floors, and faults planted in them are found. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { judge, type MeasuredState } from "#collector/judge.ts";
import { countDownTime, outagesWorld } from "./down-times.ts";
import { PEERS, watchAs } from "./peers.ts";
import { percentile, type Score, score } from "./score.ts";
import { watch } from "./watcher.ts";
import { makeWorld } from "./world.ts";

const S = 1_000;

async function scoreOf(rules: { judge?: typeof judge } = {}, own: "all" | "none" = "all", hours = 5): Promise<Score> {
  const world = makeWorld({ seed: 11, loss: 0.1, servers: 60, hours, own });
  const { changes, waited } = await watch(world, rules);
  return score(world, changes, waited);
}

test("nobody is called offline who is up, outages are known in 75 s, returns in 60 s, in 10 s where somebody waits", async () => {
  const { falseOffline, missed, outages, toKnow, backWaited, backElse } = await scoreOf();
  assert.deepEqual(falseOffline, []);
  assert.deepEqual(missed, []);
  const enough = [outages, toKnow.length, backWaited.length, backElse.length];
  assert.ok(
    enough.every((n) => n >= 10),
    `${enough}`,
  );
  assert.ok(percentile(toKnow, 95) <= 75 * S, `known after ${percentile(toKnow, 95)}`);
  assert.ok(percentile(backWaited, 95) <= 10 * S, `seen by who waits after ${percentile(backWaited, 95)}`);
  assert.ok(percentile(backElse, 95) <= 60 * S, `seen after ${percentile(backElse, 95)}`);
});

test("faults of the judge are found: offline after one failure, never offline, never back, late", async () => {
  const hasty: typeof judge = (previous, outcome, now, rules) => {
    const verdict = judge(previous, outcome, now, rules);
    if (verdict.next.status !== "degraded") return verdict;
    return { ...verdict, ...turned(verdict, previous, "offline") };
  };
  assert.ok((await scoreOf({ judge: hasty }, "none", 3)).falseOffline.length > 0, "offline after one failure");
  const blind: typeof judge = (previous, outcome, now, rules) => {
    const verdict = judge(previous, outcome, now, rules);
    return verdict.next.status === "offline" ? { ...verdict, ...turned(verdict, previous, "degraded") } : verdict;
  };
  assert.ok((await scoreOf({ judge: blind }, "none", 3)).missed.length > 0, "never offline");
  const sulking: typeof judge = (previous, outcome, now, rules) => {
    const verdict = judge(previous, outcome, now, rules);
    return previous.status === "offline" && outcome.ok
      ? { ...verdict, ...turned(verdict, previous, "offline") }
      : verdict;
  };
  const { backElse } = await scoreOf({ judge: sulking }, "none", 3);
  assert.equal(percentile(backElse, 95), Number.POSITIVE_INFINITY, "never back");
  const slow: typeof judge = (previous, outcome, now, rules) =>
    judge(previous, outcome, now, {
      ...rules,
      evidenceFrom: Math.max(rules.evidenceFrom, (previous.lastAnsweredAt ?? 0) + 30 * S),
    });
  assert.ok(percentile((await scoreOf({ judge: slow }, "none", 3)).toKnow, 95) > 75 * S, "late");
});

function turned({ next }: { next: MeasuredState }, previous: MeasuredState, status: MeasuredState["status"]) {
  const failures = { firstAt: null, lastAt: null, count: next.failuresInRow };
  const event = previous.status === status ? null : { from: previous.status, to: status, failures };
  return { next: { ...next, status }, event };
}

test("history counts what was down, and not a twentieth more or less", async () => {
  const { ratio } = await countDownTime(outagesWorld(11));
  assert.ok(ratio >= 0.95 && ratio <= 1.05, `${ratio}`);
});

test("the same world is the same again, and one failure of another's rule is not the same as ours", async () => {
  const world = () => makeWorld({ seed: 12, loss: 0.1, servers: 30, hours: 1 });
  assert.deepEqual(await watch(world()), await watch(world()));
  const [patient, hasty] = PEERS.map((rule) => score(world(), watchAs(rule, world())));
  assert.ok((hasty?.falseOffline.length ?? 0) > (patient?.falseOffline.length ?? 0));
});
