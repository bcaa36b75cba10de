import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { sealInlineScripts, securityHeaders } from "./security-headers.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("base64");

test("a script without our mark gets no hash, even where it names another nonce", () => {
  const page = `<script>alert(1)</script><script nonce="guess">alert(2)</script><script nonce="abc+/=">ours()</script>`;
  const { html, policy } = sealInlineScripts(page, "abc+/=", "http://localhost:3000");
  assert.ok(!policy.includes(sha256("alert(1)")));
  assert.ok(!policy.includes(sha256("alert(2)")));
  assert.ok(policy.includes(`'sha256-${sha256("ours()")}'`));
  assert.equal(html, `<script>alert(1)</script><script nonce="guess">alert(2)</script><script>ours()</script>`);
});

test("nothing unsafe is allowed, and only a site on HTTPS promises HTTPS", () => {
  const plain = securityHeaders("http://localhost:3000");
  assert.doesNotMatch(plain["content-security-policy"] ?? "", /unsafe|\*|http:/);
  assert.equal(plain["strict-transport-security"], undefined);
  assert.match(securityHeaders("https://play.example.org")["strict-transport-security"] ?? "", /max-age=63072000/);
});
