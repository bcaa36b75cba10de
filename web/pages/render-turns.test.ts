import assert from "node:assert/strict";
import { test } from "node:test";
import { beforePages, renderTurn } from "./render-turns.ts";

const visitor = (key: string) => ({ group: "visitors", key }) as const;

test("pages that are asked for at once are rendered in turns of their own, in order, with others' work between", async () => {
  const seen: string[] = [];
  const pages = [1, 2, 3].map(async (page) => {
    await renderTurn(visitor("a"));
    seen.push(`page ${page}`);
    setImmediate(() => seen.push(`work behind ${page}`));
  });
  await Promise.all(pages);
  await new Promise((resolve) => setImmediate(resolve));
  await renderTurn(visitor("a"));
  assert.deepEqual(
    seen.filter((word) => word.startsWith("page")),
    ["page 1", "page 2", "page 3"],
  );
  assert.ok(seen.indexOf("work behind 1") < seen.indexOf("page 3"), seen.join(", "));
});

test("who asks for seven hundred pages waits for themselves: others' are rendered between them", async () => {
  const seen: string[] = [];
  const page = async (group: "members" | "visitors", key: string) => {
    await renderTurn({ group, key });
    seen.push(key);
  };
  const flood = Array.from({ length: 700 }, () => page("visitors", "flooder"));
  await Promise.all([page("visitors", "neighbour"), page("members", "member"), page("members", "member")]);
  assert.ok(seen.length <= 7, `the last of three others was rendered as number ${seen.length}`);
  await Promise.all(flood);
  assert.equal(seen.length, 703);
});

test("news go before pages, a page before the next news, and news that hang are not waited for", async () => {
  const seen: string[] = [];
  const page = async (name: string) => {
    await renderTurn(visitor("a"));
    seen.push(name);
  };
  const news = Promise.withResolvers<void>();
  const first = beforePages(async () => {
    await news.promise;
    seen.push("news");
  });
  const pages = [page("page 1"), page("page 2")];
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(seen, []);
  // What is told while a page waits does not hold it any longer.
  const more = beforePages(async () => {});
  news.resolve();
  await Promise.all([first, more, ...pages]);
  assert.deepEqual(seen, ["news", "page 1", "page 2"]);
  const hung = beforePages(() => new Promise<void>((resolve) => setTimeout(resolve, 5_000).unref()));
  await page("page 3");
  assert.equal(seen.at(-1), "page 3");
  void hung;
});
