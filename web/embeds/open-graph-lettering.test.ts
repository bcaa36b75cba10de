/** Names become outlines, or nothing, but never half a name. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { breakLines, drawable, setLine, widthOf } from "./open-graph-lettering.ts";

test("a name that would lose a letter is not drawn at all", () => {
  for (const name of ["Привет", "漢字 server", "Ψ", "🎮", "", "   "]) assert.equal(drawable(name), null, name);
});

test("what is only decoration falls off, and accents that we lack with it", () => {
  assert.equal(drawable("🎮 Fun\n\t server ★"), "Fun server");
  assert.equal(drawable("Tiếng Việt"), "Tiêng Viêt".normalize("NFD").replace(/\p{M}/gu, ""));
  assert.equal(drawable("A\u0308rger in Łódź"), "Ärger in Łódź");
});

test("nothing of a text gets into the drawing but numbers and outlines", () => {
  const drawn = setLine('</svg><script href="x">&', { x: 1, y: 2, size: 10, fill: "#fff" });
  assert.match(
    drawn,
    /^<g fill="#fff" transform="translate\(1 2\) scale\(0\.01\)">(?:<path transform="translate\(\d+\)" d="[MmLlHhVvCcz\d .-]+"\/>)+<\/g>$/,
  );
});

test("every glyph has an outline of its own, but for the space", () => {
  for (let code = 0x21; code < 0x17f; code += 1) {
    const sign = String.fromCharCode(code);
    if (drawable(sign) !== sign) continue;
    assert.match(setLine(sign, { x: 0, y: 0, size: 10, fill: "#fff" }), /<path/, sign);
    assert.ok(widthOf(sign, 10) > 0, sign);
  }
  assert.equal(
    drawable("The quick brown fox jumps over the lazy dog, 0123456789!"),
    "The quick brown fox jumps over the lazy dog, 0123456789!",
  );
});

test("lines keep to their width and number, and say that something is missing", () => {
  const lines = breakLines("the very long name of a game server that never ends", 80, 1072, 2);
  assert.equal(lines.length, 2);
  for (const line of lines) assert.ok(widthOf(line, 80) <= 1072, line);
  assert.ok(lines[1]?.endsWith("…"));
  assert.deepEqual(breakLines("short", 80, 1072, 2), ["short"]);
  assert.ok(widthOf(breakLines("W".repeat(200), 72, 1072, 2).join(""), 72) <= 2 * 1072);
});
