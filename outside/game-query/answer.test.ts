/** Numbers and text from strangers: what is kept, what becomes unknown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cleanCount, cleanText } from "./answer.ts";

test("a count that is no whole number from zero up is unknown, never zero", () => {
  for (const value of [
    "12",
    "-1",
    -1,
    -0.5,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    null,
    undefined,
    true,
    [3],
    {},
    3n,
  ]) {
    assert.equal(cleanCount(value), null, String(value));
  }
});

test("a count is kept, and clamped at 100,000", () => {
  assert.equal(cleanCount(0), 0);
  assert.equal(cleanCount(64), 64);
  assert.equal(cleanCount(4_294_967_295), 100_000);
});

test("text loses what is unseen or moves its neighbours", () => {
  assert.equal(cleanText("plain name"), "plain name");
  assert.equal(cleanText("§aGreen §lbold§r §x"), "Green bold");
  assert.equal(cleanText("a\u0000b\u001b[31mc\u0085d\u007f"), "ab[31mcd");
  assert.equal(cleanText("\u202egnirts\u202c \u2066x\u2069 \u200bzero\u200dwidth\ufeff"), "gnirts x zerowidth");
  assert.equal(cleanText("tag\u{e0041}\u{e0042} filler\u3164\u115f half\ud800"), "tag filler half");
  assert.equal(cleanText(" many \t\r\n\u00a0\u2028 spaces "), "many spaces");
  assert.equal(cleanText(`z${"\u0301".repeat(50)}algo`), "z\u0301\u0301algo");
  assert.equal(cleanText("Ümläut 日本 🎮"), "Ümläut 日本 🎮");
});

test("text is at most so long, without half a character at its end", () => {
  assert.equal(cleanText("x".repeat(5000))?.length, 100);
  assert.equal(cleanText("🎮".repeat(300), 10), "🎮".repeat(10));
  const started = performance.now();
  cleanText(`${"§a\u200b".repeat(100_000)}end`);
  assert.ok(performance.now() - started < 250);
});

test("no text, or nothing left of it, is null", () => {
  for (const value of [undefined, null, 5, {}, [], "", "   ", "\u200b\u202e", "§a§b"])
    assert.equal(cleanText(value), null);
});

test("markup stays text: it is the page that must escape it", () => {
  assert.equal(cleanText("<script>alert(1)</script>"), "<script>alert(1)</script>");
});
