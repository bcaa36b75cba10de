import assert from "node:assert/strict";
import { test } from "node:test";
import { readSwitch } from "./language.ts";

test("the switch leads nowhere outside the site, and understands nothing but the two languages", () => {
  for (const address of [
    "//evil.example/?locale=de",
    "/de//evil.example/?locale=en",
    "/de/\\evil.example?locale=en",
    "/\\evil.example?locale=de",
    "http://evil.example/?locale=de",
    "/?locale=fr",
    "/?locale=",
    "/?locale=DE",
    "/?mylocale=de",
    "/de.data?locale=en",
    "/dashboard.data?locale=de",
    "/api/v1/servers?locale=de",
    "/",
  ]) {
    const choice = readSwitch(address);
    assert.ok(choice === null || URL.parse(choice.to, "http://site.invalid")?.host === "site.invalid", address);
    if (!address.includes("evil")) assert.equal(choice, null, address);
  }
});
