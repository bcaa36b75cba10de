import assert from "node:assert/strict";
import { it } from "node:test";
import { loader } from "./moved.ts";

const ask = (path: string) =>
  loader({ request: new Request(`https://site.example${path}`) } as Parameters<typeof loader>[0]);

it("sends nobody to another site, and knows no other address", () => {
  for (const path of ["/game/tera", "/game", "//evil.example/game/aion", "/games/aion"]) {
    assert.throws(() => ask(path), { init: { status: 404 } }, path);
  }
});

it("sends old addresses on for good, whatever the query says", () => {
  for (const [from, to] of [
    ["/game/aion", "/games/aion"],
    ["/game/aion/", "/games/aion"],
    ["/games/skyrimtogether?next=https://evil.example", "/games/skyrimtogheter"],
  ] as const) {
    const response = ask(from);
    assert.equal(response.status, 301);
    assert.equal(response.headers.get("Location"), to);
  }
});
