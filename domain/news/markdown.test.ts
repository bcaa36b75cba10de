import assert from "node:assert/strict";
import { test } from "node:test";
import { renderNewsText } from "./markdown.ts";

test("headings of a text follow the page's own and leave no step out, whichever signs stand there", () => {
  const levels = (text: string) => Array.from(renderNewsText(text).matchAll(/<h(\d)>/g), ([, level]) => Number(level));
  assert.deepEqual(levels("# A\n\n## B\n\n# C"), [2, 3, 2]);
  assert.deepEqual(levels("## A\n\n#### B\n\n###### C\n\n## D"), [2, 3, 4, 2]);
  assert.deepEqual(levels("#### B\n\n# A\n\nC\n---"), [2, 2, 3]);
  assert.match(renderNewsText("###### *A* & <b>"), /^<h2><em>A<\/em> &amp; &lt;b&gt;<\/h2>$/);
});
