/** Whoever asks with a browser is refused by a page, in the language of the address and with the real status; programs by data. */
import assert from "node:assert/strict";
import { type IncomingMessage, get as nodeGet } from "node:http";
import { after, before, describe, test } from "node:test";
import { type AccountSite, startAccountSite } from "#tests/helpers/account-site.ts";

/** As Chromium asks for a page. */
const PAGE = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
const OWN = { ...PAGE, "Sec-Fetch-Site": "same-origin" };

let site: AccountSite;
before(async () => {
  site = await startAccountSite();
});
after(() => site.stop());

async function ask(path: string, init: RequestInit = {}) {
  const response = await fetch(site.base + path, { redirect: "manual", headers: PAGE, ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const form = (fields: Record<string, string>): RequestInit => ({
  method: "POST",
  headers: { ...OWN, "Content-Type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams(fields),
});

/** What every page of a refusal has to be. */
function isPage(answer: Awaited<ReturnType<typeof ask>>, status: number, expected: RegExp, about: string) {
  assert.equal(answer.status, status, about);
  assert.equal(answer.headers.get("content-type"), "text/html; charset=utf-8", about);
  assert.match(answer.headers.get("cache-control") ?? "", /no-store/, about);
  assert.match(answer.headers.get("content-security-policy") ?? "", /^default-src 'none'; script-src 'self';/, about);
  assert.equal(answer.headers.get("x-content-type-options"), "nosniff", about);
  assert.match(answer.text, expected, about);
  assert.doesNotMatch(answer.text, /nothing of yours is lost|slot-of-|<script(?! src="\/theme\.js")/, about);
}

describe("refusals", () => {
  test("what another site sends, what is too large, what no page takes: each a page in both languages", async () => {
    const cross = { method: "POST", headers: { ...PAGE, "Sec-Fetch-Site": "cross-site" }, body: "message=Call+me" };
    const huge = () => form({ message: "x".repeat(70_000) });
    for (const path of ["/contact", "/login/", "/admin/games/create", "/nowhere", "/"]) {
      for (const [address, title] of [
        [
          path,
          {
            cross: /This came from another site/,
            huge: /too much at once/,
            method: /<h1[^>]*>This page does not take that</,
          },
        ],
        [
          `/de${path}`,
          {
            cross: /von einer anderen Website/,
            huge: /zu viel auf einmal/,
            method: /<h1[^>]*>Das nimmt diese Seite nicht an</,
          },
        ],
      ] as const) {
        const refused = await ask(address, cross);
        isPage(refused, 403, title.cross, `cross-site ${address}`);
        assert.doesNotMatch(refused.text, /Call me|Unexpected Application Error|Unerwarteter Fehler/, address);
        isPage(await ask(address, huge()), 413, title.huge, `70 KB to ${address}`);
        for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS"]) {
          const answer = await ask(address, { method, headers: OWN });
          isPage(answer, 405, title.method, `${method} ${address}`);
          assert.equal(answer.headers.get("allow"), "GET, HEAD, POST");
        }
      }
    }
  });

  test("data asked for by the router carries the status and the reason as React Router reads them", async () => {
    const cross = { "Sec-Fetch-Site": "cross-site" };
    for (const path of ["/contact.data", "/login/_.data", "/de.data"]) {
      const refused = await ask(path, { method: "POST", headers: cross, body: "a=b" });
      assert.deepEqual([refused.status, refused.text], [403, "cross_site"], path);
      // With this header the router would take the body for its own stream.
      assert.equal(refused.headers.get("x-remix-response"), null, path);
      assert.doesNotMatch(refused.headers.get("content-type") ?? "", /json|html/, path);
    }
  });

  test("programs of the API get a problem, and whoever asks for no page a sentence", async () => {
    const headers = { "Sec-Fetch-Site": "cross-site" };
    const api = await ask("/api/v1/heartbeat", { method: "POST", headers: { ...PAGE, ...headers } });
    assert.equal(api.status, 403);
    assert.match(api.headers.get("content-type") ?? "", /^application\/problem\+json/);
    const plain = await ask("/contact", { method: "POST", headers });
    assert.equal(plain.status, 403);
    assert.match(plain.headers.get("content-type") ?? "", /^text\/plain/);
    assert.match(plain.text, /^This came from another site\./);
  });

  test("an address for programs that a browser opens is refused by a page", async () => {
    isPage(await ask("/servers/999/history"), 404, /Page not found/, "a history that is not there");
    const { at } = await site.signedIn("opens@example.org");
    const cookie = [...at.cookies].map((pair) => pair.join("=")).join("; ");
    for (const path of ["/media/x.webp", "/avatars/x.webp", "/og/x.png", "/assets/x.js", "/api/auth/x", "/api/x"]) {
      isPage(await ask(path), 404, /Page not found/, path);
      const picture = await ask(path, { headers: { Accept: "image/avif,image/webp,*/*;q=0.8" } });
      assert.equal(picture.status, 404, path);
      const type = path.startsWith("/api/") ? /^application\/problem\+json/ : /^text\/plain/;
      assert.match(picture.headers.get("content-type") ?? "", type, path);
    }
    for (const path of ["/nowhere", "/de/nowhere"]) assert.equal((await ask(path, form({ a: "b" }))).status, 404, path);
    const answer = await ask("/admin/audit.csv", { headers: { ...PAGE, Cookie: cookie } });
    isPage(answer, 403, /<h1[^>]*>Not allowed</, "/admin/audit.csv");
  });

  test("whoever is signed in keeps the way to their account on each of them, in their theme", async () => {
    const { at, user } = await site.signedIn("stays@example.org");
    await site.sql`update profiles set user_nick_name = 'Stays <In>', theme = 'light' where user_id = ${user.id}`;
    const cookie = [...at.cookies].map((pair) => pair.join("=")).join("; ");
    const own = { ...OWN, Cookie: cookie };
    const posted = form({ message: "x".repeat(70_000) });
    for (const [path, status, expected, init] of [
      ["/admin/audit.csv", 403, /<h1[^>]*>Not allowed</, {}],
      ["/de/admin/audit.csv", 403, /<h1[^>]*>Nicht erlaubt</, {}],
      ["/servers/999/history", 404, /Page not found/, {}],
      ["/media/x.webp", 404, /Page not found/, {}],
      ["/api/x", 404, /Page not found/, {}],
      ["/contact", 405, /<h1[^>]*>This page does not take that</, { method: "PUT" }],
      ["/contact", 413, /too much at once/, { ...posted, headers: { ...posted.headers, Cookie: cookie } }],
    ] as const) {
      const answer = await ask(path, { headers: own, ...init });
      isPage(answer, status, expected, path);
      assert.match(answer.text, /Stays &lt;In&gt;/, path);
      assert.match(answer.text, /action="(?:\/de)?\/logout"/, path);
      assert.match(answer.text, /<html[^>]* data-theme="light"/, path);
      assert.equal(answer.headers.get("cache-control"), "private, no-store", path);
    }
    // What another site sends is nobody's, whoever's browser it came from; and nobody else ever sees that page.
    const cross = await ask("/contact", { method: "POST", headers: { ...own, "Sec-Fetch-Site": "cross-site" } });
    isPage(cross, 403, /This came from another site/, "cross-site");
    for (const { text } of [cross, await ask("/servers/999/history"), await ask("/contact", { ...posted })])
      assert.doesNotMatch(text, /Stays|logout/);
    // A made-up session is nobody's.
    const forged = await ask("/servers/999/history", { headers: { ...OWN, Cookie: cookie.replace(/\.[^;]*/, ".x") } });
    assert.doesNotMatch(forged.text, /Stays|logout/);
  });

  test("a member who may not is told so under a heading of its own", async () => {
    const { at } = await site.signedIn("may-not@example.org");
    const { status, text } = await at.get("/admin/games");
    assert.equal(status, 403);
    assert.match(text, /<h1[^>]*>Not allowed</);
    assert.doesNotMatch(text, /Try again/);
    assert.doesNotMatch(text, /Unexpected Application Error/);
    assert.match((await at.get("/de/admin/games")).text, /<h1[^>]*>Nicht erlaubt</);
  });

  test("who is blocked is told so in both languages, by a page that needs nothing else", async () => {
    await site.sql`insert into ip_blocks (network, reason, blocked_until) values ('203.0.113.9', 'test', now() + interval '1 hour')`;
    const blocked = (path: string) => ask(path, { headers: { ...PAGE, "X-Forwarded-For": "203.0.113.9" } });
    const until = performance.now() + 120_000;
    while ((await blocked("/")).status !== 403) assert.ok(performance.now() < until, "never blocked");
    const answer = await blocked("/dashboard");
    isPage(answer, 403, /blocked for a time.*für eine Zeit gesperrt/s, "blocked");
    assert.doesNotMatch(answer.text, /<link|<img|<script/);
  });

  test("a thousand refusals make one page, compressed once", async () => {
    const headers = { ...PAGE, "Sec-Fetch-Site": "cross-site", "Accept-Encoding": "br" };
    const bodies = new Set<string>();
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => ask("/contact", { method: "POST", headers })),
      );
      for (const { status, text, headers: got } of answers) {
        assert.equal(status, 403);
        assert.equal(got.get("content-encoding"), "br");
        bodies.add(text);
      }
    }
    // The bytes are the same: no rendering's own nonce, moment or id is in them.
    assert.equal(bodies.size, 1);
  });

  test("a HEAD request gets the head alone", async () => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      nodeGet(`${site.base}/servers/999/history`, { method: "HEAD", headers: PAGE }, resolve).on("error", reject);
    });
    assert.equal(answer.statusCode, 404);
    let bytes = 0;
    for await (const part of answer) bytes += part.length;
    assert.equal(bytes, 0);
  });
});
