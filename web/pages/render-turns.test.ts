import assert from "node:assert/strict";
import { test } from "node:test";
import { type Asker, askerOfAccount, askerOfAddress } from "../request/fair-queue.ts";
import { beforePages, renderTurn } from "./render-turns.ts";

const visitor = askerOfAddress;

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
  const page = async (asker: Asker) => {
    await renderTurn(asker);
    seen.push(asker.key);
  };
  const flood = Array.from({ length: 700 }, () => page(visitor("flooder")));
  await Promise.all([
    page(visitor("neighbour")),
    page(askerOfAccount("members", "member")),
    page(askerOfAccount("members", "member")),
  ]);
  assert.ok(seen.length <= 7, `the last of three others was rendered as number ${seen.length}`);
  await Promise.all(flood);
  assert.equal(seen.length, 703);
});

test("news go before pages, a page before the next news, and news that hang are not waited for", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
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
  void beforePages(() => new Promise<void>(() => {}));
  const third = page("page 3");
  t.mock.timers.tick(20);
  await third;
});

test("one /48 that asks from 250 of its /64s waits for itself: others' pages are rendered between its own", async () => {
  const seen: string[] = [];
  const page = async (asker: Asker) => {
    await renderTurn(asker);
    seen.push(asker.network);
  };
  const flood = Array.from({ length: 750 }, (_, n) => page(visitor(`2001:db8:7:${(n % 250).toString(16)}::${n}`)));
  await Promise.all([page(visitor("2001:db8:8::1")), page(visitor("192.0.2.1"))]);
  assert.ok(seen.length <= 5, `the last of two others was rendered as number ${seen.length}`);
  await Promise.all(flood);
  assert.equal(seen.length, 752);
});
