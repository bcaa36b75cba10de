/** Which parts of a text count as an e-mail address, and what it costs to find them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { listSuperlinear } from "#tests/helpers/growth.ts";
import { withoutMailAddresses } from "./without-mail-addresses.ts";

test("addresses are replaced, and everything else stays", () => {
  for (const [text, without] of [
    ["550 <ada@example.org>: mailbox full (ada@example.org, bob@example.org)", "550 <…>: mailbox full (…, …)"],
    ["user=ada@b@example.org;", "user=ada@b@example.org;".replace(/user.*(?=;)/, "…")],
    ["@ alone, @name, name@, a@b", "@ alone, @name, name@, …"],
    ["@@@ @@", "… @@"],
    ["nothing\nhere", "nothing\nhere"],
  ] as const)
    assert.equal(withoutMailAddresses(text), without);
});

test("a text costs as much as it is long", () => {
  assert.deepEqual(listSuperlinear(withoutMailAddresses, 2000, ["a", "a@", "@", "a ", "@ a", "<a@"]), []);
});
