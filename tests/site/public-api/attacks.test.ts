/** What the public API refuses: keys and tokens that are guessed, stolen, used again or too weak; other sites; hostile bodies. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { drips, site, startAttackedSite } from "./attacked-site.ts";
import { attackByReading } from "./attacks-by-reading.ts";
import { attackByWriting } from "./attacks-by-writing.ts";
import { attackKeys } from "./attacks-on-keys.ts";
import { attackSessions } from "./attacks-on-sessions.ts";

describe("the public API under attack", () => {
  before(startAttackedSite);
  after(() => site.stop());

  attackKeys();
  attackByWriting();
  attackByReading();
  attackSessions();

  test("a body that drips is given up after ten seconds, wherever one is taken", async () => {
    for (const { name, status, afterMs } of await drips) {
      assert.equal(status, 408, name);
      assert.ok(afterMs < 25_000, `${name} after ${afterMs} ms`);
    }
  });
});
