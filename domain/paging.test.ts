/** Pages of a list: rows are counted only so far, and that never hides a page that there is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readListQuery, readPage } from "./paging.ts";

/** A list of so many rows, which counts no further than it is asked to. */
const page = (rows: number, address: string) =>
  readPage(
    readListQuery(new URL(address, "http://site"), ["name"], "name"),
    async (most) => Math.min(rows, most),
    async (limit, offset) => Array.from({ length: Math.max(0, Math.min(limit, rows - offset)) }, (_, n) => offset + n),
  );

test("a short list is counted whole, and a page behind its last one is the last one", async () => {
  const { rows, total, more, pages, page: shown, from } = await page(120, "/?page=9");
  assert.deepEqual([rows.length, total, more, pages, shown, from], [20, 120, false, 3, 3, 101]);
  assert.deepEqual(await page(0, "/").then(({ rows, total, pages }) => [rows, total, pages]), [[], 0, 1]);
});

test("a long list says that there is more, and leafing on reaches every row", async () => {
  for (const [rows, counted, more] of [
    [9_999, 9_999, false],
    [10_000, 10_000, false],
    [10_001, 10_000, true],
  ] as const) {
    const first = await page(rows, "/");
    assert.deepEqual([first.total, first.more], [counted, more], String(rows));
  }
  // Each page but the last shows the way to the next.
  for (const at of [199, 200, 201, 399, 400, 500]) {
    const there = await page(25_001, `/?page=${at}`);
    assert.deepEqual([there.page, there.from, there.pages > at], [at, (at - 1) * 50 + 1, true], String(at));
  }
  const last = await page(25_001, "/?page=501");
  assert.deepEqual([last.rows, last.pages, last.total, last.more], [[25_000], 501, 25_001, false]);
  assert.equal((await page(25_001, "/?page=1000000")).page, 501);
});

test("a search leads to a thousand finds, and says that there are more", async () => {
  for (const address of ["/?q=a", "/?q=a&page=20", "/?q=a&page=300"]) {
    const { rows, total, more, pages } = await page(1_500, address);
    assert.deepEqual([rows.length, total, more, pages], [50, 1_000, true, 20], address);
  }
  const { total, more } = await page(1_000, "/?q=a");
  assert.deepEqual([total, more], [1_000, false]);
});

test("a list that counts all its rows anyway is believed", async () => {
  const query = readListQuery(new URL("http://site/"), ["name"], "name");
  const { total, more } = await readPage(
    query,
    async () => 12_345,
    async () => [1],
  );
  assert.deepEqual([total, more], [12_345, false]);
});
