/** Pictures by chance hold the bytes of other tongues; what is meant by them is another thing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import { isPolyglot } from "./image-file.ts";

/** A picture of one colour, its pixels as they are in the file. */
const flat = (red: number, green: number, blue: number, alpha?: number) =>
  sharp({
    create: {
      width: 8,
      height: 8,
      channels: alpha === undefined ? 3 : 4,
      background: { r: red, g: green, b: blue, alpha: (alpha ?? 255) / 255 },
    },
  })
    .png({ compressionLevel: 0 })
    .toBuffer();

for (const [tongue, start] of [
  ["a server page", "<%@"],
  ["a shell script", "#!/"],
  ["the end of a comment", "*/="],
  ["a drawing", "<svg"],
] as const) {
  test(`a picture whose pixels are the bytes of ${tongue} is a picture`, async () => {
    const [red = 0, green = 0, blue = 0, alpha] = Buffer.from(start, "latin1");
    const bytes = await flat(red, green, blue, alpha);
    assert.ok(bytes.toString("latin1").includes(start), "the picture holds them");
    assert.equal(isPolyglot(bytes), false);
  });
}

test("a page, a drawing or a program within a picture is found", async () => {
  const bytes = await flat(1, 2, 3);
  for (const start of [
    "<svg onload=alert(1)>",
    "<SVG>",
    "<script>",
    "<!DOCTYPE html>",
    "<html>",
    "<?php system('id');",
    "<iframe src=x>",
    "javascript:alert(1)",
    "%PDF-1.7",
  ]) {
    assert.equal(isPolyglot(Buffer.concat([bytes, Buffer.from(start)])), true, start);
  }
});
