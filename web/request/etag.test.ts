/** Who has an answer already is told so, however they name it; who has another one gets the new one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { namesTag, tagOf, weakTagOf } from "./etag.ts";

test("an ETag is the same for the same bytes, and weak where an answer may be compressed", () => {
  assert.equal(tagOf("a"), tagOf(Buffer.from("a")));
  assert.notEqual(tagOf("a"), tagOf("b"));
  assert.match(tagOf("a"), /^"[\w-]{22}"$/);
  assert.equal(weakTagOf("a"), `W/${tagOf("a")}`);
});

test("If-None-Match names a tag weakly, in a list, and by *", () => {
  for (const none of [null, undefined, "", '"b"', 'W/"b"', "a", '"ab"', '"a'])
    assert.equal(namesTag(none, '"a"'), false, String(none));
  for (const named of ['"a"', 'W/"a"', '"b", "a"', ' W/"b",W/"a" ', "*", " * "]) {
    assert.equal(namesTag(named, '"a"'), true, named);
    assert.equal(namesTag(named, 'W/"a"'), true, named);
  }
});
