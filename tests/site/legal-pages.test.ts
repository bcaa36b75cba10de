/** The legal pages as everybody gets them, and the word that only an admin sees. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { pino } from "pino";
import { readConfig } from "#config";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { startWeb, type Web } from "#web/server.ts";

let database: TestDatabase;
let web: Web;
let dataDir: string;

before(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), "spawnpoint-legal-"));
  const config = readConfig({ PORT: "0", DATABASE_URL: database.url, DATA_DIR: dataDir, LOG_LEVEL: "silent" });
  web = await startWeb(config, { log: pino({ level: "silent" }) });
});

after(async () => {
  await web?.stop();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const page = async (address: string) => {
  const response = await fetch(`http://127.0.0.1:${web.port}${address}`);
  assert.equal(response.status, 200, address);
  return response.text();
};

for (const [address, sections, updated] of [
  ["/privacy-policy", 13, "Last updated January 18, 2024"],
  ["/terms-of-service", 19, "Last updated January 18, 2024"],
  ["/de/privacy-policy", 13, "Zuletzt geändert am 18. Januar 2024"],
  ["/de/terms-of-service", 19, "Zuletzt geändert am 18. Januar 2024"],
] as const) {
  test(`${address}: ${sections} sections, and every line of the contents leads to one of them`, async () => {
    const html = await page(address);
    const main = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? "";
    assert.ok(main.includes(updated));
    const anchors = [...main.matchAll(/<li><a href="#([\w-]+)"/g)].map(([, id]) => id);
    const headings = [...main.matchAll(/<h2 id="([\w-]+)"/g)].map(([, id]) => id).filter((id) => id !== "contents");
    assert.equal(anchors.length, sections);
    assert.deepEqual(headings, anchors);
    assert.equal(main.match(/<h1/g)?.length, 1);
    for (const [, link = ""] of main.matchAll(/<a href="(\/[^"]*)"/g)) {
      assert.equal(link.startsWith("/de/"), address.startsWith("/de/"), link);
    }
  });
}

test("they and what is not there come without script, but for the theme, and with plain ways on; others bring theirs", async () => {
  const scriptsOf = (html: string) =>
    [...html.matchAll(/<script[^>]*>|<link[^>]*modulepreload[^>]*>/g)].map(([tag]) => tag);
  for (const [address, status] of [
    ["/impressum", 200],
    ["/de/impressum", 200],
    ["/privacy-policy", 200],
    ["/terms-of-service", 200],
    ["/no/such", 404],
    ["/de/servers/99999", 404],
  ] as const) {
    const response = await fetch(`http://127.0.0.1:${web.port}${address}`);
    assert.equal(response.status, status, address);
    const html = await response.text();
    assert.deepEqual(scriptsOf(html), ['<script src="/theme.js">'], address);
    assert.match(html, /<a [^>]*href="(?:\/de)?\/login\/?"/, address);
    assert.match(html, /<button[^>]* data-theme-switch=""/, address);
  }
  assert.ok(scriptsOf(await page("/contact")).some((tag) => tag.includes('type="module"')));
});

test("a visitor sees no word of what the operator has not given", async () => {
  for (const address of ["/impressum", "/de/impressum", "/privacy-policy", "/terms-of-service"]) {
    assert.doesNotMatch(await page(address), /operator_name|Only admins|Nur Admins|liability_sum/, address);
  }
});
