/** Whether an address has an account shows neither in the answer nor in its time: the ratio of the medians is printed. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type AccountSite, startAccountSite } from "#tests/helpers/account-site.ts";

/** Each way ends at a fixed time, so a few pairs are enough; on a machine that is busy with other tests it takes more. */
const PAIRS = 7;
const MOST_PAIRS = 21;
let site: AccountSite;

const WAYS = [
  ["sign-in", "/login/", { intent: "login", password: "not the right one" }, 401],
  ["sign-up", "/login/", { intent: "register", password: "a harbour without lamps" }, 200],
  ["reset", "/forgot-password", {}, 200],
  ["code", "/sign-in-code", {}, 200],
] as const;

const emailOf = (name: string, kind: "known" | "unknown", pair: number) => `${name}-${kind}-${pair}@example.org`;

before(async () => {
  site = await startAccountSite();
  // Nothing is made ready between the requests that are measured: it would slow down those of the other ways.
  for (const [name] of WAYS) {
    for (let pair = 0; pair < MOST_PAIRS; pair += 1) await site.member(emailOf(name, "known", pair));
  }
});

after(() => site.stop());

const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

describe("known ÷ unknown address", { concurrency: true }, () => {
  for (const [name, path, fields, status] of WAYS) {
    test(name, { timeout: 60_000 }, async (t) => {
      const times = { known: [] as number[], unknown: [] as number[] };
      const ratio = () => median(times.known) / median(times.unknown);
      const even = () => ratio() > 0.9 && ratio() < 1.1;
      for (let pair = 0; pair < PAIRS || (pair < MOST_PAIRS && !even()); pair += 1) {
        // A B B A, so that what slows the machine down slows both.
        const order = pair % 2 === 0 ? (["known", "unknown"] as const) : (["unknown", "known"] as const);
        for (const kind of order) {
          const email = emailOf(name, kind, pair);
          const at = site.browser();
          const start = performance.now();
          const answer = await at.post(path, { ...fields, email });
          times[kind].push(performance.now() - start);
          assert.equal(answer.status, status);
        }
      }
      const [known, unknown] = [median(times.known).toFixed(1), median(times.unknown).toFixed(1)];
      t.diagnostic(
        `known ${known} ms, unknown ${unknown} ms, ratio ${ratio().toFixed(3)} of ${times.known.length} pairs`,
      );
      assert.ok(even(), `ratio ${ratio().toFixed(3)}`);
    });
  }
});
