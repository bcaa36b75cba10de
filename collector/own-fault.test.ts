import assert from "node:assert/strict";
import { test } from "node:test";
import { createOwnFault } from "./own-fault.ts";

const I = 30_000;

/** A round over servers 1..n at `from`, spread over an interval; `fails` says who fails, `where` at which address. */
function bed(n: number, where: (id: number) => string = (id) => `10.0.0.${id}`) {
  const fault = createOwnFault(I);
  const online = new Set<number>();
  return {
    fault,
    round(from: number, fails: (id: number) => boolean) {
      const seen = { began: 0, ended: 0 };
      for (let id = 1; id <= n; id++) {
        const ok = !fails(id);
        const at = from + (id / n) * I;
        const { began, ended } = fault.hear({
          serverId: id,
          address: where(id),
          ok,
          wasOnline: online.has(id),
          intervalMs: I,
          at,
        });
        if (began) seen.began++;
        if (ended) seen.ended++;
        if (ok) online.add(id);
        else if (!fault.frozen()) online.delete(id);
      }
      return seen;
    },
  };
}
const none = () => false;

test("half of the servers may fail, one more is our fault", () => {
  for (const [failing, frozen] of [
    [4, false],
    [5, false],
    [6, true],
    [10, true],
  ] as const) {
    const { fault, round } = bed(10);
    round(0, none);
    assert.equal(round(I, (id) => id <= failing).began, frozen ? 1 : 0, String(failing));
    assert.equal(fault.frozen(), frozen);
  }
});

test("a fault shows in its first ten seconds, before most of an interval has failed; one machine's death does not", () => {
  // Half a second apart: in the last ten seconds of the round most fail, and in all of it few.
  const silent = (id: number) => id > 40 && id % 4 !== 0;
  for (const [where, suddenly] of [
    [undefined, true],
    [(id: number) => (silent(id) ? "10.0.0.1" : `10.0.1.${id}`), false],
  ] as const) {
    const { fault, round } = bed(60, where);
    round(0, none);
    round(I, silent);
    assert.equal(fault.frozen(), false);
    assert.equal(fault.suddenly(2 * I), suddenly);
    assert.equal(fault.suddenly(2 * I + 30_000), false, "what is old is not sudden");
  }
});

test("fewer than five never freeze, even when all fail", () => {
  const { fault, round } = bed(4);
  round(0, none);
  round(I, () => true);
  assert.equal(fault.frozen(), false);
});

test("servers that were not online bear no witness", () => {
  const { fault, round } = bed(50);
  for (let i = 0; i < 4; i++) round(i * I, () => true);
  assert.equal(fault.frozen(), false);
  const other = bed(20);
  other.round(0, (id) => id > 8);
  other.round(I, (id) => id > 8);
  other.round(2 * I, (id) => id > 5);
  assert.equal(other.fault.frozen(), false, "3 of 8");
});

test("failures further apart than an interval are no common fault", () => {
  const { fault, round } = bed(10);
  round(0, none);
  for (let i = 1; i <= 10; i++) round(i * 2 * I, (id) => id <= i);
  assert.equal(fault.frozen(), false);
});

test("one machine that dies while another answers is theirs; alone in the world it is ours", () => {
  const two = bed(20, (id) => (id % 10 === 0 ? "10.0.0.2" : "10.0.0.1"));
  two.round(0, none);
  two.round(I, (id) => id % 10 !== 0);
  two.round(2 * I, (id) => id % 10 !== 0);
  assert.equal(two.fault.frozen(), false);
  const one = bed(20, () => "10.0.0.1");
  one.round(0, none);
  one.round(I, () => true);
  assert.equal(one.fault.frozen(), true);
});

test("one machine that dies just before anything else was asked is cleared by the first answer from elsewhere", () => {
  const { fault, round } = bed(20, (id) => (id <= 16 ? "10.0.0.1" : "10.0.0.2"));
  round(0, none);
  const { began, ended } = round(I, (id) => id <= 16);
  assert.deepEqual([began, ended], [1, 1]);
  assert.equal(fault.frozen(), false);
});

test("it is over when half of those that failed answer again", () => {
  const { fault, round } = bed(10);
  round(0, none);
  round(I, (id) => id <= 8);
  for (let i = 2; i < 6; i++) round(i * I, (id) => id <= 8);
  assert.equal(fault.frozen(), true);
  const { ended } = round(6 * I, (id) => id <= 4);
  assert.equal(ended, 1);
  assert.equal(round(7 * I, (id) => id <= 4).began, 0, "what stays dead does not freeze it again");
});

test("while everything is silent it never ends; while others answer it ends after ten intervals", () => {
  const all = bed(10);
  all.round(0, none);
  for (let i = 1; i < 100; i++) all.round(i * I, () => true);
  assert.equal(all.fault.frozen(), true);
  const most = bed(10);
  most.round(0, none);
  for (let i = 1; i < 10; i++) most.round(i * I, (id) => id <= 7);
  assert.equal(most.fault.frozen(), true);
  for (let i = 10; i < 13; i++) most.round(i * I, (id) => id <= 7);
  assert.equal(most.fault.frozen(), false);
});
