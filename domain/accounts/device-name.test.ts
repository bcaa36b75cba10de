/** Names of devices from what browsers say of themselves. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readDevice } from "./device-name.ts";

const M = "Mozilla/5.0";
for (const [text, browser, system] of [
  [null, null, null],
  ["<script>alert(1)</script>", null, null],
  ["curl/8.0", null, null],
  [`${M} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, "Firefox", "Linux"],
  [
    `${M} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36`,
    "Chrome",
    "Windows",
  ],
  [
    `${M} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36 Edg/141.0`,
    "Edge",
    "Windows",
  ],
  [
    `${M} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15`,
    "Safari",
    "Mac",
  ],
  [
    `${M} (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1`,
    "Safari",
    "iPhone",
  ],
  [
    `${M} (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Mobile Safari/537.36`,
    "Chrome",
    "Android",
  ],
] as const) {
  test(`${browser} on ${system}`, () => assert.deepEqual(readDevice(text), { browser, system }));
}
