/** The tags that React Router writes, as they are before the nonce goes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { scriptsLater } from "./scripts-later.ts";

const page = (starter: string) =>
  `<head><link nonce="n" rel="modulepreload" href="/assets/a.js"/><link rel="stylesheet" href="/assets/a.css"/>` +
  `<link rel="modulepreload" href="/assets/b.js" nonce="n"/></head><script nonce="n">window.x = 1;</script>` +
  `<script nonce="n" type="module" async="">${starter}</script>`;

test("scripts wait for the first frame, and are then asked for all at once and run in their order", () => {
  const html = scriptsLater(
    page(
      `import "/assets/a.js";\nimport * as route0 from "/assets/b.js";\nwindow.r = {"root":route0};\nimport("/assets/c.js");`,
    ),
  );
  assert.equal(html.match(/<link[^>]*modulepreload/g), null);
  assert.match(html, /<link rel="stylesheet" href="\/assets\/a\.css"\/>/);
  const code = /<script nonce="n" type="module" async="">([^<]+)<\/script>/.exec(html)?.[1] ?? "";
  assert.match(code, /^await new Promise\(\(shown\) => {\n {2}requestAnimationFrame/);
  assert.match(code, /of \["\/assets\/a\.js","\/assets\/b\.js"\]\)/);
  assert.match(
    code,
    /await import\("\/assets\/a\.js"\);\nconst route0 = await import\("\/assets\/b\.js"\);\nwindow\.r = {"root":route0};\nimport\("\/assets\/c\.js"\);$/,
  );
});

test("a page that is made in another way stays as it is", () => {
  for (const html of [page(`import { hot } from "/hot.js";\nhot();`), "<p>&lt;script type=module&gt;</p>", page("")])
    assert.equal(scriptsLater(html), html);
});
