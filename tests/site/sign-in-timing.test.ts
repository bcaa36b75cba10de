/** Whether an address has an account shows neither in the answer nor in its time: both are answered at a fixed time. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type AccountSite, startAccountSite } from "#tests/helpers/account-site.ts";

/** The fixed time, less what a timer may be early. What is done before it takes a tenth of that. */
const LEAST_MS = 500 - 10;
const PAIRS = 3;
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
  for (const [name] of WAYS) {
    for (let pair = 0; pair < PAIRS; pair += 1) await site.member(emailOf(name, "known", pair));
  }
});

after(() => site.stop());

describe("a known and an unknown address are answered alike, and neither before the fixed time", {
  concurrency: true,
}, () => {
  for (const [name, path, fields, status] of WAYS) {
    test(name, async () => {
      for (let pair = 0; pair < PAIRS; pair += 1) {
        for (const kind of ["known", "unknown"] as const) {
          const email = emailOf(name, kind, pair);
          const at = site.browser();
          const start = performance.now();
          const answer = await at.post(path, { ...fields, email });
          const ms = performance.now() - start;
          assert.equal(answer.status, status);
          assert.ok(ms >= LEAST_MS, `${kind}: ${ms} ms`);
        }
      }
    });
  }
});
