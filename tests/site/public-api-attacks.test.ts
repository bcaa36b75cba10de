/** What the public API refuses: keys and tokens that are guessed, stolen, used again or too weak; other sites; hostile bodies. */
import assert from "node:assert/strict";
import { request as rawRequest } from "node:http";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { seedFirstContent } from "#content/first-content.ts";
import type { User } from "#domain/members/users.ts";
import { createApiKey, type KeyScope } from "#domain/sign-in/api-keys.ts";
import { OPERATIONS } from "#web/api/operations.ts";
import { type AccountSite, PASSWORD, startAccountSite } from "../helpers/account-site.ts";
import type { Browser } from "../helpers/browser.ts";
import { totp } from "../helpers/totp.ts";

const SCOPES: KeyScope[] = ["admin:read", "games:write", "gameservers:write"];
/** The product promises 2 s; a machine that runs all tests at once gets more. */
const STREAM_END_MS = 5_000;
type Tokens = { access_token: string; refresh_token: string; expires_in: number; user: { id: string } };

describe("the public API under attack", () => {
  let site: AccountSite;
  let admin: { at: Browser; user: User };
  let addresses = 0;
  const ids = { seen: 0, members: 0, hidden: 0, game: 0 };
  /** Begun first and looked at last, because each takes as long as a body may. */
  let drips: Promise<{ name: string; status: number; afterMs: number }[]>;

  before(async () => {
    site = await startAccountSite();
    await seedFirstContent(site.database.db);
    await site.sql`update gameserver set visibility = 'public', host = 'play.example.org', server_name = ${'</title><script>alert(1)</script>"&\u202e\u0001'} where server_name = 'Valheim Vanilla'`;
    await site.sql`update gameserver set visibility = 'members', host = 'members.example.org' where server_name = 'Minecraft Anarchy'`;
    await site.sql`update gameserver set host = 'secret.example.org' where server_name = 'Skyrim Together Node 1'`;
    const rows = await site.sql<{ server_id: number; game_id: number; host: string }[]>`
      select server_id, game_id, host from gameserver where host in ('play.example.org', 'members.example.org', 'secret.example.org')`;
    const of = (host: string) => rows.find((row) => row.host === host);
    ids.seen = of("play.example.org")?.server_id ?? 0;
    ids.members = of("members.example.org")?.server_id ?? 0;
    ids.hidden = of("secret.example.org")?.server_id ?? 0;
    ids.game = of("play.example.org")?.game_id ?? 0;
    admin = await someAdmin("admin@example.org");
    for (let wait = 0; wait < 60; wait += 1) {
      if ((await (await get(`/api/v1/servers/${ids.seen}`)).json()).server_id) break;
      await pause(50);
    }
    drips = dripEverywhere();
  });
  after(() => site.stop());

  /** Sends to every address that takes a body one sign of it a second. */
  async function dripEverywhere() {
    const key = bearer(await keyOf(admin.user));
    const signedIn = await fetch(`${site.base}/api/v1/session`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Forwarded-For": newAddress() },
      body: JSON.stringify({ email: "admin@example.org", password: PASSWORD }),
    });
    const token = bearer((await signedIn.json()).access_token);
    const operations = OPERATIONS.filter(({ body }) => body).map(({ method, path, access }) => ({
      name: `${method.toUpperCase()} ${path}`,
      method,
      path: `/api/v1${path.replace("{bucket}", "media").replace(/\{\w+\}/g, "1")}`,
      who: access === "session" ? token : access === "known" || path.startsWith("/admin") ? key : {},
    }));
    const passkey = "/api/auth/passkey/verify-authentication";
    return Promise.all(
      [...operations, { name: "passkey", method: "post", path: passkey, who: {} }].map(
        ({ name, method, path, who }) => {
          const began = performance.now();
          const headers = {
            ...who,
            "If-Match": '"1"',
            "Content-Type": "application/json",
            "Content-Length": "1000",
            "X-Forwarded-For": newAddress(),
          };
          return new Promise<{ name: string; status: number; afterMs: number }>((resolve) => {
            const sending = rawRequest(`${site.base}${path}`, { method: method.toUpperCase(), headers }, (answer) => {
              answer.resume();
              clearInterval(drip);
              resolve({ name, status: answer.statusCode ?? 0, afterMs: performance.now() - began });
            });
            const drip = setInterval(() => sending.write(" "), 1_000);
            sending.on("error", () => clearInterval(drip));
            sending.flushHeaders();
          });
        },
      ),
    );
  }

  async function someAdmin(email: string) {
    const signedIn = await site.signedIn(email);
    await site.sql`update roles set role = 'admin' where user_id = ${signedIn.user.id}`;
    return signedIn;
  }
  function newAddress() {
    addresses += 1;
    return `198.20.${addresses >> 8}.${addresses & 255}`;
  }
  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    fetch(site.base + path, { method, headers: { "X-Forwarded-For": newAddress(), ...headers } });
  const post = (path: string, body: unknown, headers: Record<string, string> = {}, method = "POST") =>
    fetch(`${site.base}/api/v1${path}`, {
      method,
      headers: { "X-Forwarded-For": newAddress(), "Content-Type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  async function keyOf(user: User, scopes = SCOPES): Promise<string> {
    const actor = { user_id: user.id, origin: { ip: "", user_agent: "" } };
    const made = await createApiKey(site.database.db, actor, { note: "A test", days: 1, scopes });
    assert.ok(made.ok);
    return made.key;
  }
  async function signIn(email: string, more: object = {}): Promise<Tokens> {
    const answer = await post("/session", { email, password: PASSWORD, ...more });
    assert.equal(answer.status, 200, await answer.clone().text());
    return answer.json();
  }
  const keyStatus = async (key: string) => (await get("/api/v1/admin/games", bearer(key))).status;
  const tokenStatus = async (token: string) => (await get("/api/v1/session", bearer(token))).status;

  describe("keys", () => {
    test("one is made on the admin's screen, told once, kept as a hash, written down, and ended there", async () => {
      const answer = await admin.at.post("/admin/settings/keys", { note: "Deploy", days: "5", scope: "admin:read" });
      const key = /spk_[\w-]{43}/.exec(answer.text)?.[0] ?? "";
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get("cache-control"), "private, no-store");
      assert.equal(await keyStatus(key), 200);
      assert.equal((await post("/admin/games", { game_name: "X", game_acronym: "X" }, bearer(key))).status, 403);
      const [row] = await site.sql`select * from api_keys where note = 'Deploy'`;
      assert.ok(row);
      assert.ok(!JSON.stringify(row).includes(key.slice(4)));
      const audit = () =>
        site.sql`select what, details from audit_events where subject_type = 'api-key' and subject_id = ${String(row.key_id)} order by event_id`;
      assert.ok(!JSON.stringify(await audit()).includes(key.slice(4)));
      const list = await admin.at.get("/admin/settings/keys");
      assert.match(list.text, /Deploy/);
      assert.doesNotMatch(list.text, new RegExp(key.slice(4)));
      await admin.at.post("/admin/settings/keys", { intent: "remove", key_id: String(row.key_id) });
      assert.equal(await keyStatus(key), 401);
      assert.deepEqual(
        (await audit()).map(({ what }) => what),
        ["api-key-made", "api-key-ended"],
      );
      for (const more of [{ note: "" }, { days: "0" }, { days: "366" }, { scope: "settings:write" }, { scope: "" }])
        assert.equal(
          (await admin.at.post("/admin/settings/keys", { note: "N", days: "5", scope: "admin:read", ...more })).status,
          422,
        );
    });

    test("whoever has not shown lately who they are makes none", async () => {
      const { at, user } = await someAdmin("stale@example.org");
      await site.sql`update sessions set created_at = now() - interval '16 minutes' where user_id = ${user.id}`;
      const answer = await at.post("/admin/settings/keys", { note: "N", days: "5", scope: "admin:read" });
      assert.match(answer.location ?? "", /\/user\/reauthenticate/);
      assert.equal((await site.sql`select 1 from api_keys where user_id = ${user.id}`).length, 0);
    });

    test("a key dies with role, ban and account, and does not come back with them", async () => {
      const { user } = await someAdmin("mighty@example.org");
      const fates = [
        [
          () => site.sql`update roles set role = 'moderator' where user_id = ${user.id}`,
          () => site.sql`update roles set role = 'admin' where user_id = ${user.id}`,
        ],
        [
          () => site.sql`update users set banned_until = 'infinity' where user_id = ${user.id}`,
          () => site.sql`update users set banned_until = null where user_id = ${user.id}`,
        ],
        [
          () => site.sql`update users set deactivated_at = now() where user_id = ${user.id}`,
          () => site.sql`update users set deactivated_at = null where user_id = ${user.id}`,
        ],
      ] as const;
      for (const [fall, rise] of fates) {
        const key = await keyOf(user);
        assert.equal(await keyStatus(key), 200);
        await fall();
        assert.equal(await keyStatus(key), 401);
        await rise();
        assert.equal(await keyStatus(key), 401);
      }
      const key = await keyOf(user);
      await site.sql`update api_keys set expires_at = now() where user_id = ${user.id}`;
      assert.equal(await keyStatus(key), 401);
    });

    test("a key may what it was made for and nothing else, and no member's token may any of it", async () => {
      const games = bearer(await keyOf(admin.user, ["games:write"]));
      for (const [method, path] of [
        ["GET", "/admin/games"],
        ["GET", `/admin/servers/${ids.hidden}`],
        ["DELETE", `/admin/servers/${ids.seen}?confirm=x`],
      ] as const)
        assert.equal((await get(`/api/v1${path}`, games, method)).status, 403, path);
      const server = { game_id: ids.game, server_name: "x", adapter: "heartbeat" };
      assert.equal((await post("/admin/servers", server, games)).status, 403);
      const { access_token } = await signIn("admin@example.org");
      assert.equal((await post("/admin/servers", server, bearer(access_token))).status, 403);
      assert.equal((await get("/api/v1/session", games)).status, 401);
      assert.equal((await site.sql`select 1 from gameserver where server_name = 'x'`).length, 0);
    });

    test("guessing ends, and a neighbour in the same IPv6 network goes on guessing nothing", async () => {
      const statuses: number[] = [];
      for (let guess = 0; guess < 22; guess += 1) {
        const ip = `2001:db8:1:2::${guess + 1}`;
        const key = `spk_${String(guess).padStart(43, "g")}`;
        statuses.push((await get("/api/v1/admin/games", { ...bearer(key), "X-Forwarded-For": ip })).status);
      }
      assert.deepEqual(statuses.slice(0, 20), Array(20).fill(401));
      assert.deepEqual(statuses.slice(20), [429, 429]);
    });

    test("a write is the admin's, and the audit log says by which key", async () => {
      const key = await keyOf(admin.user);
      const answer = await post("/admin/games", { game_name: "Written", game_acronym: "W" }, bearer(key));
      const { game_id } = await answer.json();
      const [row] =
        await site.sql`select actor_id, user_agent from audit_events where what = 'game-created' and subject_id = ${String(game_id)}`;
      assert.equal(row?.actor_id, admin.user.id);
      assert.match(row?.user_agent, /^API key \d+ \(A test\)/);
    });
  });

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

  describe("sessions of programs", () => {
    test("tokens are kept as hashes, are no cookies, stand among the member's sessions and in the export", async () => {
      const { at, user } = await site.signedIn("ada@example.org");
      const tokens = await signIn("ada@example.org", { program: "<b>Fleet</b> bot" });
      assert.equal(tokens.expires_in, 900);
      const rows = JSON.stringify(
        await site.sql`select * from program_sessions, sessions where program_sessions.user_id = ${user.id}`,
      );
      for (const token of [tokens.access_token, tokens.refresh_token]) assert.ok(!rows.includes(token.slice(4, 40)));
      for (const token of [tokens.access_token, tokens.access_token.slice(4), tokens.refresh_token]) {
        const page = await get("/user/settings/profile", { Cookie: `spawnpoint_session=${token}` });
        assert.doesNotMatch(await page.text(), /ada@example/);
      }
      assert.equal(
        await tokenStatus(decodeURIComponent(at.cookies.get("spawnpoint_session") ?? "").split(".")[0] ?? ""),
        401,
      );
      const devices = await at.get("/user/settings/security");
      assert.match(devices.text, /Program: &lt;b&gt;Fleet&lt;\/b&gt; bot/);
      const held = await at.post("/user/settings/data/export", {});
      const { tables } = JSON.parse(held.text);
      assert.equal(tables.program_sessions.length, 1);
      assert.equal(tables.program_sessions[0].access_token_hash, "(secret, not included)");
      assert.equal(
        (await post("/session", { email: "ada@example.org", password: PASSWORD, program: "a\u0007b" })).status,
        422,
      );
    });

    test("a refresh token is good once; whoever uses an old one ends the session", async () => {
      await site.member("rotating@example.org");
      const first = await signIn("rotating@example.org");
      const refresh = (refresh_token: string) => post("/session/refresh", { refresh_token });
      const second: Tokens = await (await refresh(first.refresh_token)).json();
      assert.equal(await tokenStatus(first.access_token), 401);
      assert.equal(await tokenStatus(second.access_token), 200);
      assert.equal((await refresh(first.refresh_token)).status, 401);
      assert.equal(await tokenStatus(second.access_token), 401);
      assert.equal((await refresh(second.refresh_token)).status, 401);
      const [audit] =
        await site.sql`select details from audit_events where what = 'session-ended' and actor_id = ${second.user.id}`;
      assert.deepEqual(audit?.details, { reason: "refresh token used again" });
      // Of two at the same moment at most one is answered, and the other shows that somebody else has it.
      const third = await signIn("rotating@example.org");
      const both = await Promise.all([refresh(third.refresh_token), refresh(third.refresh_token)]);
      assert.ok(both.some(({ status }) => status === 401));
      assert.equal((await site.sql`select 1 from sessions where user_id = ${third.user.id}`).length, 0);
    });

    test("a script that signs in at each run ends its own oldest sessions, and no browser's", async () => {
      const { at, user } = await site.signedIn("hourly@example.org");
      const first = await signIn("hourly@example.org");
      await site.sql`with made as (
        insert into sessions (user_id, token_hash, expires_at, last_used_at)
        select ${user.id}, 'run ' || n, now() + interval '1 day', now() + n * interval '1 minute' from generate_series(1, 19) as n
        returning session_id, token_hash)
        insert into program_sessions (session_id, user_id, program, access_token_hash, access_expires_at, refresh_family_hash, refresh_token_hash)
        select session_id, ${user.id}, 'cron', token_hash, now(), token_hash, token_hash from made`;
      assert.equal(await tokenStatus(first.access_token), 200);
      await site.sql`update sessions set last_used_at = now() - interval '1 hour' where session_id = (
        select session_id from program_sessions where user_id = ${user.id} and program <> 'cron')`;
      const last = await signIn("hourly@example.org");
      assert.equal(await tokenStatus(first.access_token), 401);
      assert.equal(await tokenStatus(last.access_token), 200);
      assert.equal((await site.sql`select 1 from program_sessions where user_id = ${user.id}`).length, 20);
      assert.ok(await site.isSignedIn(at));
    });

    test("sign-out, a new password, a ban, a new role and the end of an account end it and its stream", async () => {
      const ends: [string, (user: User, at: Browser, tokens: Tokens) => Promise<unknown>][] = [
        ["sign-out", (_user, _at, tokens) => get("/api/v1/session", bearer(tokens.access_token), "DELETE")],
        [
          "password",
          (_user, at) =>
            at.post("/user/settings/account", {
              intent: "password",
              current: PASSWORD,
              next: "a new lamp in the harbour",
            }),
        ],
        ["ban", (user) => admin.at.post(`/admin/people/${user.id}`, { intent: "ban", reason: "x", lasts: "1" })],
        ["role", (user) => admin.at.post(`/admin/people/${user.id}`, { intent: "role", role: "moderator" })],
        ["account", (user) => site.sql`delete from sessions where user_id = ${user.id}`],
      ];
      for (const [name, end] of ends) {
        const { at, user } = await site.signedIn(`${name}@example.org`);
        const tokens = await signIn(`${name}@example.org`);
        const stream = await get("/api/v1/live", bearer(tokens.access_token));
        const closed = (async () => {
          for await (const _ of stream.body ?? []);
        })();
        await end(user, at, tokens);
        const late = Symbol();
        assert.notEqual(await Promise.race([closed, pause(STREAM_END_MS, late)]), late, `${name}: the stream goes on`);
        assert.equal(await tokenStatus(tokens.access_token), 401, name);
        assert.equal((await post("/session/refresh", { refresh_token: tokens.refresh_token })).status, 401, name);
      }
    });

    test("the second factor is asked for, and a code is good once", async () => {
      const { at } = await site.signedIn("careful@example.org");
      const started = await at.post("/user/settings/security", { intent: "totp-start" });
      const uri = /name="uri" value="([^"]+)"/.exec(started.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
      const secret = new URL(uri).searchParams.get("secret") ?? "";
      const step = () => Math.floor(Date.now() / 30_000);
      const confirmed = await at.post("/user/settings/security", {
        intent: "totp-confirm",
        uri,
        codes: "",
        code: totp(secret, step() - 1),
      });
      assert.equal(confirmed.status, 200);
      const given = { email: "careful@example.org", password: PASSWORD };
      const without = await post("/session", given);
      assert.equal(without.status, 401);
      assert.equal((await without.json()).code, "second_factor_required");
      assert.equal((await (await post("/session", { ...given, code: "000000" })).json()).code, "second_factor_wrong");
      const code = totp(secret, step());
      assert.equal((await post("/session", { ...given, code })).status, 200);
      assert.equal((await post("/session", { ...given, code })).status, 401);
      assert.equal(
        (await site.sql`select 1 from program_sessions join users using (user_id) where email = 'careful@example.org'`)
          .length,
        1,
      );
    });

    test("a known and an unknown address are refused alike", async () => {
      await site.member("known@example.org");
      const refusals = await Promise.all(
        ["known@example.org", "unknown@example.org"].map(async (email) => {
          const startedAt = performance.now();
          const answer = await post("/session", { email, password: "not it" });
          return { status: answer.status, body: await answer.text(), ms: performance.now() - startedAt };
        }),
      );
      assert.equal(refusals[0]?.status, 401);
      assert.equal(refusals[0]?.body, refusals[1]?.body);
      for (const { ms } of refusals) assert.ok(ms >= 490, `${ms} ms`);
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

  test("a body that drips is given up after ten seconds, wherever one is taken", async () => {
    for (const { name, status, afterMs } of await drips) {
      assert.equal(status, 408, name);
      assert.ok(afterMs < 25_000, `${name} after ${afterMs} ms`);
    }
  });
});
