/** What the shipped proxies keep from visitors, read from their files: they run where nginx and Caddy are installed (tests/faults/nginx.test.ts). */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

/** A file's lines without comments and the spaces around them. */
const linesOf = (name: string): string[] =>
  readFileSync(path.join(import.meta.dirname, name), "utf8")
    .split("\n")
    .map((line) => line.replace(/(?:^|\s)#.*$/, "").trim())
    .filter((line) => line !== "");

test("no visitor reaches /readyz through them", () => {
  assert.match(linesOf("nginx.conf").join("\n"), /^location = \/readyz \{\nreturn 404;\n\}$/m);
  assert.ok(linesOf("Caddyfile").includes("respond /readyz 404"));
  assert.ok(linesOf("haproxy.cfg").includes("http-request return status 404 if { path /readyz }"));
});

test("they say themselves which host was asked for; Caddy does without being told", () => {
  const nginx = linesOf("nginx.conf");
  const set = nginx.indexOf("proxy_set_header X-Forwarded-Host $host;");
  const firstLocation = nginx.findIndex((line) => line.startsWith("location "));
  assert.ok(set !== -1 && set < firstLocation);
  // A location with such a line of its own would lose all of those above it.
  assert.ok(nginx.slice(firstLocation).every((line) => !line.startsWith("proxy_set_header ")));
  assert.ok(linesOf("haproxy.cfg").includes("http-request set-header X-Forwarded-Host %[req.hdr(host)]"));
  assert.ok(linesOf("Caddyfile").every((line) => !/header_up\s+[+-]?X-Forwarded-Host/i.test(line)));
});
