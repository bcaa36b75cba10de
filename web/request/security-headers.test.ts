import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { sealInlineScripts, securityHeaders } from "./security-headers.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("base64");

test("a script without our mark gets no hash, even where it names another nonce", () => {
  const page = `<script>alert(1)</script><script nonce="guess">alert(2)</script><script nonce="abc+/=">ours()</script>`;
  const { html, policy } = sealInlineScripts(page, "abc+/=", "default-src 'none'; script-src 'self'; base-uri 'none'");
  assert.match(policy, /^default-src 'none'; script-src 'self' 'sha256-[^' ]+'; base-uri 'none'$/);
  assert.ok(!policy.includes(sha256("alert(1)")));
  assert.ok(!policy.includes(sha256("alert(2)")));
  assert.ok(policy.includes(`'sha256-${sha256("ours()")}'`));
  assert.equal(html, `<script>alert(1)</script><script nonce="guess">alert(2)</script><script>ours()</script>`);
});

const PLAIN = { siteUrl: "http://localhost:3000", hstsSubdomains: false };
const SECURE = { ...PLAIN, siteUrl: "https://play.example.org" };

test("nothing unsafe is allowed, and forms lead to Discord only where it is offered", () => {
  const policyOf = (site: Parameters<typeof securityHeaders>[0]) =>
    securityHeaders(site)["content-security-policy"] ?? "";
  assert.doesNotMatch(policyOf(PLAIN), /unsafe|\*|http:/);
  assert.match(policyOf(PLAIN), /form-action 'self'(;|$)/);
  const discord = { clientId: "1", clientSecret: "x" };
  assert.match(policyOf({ ...PLAIN, discord }), /form-action 'self' https:\/\/discord\.com(;|$)/);
});

test("only a site on HTTPS promises HTTPS, and for the names below its own only where its operator says so", () => {
  const promiseOf = (site: Parameters<typeof securityHeaders>[0]) => securityHeaders(site)["strict-transport-security"];
  assert.equal(promiseOf({ ...PLAIN, hstsSubdomains: true }), undefined);
  assert.equal(promiseOf(SECURE), "max-age=63072000");
  assert.equal(promiseOf({ ...SECURE, hstsSubdomains: true }), "max-age=63072000; includeSubDomains");
});
