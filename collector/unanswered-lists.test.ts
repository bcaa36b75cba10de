import assert from "node:assert/strict";
import { test } from "node:test";
import { createUnansweredLists } from "./unanswered-lists.ts";

test("who never names anybody is asked for names once in ten minutes, who does each time", () => {
  let now = 0;
  const lists = createUnansweredLists(() => now);
  const asked = { mute: 0, telling: 0, lossy: 0 };
  for (let turn = 0; turn < 240; turn++, now += 30_000)
    for (const [id, name] of (["mute", "telling", "lossy"] as const).entries()) {
      if (!lists.isWorthAsking(id)) continue;
      asked[name] += 1;
      lists.hear(id, name === "telling" || (name === "lossy" && turn % 3 !== 0));
    }
  assert.deepEqual(asked, { mute: 14, telling: 240, lossy: 240 }, "two hours of a question every 30 s");
});
