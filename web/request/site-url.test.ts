/** The site at the address that SITE_URL gives it: forms and pages asked for elsewhere, and no way to be led in a circle. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type AccountSite, PASSWORD, startAccountSite } from "#tests/helpers/account-site.ts";
import { ask, DOCUMENT, raw, visitor } from "#tests/helpers/bare-requests.ts";

describe("with SITE_URL", () => {
  const HOME = "https://play.example.org";
  let site: AccountSite;
  let direct: AccountSite;
  before(async () => {
    site = await startAccountSite({ SITE_URL: HOME });
    direct = await startAccountSite({ SITE_URL: HOME, TRUST_PROXY: "0" });
  });
  after(async () => {
    await site.stop();
    await direct.stop();
  });

  test("a form sent elsewhere is refused and told where the site lives; one from home is taken", async () => {
    const fields = { intent: "login", email: "nobody@example.org", password: PASSWORD };
    const port = new URL(site.base).port;
    for (const [headers, status] of [
      [{ Host: "play.example.org", Origin: "https://evil.example" }, 403],
      [{ Host: "play.example.org", Origin: "http://play.example.org" }, 421],
      [{ Host: `127.0.0.1:${port}`, Origin: `http://127.0.0.1:${port}` }, 421],
      [{ Host: `127.0.0.1:${port}`, Origin: "https://www.play.example.org", "Sec-Fetch-Site": "same-origin" }, 421],
      [{ Host: "evil.example", Origin: "https://evil.example", "Sec-Fetch-Site": "same-origin" }, 421],
      [{ Host: "play.example.org", Origin: HOME, "Sec-Fetch-Site": "cross-site" }, 403],
      // 401: the form was taken, and nobody has this password.
      [{ Host: "play.example.org", Origin: HOME }, 401],
      [{ Host: "PLAY.example.org:443", Origin: HOME, "Sec-Fetch-Site": "same-origin" }, 401],
      [{ Host: `127.0.0.1:${port}`, Origin: HOME, "Sec-Fetch-Site": "same-origin" }, 401],
    ] as const) {
      const answer = await ask(site, "/login/", { headers: { ...visitor(), ...DOCUMENT, ...headers }, fields });
      assert.equal(answer.status, status, JSON.stringify(headers));
      if (status === 421) assert.ok(answer.text.includes(`${HOME}/login/`), answer.text.slice(0, 300));
    }
  });

  test("a page asked for elsewhere leads home; what programs ask for is answered where it is", async () => {
    for (const host of ["127.0.0.1", "www.play.example.org", "play.example.org.", "evil.example", "203.0.113.5:3000"]) {
      const led = await ask(direct, "/dashboard?game=valheim", { headers: { Host: host, ...DOCUMENT } });
      assert.equal(led.status, 302, host);
      assert.equal(led.headers.location, `${HOME}/dashboard?game=valheim&led-here`, host);
      assert.equal(led.headers["cache-control"], "no-store");
      for (const path of ["/livez", "/api/v1/site", "/robots.txt", "/favicon.svg", "/manifest.webmanifest"])
        assert.equal(
          (await ask(direct, path, { headers: { Host: host, ...DOCUMENT } })).status,
          200,
          `${path} at ${host}`,
        );
      // As balancers and containers ask for the first page.
      for (const accept of [{}, { Accept: "*/*" }] as Record<string, string>[])
        assert.equal((await ask(direct, "/", { headers: { Host: host, ...accept } })).status, 200, host);
      assert.notEqual((await ask(direct, "/readyz", { headers: { Host: host, ...DOCUMENT } })).status, 302);
      const stream = await raw(direct, `GET /dashboard.data HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      assert.match(stream, /^HTTP\/1\.1 200 /);
    }
    assert.equal(
      (await ask(direct, "//evil.example/", { headers: { Host: "x", ...DOCUMENT } })).headers.location,
      `${HOME}//evil.example/?led-here`,
    );
  });

  test("nobody is led in a circle, whatever a proxy makes of the Host", async () => {
    // Each proxy passes on what was asked for at home under a Host of its own.
    for (const [at, more] of [
      [direct, { Host: "play.example.org" }],
      [direct, { Host: "play.example.org:80" }],
      [direct, { Host: "upstream-1" }],
      [direct, { Host: "127.0.0.1:3000" }],
      [site, { Host: "127.0.0.1:3000", "X-Forwarded-For": "203.0.113.9" }],
      [site, { Host: "upstream-2", "X-Forwarded-For": "203.0.113.9", "X-Forwarded-Host": "play.example.org" }],
      [site, { Host: "play.example.org", "X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "http" }],
      [site, { Host: "upstream-3", "X-Forwarded-For": "203.0.113.9", "X-Forwarded-Host": "www.example.org" }],
    ] as const) {
      for (let round = 0; round < 2; round += 1) {
        let path = "/dashboard";
        let hops = 0;
        for (; hops < 3; hops += 1) {
          const { status, headers } = await ask(at, path, { headers: { ...more, ...DOCUMENT } });
          if (status === 200) break;
          assert.equal(status, 302);
          path = String(headers.location).slice(HOME.length);
        }
        assert.ok(hops <= (round === 0 ? 1 : 0), `${JSON.stringify(more)}: led ${hops} times`);
      }
    }
  });

  test("X-Forwarded-Host counts only from a proxy that is believed", async () => {
    const headers = { Host: "play.example.org", "X-Forwarded-Host": "other.example.org", ...DOCUMENT };
    assert.equal((await ask(direct, "/impressum", { headers })).status, 200);
    assert.equal(
      (await ask(site, "/impressum", { headers: { ...headers, "X-Forwarded-For": "203.0.113.9" } })).status,
      302,
    );
  });
});
