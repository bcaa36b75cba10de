import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { escapeHtml } from "./escape-html.ts";

test("every sign that ends a text or an attribute is escaped", () => {
  assert.equal(escapeHtml(`<a href="x" title='y'>&amp;`), "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;");
});

test("no other file escapes HTML by itself", () => {
  // A second place has another set of signs, and forgets the apostrophe.
  const cwd = path.join(import.meta.dirname, "../..");
  const rooms = "{app,art,cli,client,collector,config,content,db,demo,domain,jobs,outside,scripts,shared,web}";
  // Slack's own markup has three of these signs, and reads no others.
  const exclude = ["**/node_modules", "**/*.test.ts", "outside/channels/slack.ts"];
  const files = globSync(`${rooms}/**/*.{ts,tsx}`, { cwd, exclude });
  assert.ok(files.length > 500);
  const escaping = files.filter((file) => /&(?:lt|amp|quot);|&#\$\{/.test(readFileSync(path.join(cwd, file), "utf8")));
  assert.deepEqual(escaping, ["shared/text/escape-html.ts"]);
});
