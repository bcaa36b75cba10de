import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { pino } from "pino";
import { createResponseCache, type ResponseCache } from "./response-cache.ts";

let server: Server;
let cache: ResponseCache;
let base: string;
let renders: string[];
let answer: () => Promise<Response>;

before(async () => {
  server = createServer((request, response) => {
    if (!cache.serve(request, response)) response.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

after(() => server.close());

beforeEach(() => {
  renders = [];
  answer = async () => new Response(`<p>${renders.length}</p>`, { headers: { "content-type": "text/html" } });
  cache = createResponseCache({
    render: (request) => {
      renders.push(new URL(request.url).pathname);
      return answer();
    },
    addressOf: (url) => (url === "/mine" ? null : (url.split("?")[0] ?? url)),
    siteUrl: "http://localhost",
    headers: { "x-content-type-options": "nosniff" },
    onError: (_request, response) => response.writeHead(500).end("sorry"),
    log: pino({ level: "silent" }),
  });
});

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(base + path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

test("what is not for every visitor is left to others: unsafe methods and private addresses", async () => {
  assert.equal((await fetch(`${base}/`, { method: "POST" })).status, 418);
  assert.equal((await get("/mine")).status, 418);
  assert.deepEqual(renders, []);
});

test("a hundred requests at once are one rendering, and a query makes no second page", async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => get(`/?utm=${index}`)));
  assert.ok(answers.every(({ text }) => text === "<p>1</p>"));
  assert.equal(renders.length, 1);
});

test("after a change the old page is shown for a moment, then the new one; at most one rendering a second", async () => {
  assert.equal((await get("/")).text, "<p>1</p>");
  cache.invalidate();
  assert.equal((await get("/")).text, "<p>1</p>");
  await pause(1050);
  assert.equal((await get("/")).text, "<p>1</p>", "stale while the new one is made");
  await pause(50);
  assert.equal((await get("/")).text, "<p>2</p>");
  assert.equal(renders.length, 2);
});

test("a clock that is set back keeps no old page", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  assert.equal((await get("/")).text, "<p>1</p>");
  t.mock.timers.setTime(Date.now() - 3_600_000);
  cache.invalidate();
  await pause(1_050);
  await get("/");
  await pause(50);
  assert.equal((await get("/")).text, "<p>2</p>");
});

test("a page that cannot be made anew just now stays, and one of another catalog does not", async () => {
  assert.equal((await get("/")).text, "<p>1</p>");
  answer = async () => new Response("busy", { status: 503 });
  for (let round = 0; round < 3; round += 1) {
    cache.invalidate();
    await pause(1_050);
    const { status, text } = await get("/");
    assert.deepEqual([status, text], [200, "<p>1</p>"]);
  }
  cache.invalidate("no more");
  assert.equal((await get("/")).status, 503);
});

test("a page of another catalog is shown to nobody, not even one that is being made", async () => {
  const rendered = answer;
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  answer = async () => {
    begin();
    await held;
    return new Response("<p>of before</p>");
  };
  const before = get("/");
  await begun;
  answer = rendered;
  cache.invalidate("no more");
  assert.equal((await get("/")).text, "<p>2</p>", "made anew, without waiting for the one that is held");
  go();
  assert.equal((await before).text, "<p>of before</p>");
  assert.equal((await get("/")).text, "<p>2</p>", "the late one takes no place");
  cache.invalidate("no more");
  assert.equal((await get("/")).text, "<p>3</p>");
});

test("an unknown address and a failure are answered, not kept", async () => {
  answer = async () => new Response("nothing", { status: 404 });
  assert.equal((await get("/nowhere")).status, 404);
  assert.equal((await get("/nowhere")).status, 404);
  assert.equal(renders.length, 2);
  answer = async () => {
    throw new Error("broken");
  };
  assert.equal((await get("/nowhere")).text, "sorry");
});

test("each encoding holds the same page, and a known ETag gets 304 without a body", async () => {
  const { headers } = await get("/");
  const raw = async (encoding: string) => {
    const { request } = await import("node:http");
    return new Promise<{ encoding: string | undefined; body: Buffer; status: number | undefined }>(
      (resolve, reject) => {
        request(`${base}/`, { headers: { "accept-encoding": encoding } }, (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk) => chunks.push(chunk));
          response.on("end", () =>
            resolve({
              encoding: response.headers["content-encoding"],
              body: Buffer.concat(chunks),
              status: response.statusCode,
            }),
          );
        })
          .on("error", reject)
          .end();
      },
    );
  };
  assert.equal(brotliDecompressSync((await raw("gzip, br")).body).toString(), "<p>1</p>");
  assert.equal(gunzipSync((await raw("gzip, br;q=0")).body).toString(), "<p>1</p>");
  const plain = await raw("identity");
  assert.equal(plain.encoding, undefined);
  assert.equal(plain.body.toString(), "<p>1</p>");
  const known = await get("/", { "if-none-match": headers.get("etag") ?? "" });
  assert.equal(known.status, 304);
  assert.equal(known.headers.get("x-content-type-options"), "nosniff");
  assert.equal(known.text, "");
});
