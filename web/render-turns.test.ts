import assert from "node:assert/strict";
import { test } from "node:test";
import { renderTurn } from "./render-turns.ts";

test("pages that are asked for at once are rendered in turns of their own, in order, with others' work between", async () => {
  const seen: string[] = [];
  const pages = [1, 2, 3].map(async (page) => {
    await renderTurn();
    seen.push(`page ${page}`);
    setImmediate(() => seen.push(`work behind ${page}`));
  });
  await Promise.all(pages);
  await new Promise((resolve) => setImmediate(resolve));
  await renderTurn();
  assert.deepEqual(
    seen.filter((word) => word.startsWith("page")),
    ["page 1", "page 2", "page 3"],
  );
  assert.ok(seen.indexOf("work behind 1") < seen.indexOf("page 3"), seen.join(", "));
});
