/** Reading what is hidden, too much, from other sites; and what is embedded there. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { admin, bearer, get, ids, signIn, site } from "./attacked-site.ts";

export function attackByReading(): void {
  describe("reading", () => {
    test("what is hidden, or for members alone, is nowhere; a member's program sees what members see", async () => {
      const paths = (id: number) => ["", "/metrics", "/history"].map((end) => `/api/v1/servers/${id}${end}`);
      const embeds = (id: number) =>
        ["", "/de"].flatMap((at) => [`${at}/servers/${id}/badge.svg`, `${at}/servers/${id}/widget`]);
      for (const id of [ids.hidden, ids.members])
        for (const path of [...paths(id), ...embeds(id)]) assert.equal((await get(path)).status, 404, path);
      const cookies = [...admin.at.cookies].map((pair) => pair.join("=")).join("; ");
      for (const path of ["/api/v1/servers", "/api/v1/metrics", "/api/v1/games", "/api/v1/openapi.json"]) {
        const answer = await get(path, { Cookie: cookies });
        const text = await answer.text();
        assert.doesNotMatch(text, /members\.example|secret\.example|Skyrim Together Node|Minecraft Anarchy/, path);
        assert.doesNotMatch(text, new RegExp(`"server_id":(?:${ids.hidden}|${ids.members})\\b`), path);
      }
      await site.member("reader@example.org");
      const { access_token } = await signIn("reader@example.org");
      const answer = await get(`/api/v1/servers/${ids.members}`, bearer(access_token));
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get("cache-control"), "private, no-store");
      assert.match(answer.headers.get("vary") ?? "", /Authorization/);
      assert.equal((await answer.json()).badge_url, null);
      for (const path of paths(ids.hidden)) assert.equal((await get(path, bearer(access_token))).status, 404, path);
      assert.equal((await get(`/api/v1/servers/${ids.members}`)).status, 404);
    });

    test("any site may read without cookies, and none may do more", async () => {
      const origin = { Origin: "https://other.example" };
      for (const path of ["/api/v1/servers", "/api/v1/servers/999999", "/api/v1/servers?status=up"]) {
        const answer = await get(path, origin);
        assert.equal(answer.headers.get("access-control-allow-origin"), "*", path);
        assert.equal(answer.headers.get("access-control-allow-credentials"), null);
        assert.equal(answer.headers.get("set-cookie"), null);
      }
      const ask = {
        ...origin,
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "if-none-match",
      };
      const open = await get("/api/v1/servers", ask, "OPTIONS");
      assert.equal(open.status, 204);
      assert.equal(open.headers.get("access-control-allow-headers"), "If-None-Match");
      for (const path of ["/api/v1/session", "/api/v1/admin/games", "/api/v1/session/refresh"])
        for (const method of ["OPTIONS", "GET"])
          assert.equal((await get(path, ask, method)).headers.get("access-control-allow-origin"), null, path);
    });

    test("HEAD says what GET says, pages have neighbours, and one address has one budget", async () => {
      const whole = await get("/api/v1/servers");
      const head = await get("/api/v1/servers", {}, "HEAD");
      assert.equal(head.status, 200);
      assert.equal(head.headers.get("etag"), whole.headers.get("etag"));
      assert.equal(await head.text(), "");
      assert.equal(
        (await get("/api/v1/servers", { "If-None-Match": `"x", ${whole.headers.get("etag")}` })).status,
        304,
      );
      const page = await get("/api/v1/games?per_page=2&page=2");
      assert.match(
        page.headers.get("link") ?? "",
        /games\?page=1&per_page=2>; rel="prev", <[^>]*page=3&per_page=2>; rel="next"/,
      );
      assert.equal((await (await get("/api/v1/games?page=99999")).json()).data.length, 0);
      const statuses = await Promise.all(
        Array.from(
          { length: 310 },
          async (_, n) => (await get("/api/v1/site", { "X-Forwarded-For": `2001:db8:9:9::${n.toString(16)}` })).status,
        ),
      );
      assert.equal(statuses.filter((status) => status === 200).length, 300);
      assert.equal(statuses.filter((status) => status === 429).length, 10);
    });
  });

  describe("badge and widget", () => {
    test("a hostile name stays a name", async () => {
      for (const path of ["badge.svg", "badge.svg?theme=light", "widget", "widget?theme=light"]) {
        for (const at of ["", "/de"]) {
          const answer = await get(`${at}/servers/${ids.seen}/${path}`);
          const text = await answer.text();
          assert.equal(answer.status, 200, path);
          assert.doesNotMatch(text, /<script>alert|<\/title><script|\u202e.*<\/svg>/, path);
          // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there.
          if (path.startsWith("badge")) assert.doesNotMatch(text, /[\u0000-\u0008]|<script|on\w+=|href/);
          assert.equal(answer.headers.get("set-cookie"), null);
          const again = await get(`${at}/servers/${ids.seen}/${path}`, {
            "If-None-Match": answer.headers.get("etag") ?? "",
          });
          assert.equal(again.status, 304);
        }
      }
      assert.match(await (await get(`/servers/${ids.seen}`)).text(), /badge\.svg/);
    });

    test("the widget alone may stand in a frame, and runs nothing but what is its own", async () => {
      const widget = await get(`/servers/${ids.seen}/widget`, { Cookie: "spawnpoint_session=x" });
      const policy = widget.headers.get("content-security-policy") ?? "";
      assert.match(policy, /default-src 'none'.*script-src 'self'.*frame-ancestors \*/);
      assert.doesNotMatch(policy, /unsafe/);
      assert.equal(widget.headers.get("x-frame-options"), null);
      for (const path of [
        "/",
        `/servers/${ids.seen}`,
        `/servers/${ids.seen}/badge.svg`,
        "/api/v1/servers",
        "/servers/1/widgets",
        `/servers/${ids.hidden}/widget`,
      ]) {
        const answer = await get(path);
        assert.equal(answer.headers.get("x-frame-options"), "DENY", path);
        assert.match(answer.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/, path);
      }
      for (const query of ["?theme=auto", "?theme=red", "?theme=dark&x=1", "?lang=de", "?theme=constructor"])
        assert.equal((await get(`/servers/${ids.seen}/badge.svg${query}`)).status, 400, query);
    });
  });
}
