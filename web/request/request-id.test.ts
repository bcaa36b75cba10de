// Request ids from the edge to the log, asked of a running site.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pino } from "pino";
import { readConfig } from "#config";
import { seedDemoContent } from "#demo/demo-content.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { startWeb, type Web } from "../server.ts";
import { requestFields } from "./request-id.ts";

const OURS = /^[0-9a-f]{12}$/;
const lines: { msg: string; request_id?: string }[] = [];
const log = pino({ level: "warn", mixin: requestFields }, { write: (line) => void lines.push(JSON.parse(line)) });
let database: TestDatabase;
let alone: Web;
let proxied: Web;

before(async () => {
  database = await createTestDatabase();
  await seedDemoContent(database.db);
  const start = (trust: string) =>
    startWeb(readConfig({ PORT: "0", DATABASE_URL: database.url, LOG_LEVEL: "silent", TRUST_PROXY: trust }), { log });
  [alone, proxied] = await Promise.all([start("0"), start("1")]);
});

after(async () => {
  await Promise.all([alone.stop(), proxied.stop()]);
  await database.drop();
});

const ask = (web: Web, path: string, init?: RequestInit) =>
  fetch(`http://127.0.0.1:${web.port}${path}`, { redirect: "manual", ...init });
const idOf = async (web: Web, path: string, given?: string) => {
  const answer = await ask(web, path, given === undefined ? {} : { headers: { "X-Request-Id": given } });
  await answer.body?.cancel();
  return answer.headers.get("x-request-id") ?? "none";
};

test("a stranger's id is replaced; behind a proxy one of a safe shape is kept, any other is not", async () => {
  assert.match(await idOf(alone, "/", "stranger-chose-this"), OURS);
  assert.equal(await idOf(proxied, "/", "0af7651916cd43dd8448eb211c80319c"), "0af7651916cd43dd8448eb211c80319c");
  for (const bad of [
    "short",
    "x".repeat(65),
    "with space",
    '"quoted-id"',
    "<script>alert(1)</script>",
    "{json:1}{x}",
  ]) {
    assert.match(await idOf(proxied, "/", bad), OURS, bad);
  }
});

test("every answer carries an id of its own", async () => {
  const ids = new Set<string>();
  const paths = [
    "/",
    "/",
    "/nowhere",
    "/login/",
    "/livez",
    "/readyz",
    "/api/none",
    "/live",
    "/favicon.svg",
    "/avatars/x",
    "/robots.txt",
  ];
  for (const path of paths) {
    const id = await idOf(alone, path);
    assert.match(id, OURS, path);
    ids.add(id);
  }
  assert.equal(ids.size, paths.length);
  const other = await ask(alone, "/login/", {
    method: "POST",
    headers: { Origin: "https://evil.example" },
    body: "a=b",
  });
  assert.equal(other.status, 403);
  assert.match(other.headers.get("x-request-id") ?? "", OURS);
});

test("a failure's page names the id that is in the answer's head and in each of its log lines", async () => {
  await database.sql`alter table users rename to users_away`;
  const answer = await ask(alone, "/de/login/", {
    method: "POST",
    headers: { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded" },
    body: "intent=login&email=a%40example.org&password=a+lamp+in+the+harbour",
  });
  const text = await answer.text();
  await database.sql`alter table users_away rename to users`;
  assert.equal(answer.status, 500);
  const id = answer.headers.get("x-request-id") ?? "";
  assert.match(id, OURS);
  assert.ok(text.includes(`data-request-id="${id}"`), text.slice(0, 500));
  assert.ok(text.includes(`nenne dies: ${id}`));
  assert.ok(!/users_away|relation|stack/.test(text));
  const own = lines.filter((line) => line.request_id === id);
  assert.ok(
    own.some((line) => line.msg === "a page failed"),
    JSON.stringify(lines),
  );
});

test("a page that is kept for everybody names no one's request", async () => {
  assert.ok(!(await (await ask(alone, "/")).text()).includes("data-request-id"));
});
