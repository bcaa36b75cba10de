import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { currentLanguage, inLanguageOf, languageCookie, readSwitch, sendOn } from "./language.ts";

const arriving = {
  "sec-fetch-mode": "navigate",
  "sec-fetch-site": "none",
  "accept-language": "de-AT, de;q=0.9, en;q=0.5",
};

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

test("the switch leads to the same page in the other language, with what else the address says", () => {
  assert.deepEqual(readSwitch("/?locale=de"), { locale: "de", to: "/de" });
  assert.deepEqual(readSwitch("/de?locale=en"), { locale: "en", to: "/" });
  assert.deepEqual(readSwitch("/games/aion?locale=de"), { locale: "de", to: "/de/games/aion" });
  assert.deepEqual(readSwitch("/de/games/aion?a=1&locale=en&b=2"), { locale: "en", to: "/games/aion?a=1&b=2" });
  assert.deepEqual(readSwitch("/de/games/aion?locale=de"), { locale: "de", to: "/de/games/aion" });
});

test("nobody is sent on but who opens the home page from elsewhere and wants German", () => {
  const stays: [string, string, Record<string, string>][] = [
    ["a deep link keeps its language", "/games/aion", arriving],
    ["data", "/_.data", arriving],
    ["a fetch of the page", "/", { ...arriving, "sec-fetch-mode": "cors" }],
    ["a robot", "/", { "accept-language": "de" }],
    ["no language named", "/", { "sec-fetch-mode": "navigate" }],
    ["a link of ours", "/", { ...arriving, "sec-fetch-site": "same-origin" }],
    ["English was chosen", "/", { ...arriving, cookie: "a=b; locale=en" }],
    ["English is preferred", "/", { ...arriving, "accept-language": "en, de;q=0.9" }],
    ["German is refused", "/", { ...arriving, "accept-language": "de;q=0, fr" }],
    ["another language", "/", { ...arriving, "accept-language": "den, *;q=0.5" }],
    ["a cookie of another name", "/", { ...arriving, "accept-language": "fr", cookie: "xlocale=de" }],
  ];
  for (const [why, address, headers] of stays) assert.equal(sendOn(address, headers, null), null, why);
  assert.equal(sendOn("/", { ...arriving, cookie: "locale=de" }, "en"), null, "the own setting says English");
});

test("the setting comes first, then the choice, then the browser", () => {
  assert.equal(sendOn("/", { ...arriving, cookie: "locale=en" }, "de"), "/de");
  assert.equal(sendOn("/", { ...arriving, "accept-language": "en", cookie: "locale=de" }, null), "/de");
  assert.equal(sendOn("/?from=friends", arriving, null), "/de?from=friends");
  assert.equal(
    sendOn("/setup/a-first_Link", arriving, null),
    "/de/setup/a-first_Link",
    "the terminal knows no language",
  );
  assert.equal(sendOn("/", { ...arriving, "accept-language": "fr, en;q=0.3, DE-ch;q=0.8" }, null), "/de");
});

test("a choice is kept for a year, and over HTTPS only where the site has it", () => {
  assert.equal(
    languageCookie("de", "http://127.0.0.1:1"),
    "locale=de; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly",
  );
  assert.match(languageCookie("en", "https://example.org"), /; Secure$/);
});

test("requests that are answered at the same time keep their languages apart", async () => {
  assert.equal(currentLanguage(), "en");
  const heard = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      inLanguageOf(`http://site.invalid${index % 2 ? "/de/login" : "/login"}`, async () => {
        const said = [currentLanguage()];
        for (let step = 0; step < 5; step += 1) {
          await turn();
          said.push(currentLanguage());
        }
        return new Set(said);
      }),
    ),
  );
  for (const [index, said] of heard.entries()) assert.deepEqual([...said], [index % 2 ? "de" : "en"]);
});
