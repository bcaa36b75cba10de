/** Requests that no browser sends, to a web process alone: each gets an answer or a closed connection, and the process lives. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { until } from "#tests/helpers/until.ts";
import { tell } from "../figure.ts";
import { makePlace, startRealSite } from "../real-site.ts";

const PATHS = [
  "/%E0%A4%A",
  "/%00",
  "//",
  "///evil.example/",
  "/\\evil",
  "/games/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
  "/games/%FF%FE",
  "/servers/99999999999999999999",
  "/servers/-1/history?from=%00&to=NaN",
  "/live?since=%00.%FF.x",
  "/live?since=a.9e99.b",
  "/de/de/de",
  "/__proto__",
  "/constructor.data",
  "/games/__proto__.data",
  "/?__proto__[x]=1&constructor=1",
  `/${"a/".repeat(4000)}`,
  `/?${"a=1&".repeat(3000)}`,
  "http://[::1/",
  "*",
  "/login/?next=//evil.example/%0d%0aSet-Cookie:a=b",
  "/og/..%2f..%2fetc",
  "/avatars/%2e%2e.webp",
  "/.well-known/%c0%ae",
  "/assets/%2e%2e/%2e%2e/server/index.js",
];
const HEADS = [
  "",
  "Cookie: a=%E0%A4%A; spawnpoint=%%%; =; ;;;\r\n",
  `Cookie: ${"x=y; ".repeat(2500)}\r\n`,
  "Host: evil.example\r\n",
  "Accept-Language: \xff\xfe,;;;q=NaN\r\nAccept-Encoding: br;q=zzz\r\n",
  'If-None-Match: "", W/\r\nRange: bytes=-1-\r\n',
  "X-Forwarded-For: ,,,%00, 999.999.999.999\r\nX-Request-Id: \x01\x02\r\n",
  "Authorization: Bearer \xff\r\nSec-Fetch-Site: banana\r\nOrigin: null\r\n",
  "Expect: 100-continue\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
];
const BODIES: [head: string, body: string][] = [
  ["Content-Type: application/json\r\nContent-Length: 12\r\n", '{"a":'.padEnd(12, "[")],
  ["Content-Type: multipart/form-data; boundary=\r\nContent-Length: 5\r\n", "-----"],
  [
    "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 30\r\n",
    "--x\r\nContent-Disposition: \0\r\n\r\n".padEnd(30),
  ],
  ["Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n", "%=%&=&%00"],
  ["Transfer-Encoding: chunked\r\n", "FFFFFFFFFFFFFFFF\r\nx"],
  ["Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n"],
  ["Content-Type: text/x-script; charset=\xff\r\nContent-Length: 3\r\n", "\xff\xfe\xfd"],
];

test("poisoned requests cost one answer each, and the process lives", async (t) => {
  const testDb = await createTestDatabase();
  const place = await makePlace();
  const site = startRealSite(place, {
    command: [process.execPath, "cli/spawnpoint.ts", "web"],
    env: { DATABASE_URL: testDb.url, LOG_LEVEL: "fatal" },
  });
  t.after(async () => {
    site.process.kill("SIGTERM");
    await site.ended;
    await testDb.drop();
    await place.remove();
  });
  const healthy = () =>
    fetch(`${site.url}/`).then(
      (answer) => answer.text().then(() => answer.status === 200),
      () => false,
    );
  await until("the web process answers", healthy);

  /** Sends bytes as they are; the status, or 0 where the connection was closed or nothing more is said. */
  const send = (bytes: string) =>
    new Promise<{ status: number; text: string }>((resolve) => {
      const socket = connect(place.port, "127.0.0.1");
      let text = "";
      const done = () => {
        socket.destroy();
        resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text });
      };
      socket.setTimeout(2_000, done);
      socket.on("data", (part) => {
        text += part.toString("latin1");
      });
      socket.on("error", done).on("close", done);
      socket.write(Buffer.from(bytes, "latin1"));
    });

  const requests: string[] = [];
  for (const path of PATHS) {
    for (const head of HEADS)
      requests.push(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${head}Connection: close\r\n\r\n`);
  }
  const posts = [
    "/login/",
    "/contact",
    "/api/v1/heartbeat",
    "/api/auth/sign-in",
    "/user/settings/avatar",
    "/admin/settings",
    "/",
  ];
  for (const path of posts) {
    for (const [head, body] of BODIES) {
      for (const method of ["POST", "PUT", "DELETE"]) {
        requests.push(
          `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\n${head}Connection: close\r\n\r\n${body}`,
        );
      }
    }
  }
  requests.push(
    "\x00\x01\x02\x03",
    "GET / HTTP/9.9\r\n\r\n",
    "GET\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "TRACE / HTTP/1.1\r\nHost: x\r\n\r\n",
  );
  requests.push(
    "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  );

  const tellsNothing = (text: string) => !/at .*\.(?:ts|js):\d+|node_modules/.test(text);
  const counts = new Map<number, number>();
  const failed: string[] = [];
  const waiting = [...requests];
  async function lane() {
    for (let bytes = waiting.pop(); bytes !== undefined; bytes = waiting.pop()) {
      const { status, text } = await send(bytes);
      counts.set(status, (counts.get(status) ?? 0) + 1);
      if (status === 500 && !tellsNothing(text)) failed.push(bytes.slice(0, 120));
    }
  }
  await Promise.all(Array.from({ length: 8 }, lane));
  // One row that nothing can be shown of.
  await testDb.sql`INSERT INTO games (game_name, game_acronym, game_slug, tagline, description, is_published)
    VALUES ('Bad', 'B', 'bad', '"no object"', 'null', true)`.catch(() => {});
  await pause(1_500);
  const poisoned = await fetch(`${site.url}/games/bad`);
  const body = await poisoned.text();
  assert.ok(tellsNothing(body));
  for (let i = 0; i < 10; i += 1) assert.ok(await healthy(), "the site is still there");
  assert.equal(site.process.exitCode, null);
  assert.doesNotMatch(site.output(), /uncaught|unhandled/i);
  assert.deepEqual(failed, [], "an error page that tells of the inside");
  const said = [...counts].sort(([a], [b]) => a - b).map(([status, n]) => `${n} × ${status || "closed"}`);
  tell(t, "a poisoned request", `${requests.length} of them: ${said.join(", ")}; the same process goes on answering`);
});
