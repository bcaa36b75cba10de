/** Writes that are none, not allowed, or hostile. */
import assert from "node:assert/strict";
import { request as rawRequest } from "node:http";
import { describe, test } from "node:test";
import { admin, bearer, get, ids, keyOf, newAddress, post, site } from "./attacked-site.ts";

export function attackByWriting(): void {
  describe("writes", () => {
    test("a game's name that another one has is refused, naming the field", async () => {
      const key = bearer(await keyOf(admin.user));
      const answer = await post("/admin/games", { game_name: " valHEIM", game_acronym: "V" }, key);
      assert.equal(answer.status, 422);
      const { detail, errors } = await answer.json();
      assert.equal(detail, "There is a game of this name already: Valheim, at /games/valheim.");
      assert.deepEqual(errors, [{ field: "game_name", code: "name_taken", detail: "Another game has this name." }]);
      const made = await (await post("/admin/games", { game_name: "Renamed", game_acronym: "R" }, key)).json();
      const change = (game_name: string) =>
        post(
          `/admin/games/${made.game_id}`,
          { ...made.record, game_name },
          { ...key, "If-Match": `"${made.revision}"` },
          "PUT",
        );
      assert.equal((await (await change("Valheim")).json()).errors[0].code, "name_taken");
      assert.equal((await change("Renamed again")).status, 200);
    });

    test("a game of the catalogue is taken once, and one that is none is refused, naming the field", async () => {
      const key = bearer(await keyOf(admin.user));
      const take = (more: object) => post("/admin/games", more, key);
      for (const [body, field, code] of [
        [{ catalogue_id: "no-such-game" }, "catalogue_id", "no_choice"],
        [{ catalogue_id: "__proto__" }, "catalogue_id", "no_choice"],
        [{ game_name: "Half" }, "game_acronym", "missing"],
        [{}, "game_name", "missing"],
      ] as const) {
        const answer = await take(body);
        assert.equal(answer.status, 422);
        const { errors } = await answer.json();
        assert.deepEqual([errors[0].field, errors[0].code], [field, code]);
      }
      const made = await take({ catalogue_id: "factorio" });
      assert.equal(made.status, 201);
      const { record } = await made.json();
      assert.equal(record.game_name, "Factorio");
      assert.equal(record.join_link, "steam://run/427520//--mp-connect%20{host}:{port}");
      const again = await take({ catalogue_id: "factorio" });
      assert.equal(again.status, 422);
      assert.equal((await again.json()).errors[0].code, "taken");
    });

    test("a game server's address keeps to the rule: nothing on this machine or in private networks", async () => {
      const key = bearer(await keyOf(admin.user));
      for (const [more, field] of [
        [{ host: "127.0.0.1" }, "host"],
        [{ host: "localhost" }, "host"],
        [{ host: "169.254.169.254" }, "host"],
        [{ host: "10.0.0.1" }, "host"],
        [{ host: "[::1]" }, "host"],
        [{ host: "0x7f.1" }, "host"],
        [{ game_port: 22 }, "game_port"],
        [{ query_port: 6379 }, "query_port"],
        [{ join_link: "javascript:alert(1)" }, "join_link"],
        [{ links: [{ name: "launcher", label_en: "x", url: "http://example.org/x" }] }, "links.0.url"],
        [{ server_locations: ["x".repeat(61)] }, "server_locations"],
        [{ server_locations: "Germany, Finland" }, "server_locations"],
        [{ adapter: "gamedig", adapter_options: { gamedigType: "rm -rf" } }, "adapter_options.gamedigType"],
        [{ demo: true }, "demo"],
        [{ heartbeat_token_hash: "x" }, "heartbeat_token_hash"],
      ] as const) {
        const form = {
          game_id: ids.game,
          server_name: "x",
          adapter: "a2s",
          host: "play.example.org",
          game_port: 27015,
          ...more,
        };
        const answer = await post("/admin/servers", form, key);
        const body = await answer.json();
        assert.equal(answer.status, 422, JSON.stringify(more));
        assert.ok(
          body.errors.some((one: { field: string }) => one.field === field),
          JSON.stringify(body),
        );
      }
      assert.equal((await site.sql`select 1 from gameserver where server_name = 'x'`).length, 0);
    });

    test("a body that is huge, deep, or not what it says is refused before it does anything", async () => {
      const key = bearer(await keyOf(admin.user));
      const statusOf = async (body: string, headers = {}) =>
        (await post("/admin/games", body, { ...key, ...headers })).status;
      assert.equal(await statusOf(`{"game_name":"${"x".repeat(200_000)}"}`), 413);
      assert.equal(await statusOf("[".repeat(60_000) + "]".repeat(60_000)), 422);
      assert.equal(await statusOf('{"__proto__":{"polluted":1},"game_name":"P","game_acronym":"P"}'), 422);
      assert.equal(await statusOf('{"game_name":"P","game_acronym":"P","constructor":{}}'), 422);
      assert.equal(await statusOf("game_name=P", { "Content-Type": "application/x-www-form-urlencoded" }), 415);
      assert.equal(await statusOf("null"), 422);
      assert.equal(await statusOf(""), 400);
      assert.equal(({} as { polluted?: number }).polluted, undefined);
      // In pieces, without saying how much will come.
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const headers = { ...key, "Content-Type": "application/json", "X-Forwarded-For": newAddress() };
        const sending = rawRequest(`${site.base}/api/v1/admin/games`, { method: "POST", headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        }).on("error", reject);
        for (let piece = 0; piece < 30; piece += 1) sending.write("x".repeat(10_000));
        sending.end();
      });
      assert.equal(status, 413);
    });

    test("neither another site nor another method's name changes anything", async () => {
      const key = bearer(await keyOf(admin.user));
      const game = { game_name: "Foreign", game_acronym: "F" };
      const strangers: Record<string, string>[] = [
        { Origin: "https://evil.example" },
        { "Sec-Fetch-Site": "cross-site" },
      ];
      for (const headers of strangers) {
        const answer = await post("/admin/games", game, { ...key, ...headers });
        assert.equal(answer.status, 403);
        assert.match(answer.headers.get("content-type") ?? "", /^application\/problem\+json/);
        assert.equal(answer.headers.get("access-control-allow-origin"), null);
      }
      const override = { ...key, "X-HTTP-Method-Override": "DELETE", "X-Method-Override": "DELETE" };
      assert.equal((await get(`/api/v1/admin/games/${ids.game}?_method=DELETE`, override)).status, 400);
      assert.equal((await get(`/api/v1/admin/games/${ids.game}`, override)).status, 200);
      const wrong = await get("/api/v1/games", {}, "DELETE");
      assert.equal(wrong.status, 405);
      assert.equal(wrong.headers.get("allow"), "GET, HEAD, OPTIONS");
      // No cookie of an admin's browser does anything here.
      const cookies = [...admin.at.cookies].map((pair) => pair.join("=")).join("; ");
      assert.equal((await post("/admin/games", game, { Cookie: cookies })).status, 401);
      assert.equal((await site.sql`select 1 from games where game_name = 'Foreign'`).length, 0);
    });
  });
}
