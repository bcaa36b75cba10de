/** Which texts are ranges, and which addresses lie in them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ipBlockShape, liesIn, readNetwork } from "./ip-blocks.ts";

test("what is no range, or would keep out everybody, is refused", () => {
  for (const text of [
    "",
    "here",
    "1.2.3",
    "1.2.3.4/33",
    "1.2.3.4/",
    "1.2.3.4/8/8",
    "0.0.0.0/0",
    "1.0.0.0/7",
    "::/0",
    "2001::/16",
    "fe80::1%eth0",
    "1.2.3.4/-1",
    "1.2.3.4/1e1",
  ]) {
    assert.equal(readNetwork(text), null, text);
    assert.equal(ipBlockShape.safeParse({ network: text, reason: "x", days: "1" }).success, false, text);
  }
});

test("an address lies in its range in whichever form it comes, and nowhere else", () => {
  assert.ok(liesIn(["198.51.100.7"], "198.51.100.7"));
  assert.ok(liesIn(["198.51.100.7"], "::ffff:198.51.100.7"));
  assert.ok(!liesIn(["198.51.100.7"], "198.51.100.8"));
  assert.ok(liesIn(["198.51.100.9/24"], "198.51.100.200"));
  assert.ok(!liesIn(["198.51.100.0/24"], "198.51.101.1"));
  assert.ok(liesIn(["2001:db8::/32"], "2001:db8:1::5"));
  assert.ok(!liesIn(["2001:db8::/32"], "2001:db9::5"));
  assert.ok(!liesIn(["10.0.0.0/8"], "no address"));
});
