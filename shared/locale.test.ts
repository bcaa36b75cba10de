import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { addressIn, localeAt, twinOf } from "./locale.ts";

describe("the language of an address", () => {
  it("is not German because a name begins with the same letters", () => {
    for (const path of ["/", "/demo", "/de-facto", "/games/de", "/dede", "/DE"])
      assert.equal(localeAt(path), "en", path);
  });

  it("is German under /de, for data too", () => {
    for (const path of ["/de", "/de/", "/de/games/aion", "/de.data", "/de/_.data"])
      assert.equal(localeAt(path), "de", path);
  });
});

describe("an address in a language", () => {
  it("gets its language once, and only within the site", () => {
    assert.equal(addressIn("de", "/"), "/de");
    assert.equal(addressIn("de", "/#games"), "/de/#games");
    assert.equal(addressIn("de", "/games/aion"), "/de/games/aion");
    assert.equal(addressIn("de", "/de/games/aion"), "/de/games/aion");
    assert.equal(addressIn("de", "/de"), "/de");
    assert.equal(addressIn("de", "/demo"), "/de/demo");
    assert.equal(addressIn("de", "#games"), "#games");
    assert.equal(addressIn("de", "https://example.org/"), "https://example.org/");
    assert.equal(addressIn("en", "/games/aion"), "/games/aion");
  });

  it("has a twin", () => {
    for (const [english, german] of [
      ["/", "/de"],
      ["/games/aion", "/de/games/aion"],
    ] as const) {
      assert.equal(twinOf(english, "de"), german);
      assert.equal(twinOf(german, "en"), english);
      assert.equal(twinOf(english, "en"), english);
      assert.equal(twinOf(german, "de"), german);
    }
    assert.equal(twinOf("/de/", "en"), "/");
  });
});
