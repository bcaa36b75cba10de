/** The web process through its front door: real requests, real pages of the build, a real Postgres. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { readConfig } from "#config";
import { seedDemoContent } from "#demo/demo-content.ts";
import { hashHeartbeatToken } from "#domain/game-servers/heartbeats.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { findFreePort } from "#tests/helpers/network/free-port.ts";
import { startWeb, type Web } from "./server.ts";

const TOKEN = "a-token-that-is-long-enough";
const log = pino({ level: "silent" });
let database: TestDatabase;
let web: Web;
let base: string;

before(async () => {
  database = await createTestDatabase();
  await seedDemoContent(database.db);
  await database.sql`update gameserver set visibility = 'public', host = 'play.example.org' where server_name in ('Valheim Vanilla', 'Minecraft Anarchy')`;
  await database.sql`update gameserver set host = 'secret.example.org', heartbeat_token_hash = ${hashHeartbeatToken(TOKEN)} where server_name = 'Skyrim Together Node 1'`;
  web = await startWeb(config(), { log });
  base = `http://127.0.0.1:${web.port}`;
});

after(async () => {
  await web.stop();
  await database.drop();
});

function config(port = "0") {
  return readConfig({ PORT: port, DATABASE_URL: database.url, LOG_LEVEL: "silent" });
}

const page = async (path: string, init?: RequestInit) => {
  const response = await fetch(base + path, { redirect: "manual", ...init });
  return { response, status: response.status, text: await response.text() };
};

const heartbeat = (token: string | null, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${base}/api/v1/heartbeat`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

test("what is unknown or hidden is not there: 404, and no word of it anywhere", async () => {
  const [{ hidden_id } = { hidden_id: 0 }] = await database.sql<{ hidden_id: number }[]>`
    select server_id as hidden_id from gameserver where server_name = 'Skyrim Together Node 1'`;
  for (const path of [
    "/nowhere",
    "/games/nowhere",
    "/servers/999999",
    "/servers/1e3",
    "/servers/-1",
    `/servers/${hidden_id}`,
    "/games/..%2f..%2fetc",
  ]) {
    const { status, text } = await page(path);
    assert.equal(status, 404, path);
    assert.match(text, /Page not found/, path);
  }
  for (const path of [
    "/",
    "/dashboard",
    "/games/skyrimtogheter",
    "/dashboard.data",
    "/games/skyrimtogheter.data",
    `/servers/${hidden_id}`,
  ]) {
    assert.doesNotMatch((await page(path)).text, /Skyrim Together Node|secret\.example/, path);
  }
  assert.match((await page("/games/skyrimtogheter")).text, /No Server Available/);
});

test("what is no form and what no page can be asked by is refused as the sender's fault", async () => {
  for (const path of ["/login", "/login.data", "/de/contact", "/forgot-password"]) {
    const headers = { "content-type": "multipart/form-data; boundary=x", "sec-fetch-site": "same-origin" };
    const { status, text } = await page(path, { method: "POST", headers, body: "no form at all" });
    assert.equal(status, 400, path);
    assert.doesNotMatch(text, /no form at all|TypeError|boundary/, path);
  }
  const traced = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${base}/`, { method: "TRACE" }, resolve).on("error", reject).end();
  });
  traced.resume();
  assert.equal(traced.statusCode, 405);
  assert.equal(traced.headers.allow, "GET, HEAD, POST");
});

test("slow senders hold no place that others need, and nobody sends the account library more than it reads", async () => {
  const head = `POST /login/ HTTP/1.1\r\nHost: 127.0.0.1:${web.port}\r\nSec-Fetch-Site: same-origin\r\nContent-Length: 60000\r\n\r\nintent=login&`;
  const slow = Array.from({ length: 320 }, () => {
    const socket = connect(web.port, "127.0.0.1").on("error", () => {});
    socket.write(head);
    return socket;
  });
  await Promise.all(slow.map((socket) => once(socket, "connect")));
  await pause(300);
  try {
    assert.equal((await page("/login/")).status, 200);
    assert.equal((await page("/impressum")).status, 200);
  } finally {
    for (const socket of slow) socket.destroy();
  }
  const heavy = await page("/api/auth/passkey/verify-authentication", {
    method: "POST",
    headers: { "sec-fetch-site": "same-origin", "content-type": "application/json" },
    body: JSON.stringify({ response: "x".repeat(70_000) }),
  });
  assert.equal(heavy.status, 413);
});

test("a heartbeat without its token, of the wrong shape or too large is refused; one with it is stored", async () => {
  assert.equal((await heartbeat(null, { players: 1 })).status, 401);
  assert.equal((await heartbeat("another-token-that-is-long", { players: 1 })).status, 401);
  assert.equal((await heartbeat(TOKEN, { players: -1 })).status, 400);
  assert.equal((await heartbeat(TOKEN, { players: "12" })).status, 400);
  assert.equal((await heartbeat(TOKEN, "{")).status, 400);
  assert.equal((await heartbeat(TOKEN, { players: 1, version: "x".repeat(5000) })).status, 413);
  assert.equal((await fetch(`${base}/api/v1/heartbeat`)).status, 404);
  const stored = () =>
    database.sql`select heartbeat_players, heartbeat_max, heartbeat_version from gameserver_live_metrics where heartbeat_at is not null`;
  assert.deepEqual([...(await stored())], []);
  assert.equal(
    (await heartbeat(TOKEN, { players: 7, max_players: 60, version: "1.6\u202e.2", server_id: 1 })).status,
    204,
  );
  assert.deepEqual([...(await stored())], [{ heartbeat_players: 7, heartbeat_max: 60, heartbeat_version: "1.6.2" }]);
});

test("every kind of answer carries the security headers, and its charset", async () => {
  const stylesheet = /href="(\/assets\/[^"]+\.css)#?"/.exec((await page("/")).text)?.[1];
  assert.ok(stylesheet);
  for (const path of [
    "/",
    "/dashboard",
    "/nowhere",
    "/games/aion.data",
    "/livez",
    "/readyz",
    "/live",
    "/api/v1/nothing",
    stylesheet,
    "/favicon.svg",
    "/assets/gone.js",
    "/game/aion",
  ]) {
    const stop = new AbortController();
    const { headers } = await fetch(base + path, { signal: stop.signal, redirect: "manual" });
    stop.abort();
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /^default-src 'none'; script-src 'self'/, path);
    assert.doesNotMatch(policy, /unsafe|, default-src/, path);
    for (const [name, value] of [
      ["x-content-type-options", "nosniff"],
      ["referrer-policy", "strict-origin-when-cross-origin"],
      ["cross-origin-opener-policy", "same-origin"],
      ["cross-origin-resource-policy", "same-origin"],
    ] as const) {
      assert.equal(headers.get(name), value, `${path} ${name}`);
    }
    assert.ok(headers.has("permissions-policy"), path);
    const type = headers.get("content-type") ?? "";
    if (/^text\/(?!x-script)/.test(type)) assert.match(type, /charset=utf-8/i, path);
  }
});

/** Sends bytes as they are and resolves to the answer's, once the connection ends. */
const raw = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(web.port, "127.0.0.1", () => socket.write(bytes));
    socket.setTimeout(10_000, () => socket.destroy(new Error(`no answer to ${bytes.slice(0, 60)}`)));
    socket.setEncoding("latin1").on("data", (part) => {
      answer += part;
    });
    socket.on("error", (error) => (answer === "" ? reject(error) : resolve(answer))).on("close", () => resolve(answer));
  });

test("what is answered before anybody of ours is asked carries them too", async () => {
  const close = "Connection: close\r\n\r\n";
  for (const [sent, status] of [
    ["no request at all\r\n\r\n", 400],
    [`GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`, 431],
    [`GET /login HTTP/1.1\r\n${close}`, 400],
    [`GET /login HTTP/1.1\r\nHost: evil"<host>\r\n${close}`, 400],
    [`OPTIONS * HTTP/1.1\r\nHost: localhost\r\n${close}`, 400],
    [`GET /login HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\n${close}`, 417],
  ] as const) {
    const answer = await raw(sent);
    const about = `${sent.slice(0, 40)} → ${answer}`;
    assert.ok(answer.startsWith(`HTTP/1.1 ${status} `), about);
    for (const line of ["x-content-type-options: nosniff", "x-frame-options: DENY", "referrer-policy: "]) {
      assert.equal(answer.split(`\r\n${line}`).length, 2, `${line} in ${about}`);
    }
    assert.equal(answer.split(/\r\ncontent-security-policy: default-src 'none'/i).length, 2, about);
  }
});

test("a site that is starting says so under the same headers: by a page in the language of the address, to programs as JSON", async () => {
  for (const [path, accept, method, type, text, refresh] of [
    [
      "/",
      "text/html",
      "GET",
      "text/html; charset=utf-8",
      /<html lang="en">.*The site is starting\. This page looks again/s,
      "1",
    ],
    ["/de/login", "text/html", "GET", "text/html; charset=utf-8", /<html lang="de">.*Die Seite startet gerade\./s, "1"],
    ["/contact", "text/html", "POST", "text/html; charset=utf-8", /what you have sent was not taken/, undefined],
    [
      "/api/v1/gameservers",
      "text/html",
      "GET",
      "application/problem+json",
      /"detail":"The site is starting\."/,
      undefined,
    ],
    ["/", "*/*", "GET", "application/problem+json", /"status":503/, undefined],
  ] as const) {
    const port = await findFreePort();
    const started = startWeb(config(String(port)), { log });
    let answer: IncomingMessage | null = null;
    while (answer === null) {
      answer = await new Promise<IncomingMessage | null>((resolve) => {
        request({ port, host: "127.0.0.1", path, method, headers: { accept }, agent: false }, resolve)
          .on("error", () => resolve(null))
          .end();
      });
    }
    const body = Buffer.concat(await Array.fromAsync(answer)).toString();
    await (await started).stop();
    const { headers } = answer;
    assert.deepEqual([answer.statusCode, headers["content-type"], headers.refresh], [503, type, refresh], path);
    assert.match(body, text);
    assert.equal(headers["retry-after"], "1");
    assert.equal(headers["x-relay-error"], "true");
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.match(String(headers["content-security-policy"]), /^default-src 'none'/);
  }
});

test("a site that is starting is alive from its first answer on", async () => {
  const port = await findFreePort();
  const started = startWeb(config(String(port)), { log });
  const statuses: (number | undefined)[] = [];
  let ready = false;
  started.then(() => {
    ready = true;
  });
  while (!ready) {
    const status = await new Promise<number | null | undefined>((resolve) => {
      const asked = request({ port, host: "127.0.0.1", path: "/livez", agent: false }, (answer) => {
        answer.resume().on("end", () => resolve(answer.statusCode));
      });
      asked.on("error", () => resolve(null)).end();
    });
    if (status !== null) statuses.push(status);
  }
  await (await started).stop();
  assert.deepEqual([...new Set(statuses)], [200], String(statuses));
});

test("each inline script of a page is allowed by its hash, no other, and no style stands inline", async () => {
  for (const path of ["/", "/dashboard", "/games/minecraft", "/nowhere"]) {
    const { response, text } = await page(path);
    const policy = response.headers.get("content-security-policy") ?? "";
    // JSON-LD is data that never runs: no hash may allow it either.
    const inline = [
      ...text.matchAll(/<script(?! type="application\/ld\+json">)(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g),
    ].map(([, code]) => code ?? "");
    // What is not there has no script, so none is allowed.
    assert.equal(inline.length > 0, path !== "/nowhere", path);
    const hashes = new Set(inline.map((code) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`));
    for (const hash of hashes) assert.ok(policy.includes(hash), `${path} ${hash}`);
    assert.equal(policy.match(/'sha256-/g)?.length ?? 0, hashes.size, path);
    assert.doesNotMatch(text, / nonce=| style=|<style| on[a-z]+="/, path);
  }
});

test("pages are complete without script: games, texts, guide, address, figures", async () => {
  await database.sql`update gameserver_live_metrics set status = 'online', user_online = 37, user_max_measured = 64, last_asked_at = now()
    where server_id = (select server_id from gameserver where server_name = 'Minecraft Anarchy')`;
  // After a change the first visitor within five seconds still gets the page of before, while the new one is made.
  await pause(1200);
  for (const path of ["/", "/games/minecraft", "/dashboard"]) await page(path);
  await pause(200);
  const home = (await page("/")).text;
  assert.match(home.slice(0, 40), /^<!DOCTYPE html><html lang="en"/);
  for (const name of [
    "Aion",
    "Valheim",
    "Minecraft",
    "Project Zomboid",
    "The Front",
    "Ark: Survival Evolved",
    "Skyrim Together",
    "Tera",
  ]) {
    assert.ok(home.includes(`>${name}<`), name);
  }
  const game = (await page("/games/minecraft")).text;
  for (const part of ["<h1", "Minecraft Anarchy", "How to get started", "play.example.org:25567", "37 of 64 players"])
    assert.ok(game.includes(part), part);
  assert.match((await page("/dashboard")).text, /37 of 64 players/);
  assert.match((await page("/games/arksurvivalevolved")).text, /inactive/i);
});

test("old addresses lead on for good", async () => {
  for (const [from, to] of [
    ["/game/aion", "/games/aion"],
    ["/games/skyrimtogether", "/games/skyrimtogheter"],
  ] as const) {
    const { status, response } = await page(from);
    assert.equal(status, 301, from);
    assert.equal(response.headers.get("location"), to);
  }
});

test("built files are kept for a year, others for an hour, and the build's own notes are not public", async () => {
  const script = /(\/assets\/[^"]+\.js)/.exec((await page("/")).text)?.[1] ?? "";
  const kept = await fetch(base + script, { headers: { "accept-encoding": "br" } });
  assert.equal(kept.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assert.equal(kept.headers.get("content-encoding"), "br");
  assert.equal((await page("/favicon.svg")).response.headers.get("cache-control"), "public, max-age=3600");
  for (const path of [
    "/.vite/manifest.json",
    "/.vite/manifest.json.br",
    "/assets/../../server/index.js",
    "/..%2fserver%2findex.js",
  ]) {
    assert.equal((await page(path)).status, 404, path);
  }
});

test("a taken port is said in a sentence", async () => {
  await assert.rejects(startWeb(config(String(web.port)), { log }), /taken by another program/);
});

test("readiness names what is missing: nobody watches yet", async () => {
  const { status, text } = await page("/readyz");
  assert.equal(status, 503);
  assert.deepEqual(JSON.parse(text), {
    ready: false,
    checks: { database: true, writes: true, migrations: true, live: true, collector: false, stopping: false },
  });
  assert.equal((await page("/livez")).text, "ok");
});

test("readiness has one spelling: by another one it would pass a proxy that hides it", async () => {
  for (const path of ["/%72eadyz", "/./readyz", "/x/../readyz", "//readyz", "/readyz/", "/readyz/."]) {
    const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    assert.doesNotMatch(answer, /"ready":/, path);
    assert.match(answer, /^HTTP\/1\.1 (?:30[1278]|404) /, path);
  }
});
