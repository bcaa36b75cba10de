/**
 * The OpenAPI document against the running site: every operation × every answer that it says, each of the shape that it
 * says, by a validator that knows nothing of ours; and nothing is served that it does not say.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile, utimes } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import sharp from "sharp";
import { seedFirstContent } from "#content/first-content.ts";
import { hashHeartbeatToken } from "#domain/game-servers/heartbeats.ts";
import { BANNER, makePicture, storeFiles } from "#domain/media/files.ts";
import { createApiKey, type KeyScope } from "#domain/sign-in/api-keys.ts";
import { createObjectStorage } from "#outside/object-storage.ts";
import type { ApiDocument, DescribedOperation } from "#web/api/document.ts";
import { apiEndpoint } from "#web/api/endpoint.ts";
import { type AccountSite, PASSWORD, startAccountSite } from "../helpers/account-site.ts";

type Sent = { path: string; method: string; headers: Record<string, string>; body?: string | Blob; ip?: string };

const SCOPES: KeyScope[] = ["admin:read", "games:write", "gameservers:write"];
const TOKEN = "a-heartbeat-token-of-its-own";
const WRONG_KEY = `spk_${"x".repeat(43)}`;

describe("the OpenAPI document", () => {
  let site: AccountSite;
  let api: ApiDocument;
  let addresses = 0;
  const ids = { server_id: 0, other_id: 0, game_id: 0, member: "" };
  const keys: Record<string, string> = {};
  const tokens: Record<string, string> = {};
  let picture = new Uint8Array();
  /** The name of a file that was uploaded a moment ago. */
  let fresh = "";
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);

  before(async () => {
    site = await startAccountSite();
    await seedFirstContent(site.database.db);
    await site.sql`update gameserver set visibility = 'public', host = 'play.example.org', heartbeat_token_hash = ${hashHeartbeatToken(TOKEN)} where server_name = 'Valheim Vanilla'`;
    await site.sql`update gameserver set visibility = 'public' where server_name = 'Minecraft Anarchy'`;
    const [server] = await site.sql<{ server_id: number; game_id: number }[]>`
      select server_id, game_id from gameserver where server_name = 'Valheim Vanilla'`;
    Object.assign(ids, server);
    const [other] = await site.sql<{ server_id: number }[]>`
      select server_id from gameserver where server_name = 'Minecraft Anarchy'`;
    ids.other_id = other?.server_id ?? 0;
    const admin = await site.member("admin@example.org");
    await site.sql`update roles set role = 'admin' where user_id = ${admin.id}`;
    const actor = { user_id: admin.id, origin: { ip: "", user_agent: "" } };
    for (const [name, scopes] of [
      ["all", SCOPES],
      ["read", ["admin:read"]],
      ["games", ["games:write"]],
      ["spent", SCOPES],
    ] as const) {
      const made = await createApiKey(site.database.db, actor, { note: name, days: 1, scopes: [...scopes] });
      assert.ok(made.ok);
      keys[name] = made.key;
    }
    ids.member = (await site.member("ada@example.org")).id;
    const banned = await site.member("banned@example.org");
    await site.sql`update users set banned_until = 'infinity' where user_id = ${banned.id}`;
    for (const name of ["one", "spent", "out"]) tokens[name] = (await signedIn("ada@example.org")).access_token;
    const answer = await fetch(`${site.base}/api/v1/openapi.json`);
    api = (await answer.json()) as ApiDocument;
    ajv.addSchema({ $id: "api", ...api } as object);
    picture = Uint8Array.from(
      await sharp({ create: { width: 800, height: 500, channels: 3, background: "#336699" } })
        .png()
        .toBuffer(),
    );
    fresh = `${await storePicture(0)}-345.avif`;
    await spendBudgets();
  });
  after(() => site.stop());

  const json = { "Content-Type": "application/json" };
  function newAddress() {
    addresses += 1;
    return `198.19.${addresses >> 8}.${addresses & 255}`;
  }

  async function signedIn(email: string): Promise<{ access_token: string; refresh_token: string }> {
    const answer = await send({
      path: "/session",
      method: "post",
      headers: json,
      body: JSON.stringify({ email, password: PASSWORD, program: "A test" }),
    });
    assert.equal(answer.status, 200, await answer.clone().text());
    return answer.json();
  }
  function send({ path, method, headers, body, ip }: Sent): Promise<Response> {
    return fetch(`${site.base}/api/v1${path}`, {
      method: method.toUpperCase(),
      headers: { "X-Forwarded-For": ip ?? newAddress(), "User-Agent": "test program", ...headers },
      ...(body === undefined ? {} : { body }),
    });
  }

  /** Other processes have counted these callers' calls: what this one hears once it has counted ten of its own. */
  async function spendBudgets() {
    const [key] = await site.sql<{ key_id: number }[]>`select key_id from api_keys where note = 'spent'`;
    for (const [name, of, points] of [
      ["api-known", `key ${key?.key_id}`, 600],
      ["api-known", `member ${(await site.member("spent@example.org")).id}`, 600],
      ["api-address", "203.0.113.99", 300],
    ] as const) {
      const hashed = createHash("sha256").update(of).digest("base64url").slice(0, 22);
      await site.sql`insert into rate_limits (limit_key, points, expires_at) values (${`${name}:${hashed}`}, ${points}, now() + interval '1 hour')`;
    }
    tokens.spent = (await signedIn("spent@example.org")).access_token;
    const few = Array.from({ length: 12 }, (_, n) => n);
    for (const headers of [{ Authorization: `Bearer ${keys.spent}` }, { Authorization: `Bearer ${tokens.spent}` }, {}])
      for (const _ of few)
        await send({ path: "/site", method: "get", headers: headers as Record<string, string>, ip: "203.0.113.99" });
    for (let wait = 0; wait < 50; wait += 1) {
      await pause(100);
      const statuses = await Promise.all(
        [{ Authorization: `Bearer ${keys.spent}` }, { Authorization: `Bearer ${tokens.spent}` }, {}].map(
          async (headers) =>
            (
              await send({
                path: "/site",
                method: "get",
                headers: headers as Record<string, string>,
                ip: "203.0.113.99",
              })
            ).status,
        ),
      );
      if (statuses.every((status) => status === 429)) return;
    }
    assert.fail("the budgets of other processes do not count here");
  }

  const serverForm = (more: object = {}) => ({
    game_id: ids.game_id,
    server_name: "Made by a program",
    adapter: "tcp",
    host: "play.example.org",
    game_port: 25_565,
    ...more,
  });
  async function revisionOf(path: string) {
    const answer = await send({ path, method: "get", headers: { Authorization: `Bearer ${keys.all}` } });
    return { etag: answer.headers.get("etag") ?? "", ...(await answer.json()) };
  }
  async function made(path: string, body: object): Promise<{ id: number; name: string }> {
    const headers = { ...json, Authorization: `Bearer ${keys.all}` };
    const answer = await send({ path, method: "post", headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 201, await answer.clone().text());
    const { server_id, game_id, record } = await answer.json();
    return { id: server_id ?? game_id, name: record.server_name ?? record.game_name };
  }

  async function makeToken(path: string): Promise<void> {
    const answer = await send({ path, method: "post", headers: { Authorization: `Bearer ${keys.all}` } });
    assert.equal(answer.status, 201, await answer.clone().text());
  }
  /** Stores one that nothing shows, so many ms ago. Answers with its id. */
  async function storePicture(agoMs: number): Promise<string> {
    const made = await makePicture(() => sharp(picture), BANNER);
    assert.ok(made && (await storeFiles(createObjectStorage({ dataDir: site.dataDir }), made.files, assert.fail)));
    const at = new Date(Date.now() - agoMs);
    for (const { key } of made.files) await utimes(path.join(site.dataDir, "buckets/media", key), at, at);
    return made.picture.id;
  }

  /** A request that goes well, for each operation by name. */
  async function good(name: string, method: string, path: string): Promise<Sent> {
    const sent: Sent = {
      method,
      path: path.replace("{server_id}", String(ids.server_id)).replace("{game_id}", String(ids.game_id)),
      headers: {},
    };
    const operation = api.paths[path]?.[method];
    if (operation?.security.some((one) => "key" in one)) sent.headers.Authorization = `Bearer ${keys.all}`;
    else if (operation?.security.some((one) => "session" in one) && operation.security.length === 1)
      sent.headers.Authorization = `Bearer ${name === "signOut" ? tokens.out : tokens.one}`;
    if (operation?.requestBody && "application/json" in operation.requestBody.content)
      Object.assign(sent.headers, json);
    sent.path = sent.path
      .replace("{bucket}", name === "uploadFile" ? "avatars" : "media")
      .replace("{path}", `${ids.member}.webp`);
    if (["updateAvatar", "uploadFile", "updatePicture"].includes(name)) sent.body = new Blob([picture]);
    if (name === "updateGuide") {
      const { etag, guide } = await revisionOf(sent.path);
      sent.headers["If-Match"] = etag;
      const title_en = `Sail ${Math.random()}`;
      sent.body = JSON.stringify({
        ...guide,
        boxes: [{ title_en, title_de: "", text_en: "", text_de: "", links: [] }],
      });
    }
    if (name === "updateGameOrder" || name === "updateServerOrder")
      sent.body = JSON.stringify({ ids: (await revisionOf(sent.path)).ids });
    // Another game server's than that of the heartbeats.
    if (name.endsWith("HeartbeatToken")) sent.path = sent.path.replace(/\d+/, String(ids.other_id));
    if (name === "removeHeartbeatToken") await makeToken(sent.path);
    if (name === "deleteMedia") sent.path = sent.path.replace("{media_id}", await storePicture(2 * 3_600_000));
    if (name === "listFiles") sent.body = "{}";
    if (name === "removeFiles") sent.body = JSON.stringify({ prefixes: ["none-of-this-name.webp"] });
    if (name === "sendContact")
      sent.body = JSON.stringify({ name: "Ada", email: "ada@example.org", message: "Is it up?" });
    if (name === "updateProfile") sent.body = JSON.stringify({ user_nick_name: "Ada of the API", locale: "de" });
    if (name === "signUp") {
      await site.sql`delete from site_settings where setting_key = 'registration'`;
      sent.body = JSON.stringify({ email: `new${Math.random()}@example.org`, password: PASSWORD });
    }
    if (name === "signIn") sent.body = JSON.stringify({ email: "ada@example.org", password: PASSWORD });
    if (name === "refreshSession")
      sent.body = JSON.stringify({ refresh_token: (await signedIn("ada@example.org")).refresh_token });
    if (name === "createGame") sent.body = JSON.stringify({ game_name: "Luanti", game_acronym: "LUA" });
    if (name === "createServer") sent.body = JSON.stringify(serverForm());
    if (name === "updateGame" || name === "updateServer") {
      const { etag, record } = await revisionOf(sent.path);
      sent.headers["If-Match"] = etag;
      sent.body = JSON.stringify(
        name === "updateGame"
          ? { ...record, tagline_en: `Sail ${Math.random()}` }
          : { ...record, version: `${Math.random()}` },
      );
    }
    if (name === "deleteServer") {
      const server = await made("/admin/servers", serverForm());
      sent.path = `/admin/servers/${server.id}?confirm=${encodeURIComponent(server.name)}`;
    }
    if (name === "deleteGame") {
      // Each answer is asked for with a game of its own, and no two may have one name.
      const game = await made("/admin/games", { game_name: `Short-lived ${Math.random()}`, game_acronym: "SL" });
      sent.path = `/admin/games/${game.id}?confirm=${encodeURIComponent(game.name)}`;
    }
    if (name === "sendHeartbeat") {
      sent.headers.Authorization = `Bearer ${TOKEN}`;
      sent.body = JSON.stringify({ players: 3, max_players: 20, version: "1.0" });
    }
    return sent;
  }

  /** The same request, spoilt so that it has to be answered with this status. */
  async function spoil(sent: Sent, status: string, name: string, operation: DescribedOperation): Promise<Sent> {
    const bearer = (token: string | undefined) => ({
      ...sent,
      headers: { ...sent.headers, Authorization: `Bearer ${token}` },
    });
    if (status === "304")
      return { ...sent, headers: { ...sent.headers, "If-None-Match": (await send(sent)).headers.get("etag") ?? "" } };
    if (status === "400")
      return operation.requestBody
        ? { ...sent, body: name === "sendHeartbeat" ? '{"players":"3"}' : "{" }
        : { ...sent, path: `${sent.path}${sent.path.includes("?") ? "&" : "?"}nonsense=1` };
    if (status === "401" && name === "signIn")
      return { ...sent, body: JSON.stringify({ email: "ada@example.org", password: "wrong" }) };
    if (status === "401" && name === "refreshSession")
      return { ...sent, body: JSON.stringify({ refresh_token: `spr_${"x".repeat(43)}.${"x".repeat(43)}` }) };
    if (status === "401") return bearer(WRONG_KEY);
    if (status === "403" && name === "signUp")
      await site.sql`insert into site_settings (setting_key, setting_value) values ('registration', '"closed"')`;
    if (status === "403" && name === "signUp") return sent;
    if (status === "403" && name === "uploadFile")
      return { ...sent, path: sent.path.replace(ids.member, "00000000-0000-4000-8000-000000000000") };
    if (status === "403" && name === "removeFiles") return bearer(keys.read);
    if (status === "403" && name === "signIn")
      return { ...sent, body: JSON.stringify({ email: "banned@example.org", password: PASSWORD }) };
    if (status === "403" && /Guide$|Picture$|^updateGameOrder|deleteMedia/.test(name) && !name.startsWith("read"))
      return bearer(keys.read);
    if (status === "403")
      return bearer(/Servers?$/.test(name) ? keys.games : name.endsWith("Game") ? keys.read : keys.games);
    if ((status === "404" && name.endsWith("File")) || (name.endsWith("Files") && status === "404"))
      return { ...sent, path: sent.path.replace(/media|avatars/, "elsewhere") };
    if (status === "404" && name === "deleteMedia") return { ...sent, path: sent.path.replace(/\w+$/, "0".repeat(32)) };
    if (status === "409" && name === "deleteMedia")
      return { ...sent, path: sent.path.replace(/\w+$/, fresh.slice(0, 32)) };
    if (status === "409" && name.endsWith("Order")) return { ...sent, body: JSON.stringify({ ids: [1] }) };
    if (status === "409" && name === "removeFiles") return { ...sent, body: JSON.stringify({ prefixes: [fresh] }) };
    if (sent.body instanceof Blob && status === "413")
      return { ...sent, body: new Blob([new Uint8Array(6 * 2 ** 20)]) };
    if (sent.body instanceof Blob && status === "422") return { ...sent, body: new Blob(["no picture"]) };
    if (status === "404") return { ...sent, path: sent.path.replace(/\d+/, "999999") };
    if (status === "409") return { ...sent, path: sent.path.replace(/confirm=.*/, "confirm=Another") };
    if (status === "412") return { ...sent, headers: { ...sent.headers, "If-Match": '"1"' } };
    if (status === "413") return { ...sent, body: JSON.stringify({ note: "x".repeat(200_000) }) };
    if (status === "415") return { ...sent, headers: { ...sent.headers, "Content-Type": "text/plain" } };
    if (status === "422") return { ...sent, body: JSON.stringify({ nonsense: 1, limit: "many" }) };
    if (status === "428")
      return {
        ...sent,
        headers: Object.fromEntries(Object.entries(sent.headers).filter(([key]) => key !== "If-Match")),
      };
    if (status === "429") return tooOften(sent, name, operation);
    return sent;
  }

  async function tooOften(sent: Sent, name: string, operation: DescribedOperation): Promise<Sent> {
    const limits: Record<string, [key: string, of: string, points: number]> = {
      sendHeartbeat: ["heartbeat:account", TOKEN, 30],
      signIn: ["sign-in:account", "limited@example.org", 10],
      refreshSession: ["refresh:address", "203.0.113.98", 120],
      sendContact: ["contact:address", "203.0.113.98", 1_000],
      signUp: ["sign-up:address", "203.0.113.98", 1_000],
    };
    const limit = limits[name];
    if (limit) {
      const [key, of, points] = limit;
      const hashed = createHash("sha256").update(String(of)).digest("base64url").slice(0, 22);
      await site.sql`insert into rate_limits (limit_key, points, expires_at) values (${`${key}:${hashed}`}, ${Number(points)}, now() + interval '1 hour')
        on conflict (limit_key) do update set points = excluded.points, expires_at = excluded.expires_at`;
      const body = name === "signIn" ? JSON.stringify({ email: "limited@example.org", password: PASSWORD }) : sent.body;
      return { ...sent, ...(body === undefined ? {} : { body }), ip: "203.0.113.98" };
    }
    if (operation.security.some((one) => "key" in one))
      return { ...sent, headers: { ...sent.headers, Authorization: `Bearer ${keys.spent}` } };
    if (operation.security.length === 1)
      return { ...sent, headers: { ...sent.headers, Authorization: `Bearer ${tokens.spent}` } };
    return { ...sent, ip: "203.0.113.99" };
  }

  function holdsTo(schema: object, value: unknown, loud: string) {
    const reference = (schema as { $ref?: string }).$ref ?? "";
    const validate = ajv.compile({ $ref: `api${reference}` });
    assert.ok(validate(value), `${loud}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value).slice(0, 600)}`);
  }

  test("it is valid OpenAPI 3.1", async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(api) as never);
    assert.ok(valid, `${JSON.stringify(errors)}`.slice(0, 2000));
    assert.match(api.openapi, /^3\.1\./);
  });

  test("every operation gives every answer that it says, each of the shape that it says", async (t) => {
    const ids: string[] = [];
    let answers = 0;
    for (const [path, methods] of Object.entries(api.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const { operationId: name } = operation;
        ids.push(name);
        for (const [status, said] of Object.entries(operation.responses)) {
          // That the database is away is tried in web/server.test.ts and in the fault tests.
          if (status === "5XX") continue;
          const loud = `${method.toUpperCase()} ${path} → ${status}`;
          const answer = await send(await spoil(await good(name, method, path), status, name, operation));
          if (path === "/live" && answer.status === 200) await answer.body?.cancel();
          const text = path === "/live" && answer.status === 200 ? "" : await answer.text();
          assert.equal(String(answer.status), status, `${loud}: ${answer.status} ${text.slice(0, 400)}`);
          answers += 1;
          const [type, content] = Object.entries(said.content ?? {})[0] ?? [];
          assert.equal(answer.headers.get("content-type")?.split(";")[0] ?? undefined, type, loud);
          if (content && type !== "text/event-stream") holdsTo(content.schema, JSON.parse(text), loud);
          if (!content) assert.equal(text, "", loud);
          if (content && type === "application/problem+json")
            assert.equal(JSON.parse(text).status, answer.status, loud);
          for (const header of Object.keys(said.headers ?? {}))
            assert.ok(answer.headers.has(header), `${loud}: no ${header}`);
          if (status === "429") assert.ok(Number(answer.headers.get("retry-after")) > 0, loud);
          if (status === "401") assert.ok(answer.headers.has("www-authenticate"), loud);
        }
      }
    }
    assert.equal(new Set(ids).size, ids.length);
    t.diagnostic(`${ids.length} operations, ${answers} answers`);
  });

  test("an entry of a list may hold a comma: for readers, for programs, and after a save of the admin's form", async () => {
    const lists = {
      server_locations: ["Frankfurt, Germany", "Finland"],
      mods: ["Create, Deployed", '"Best" Mod', "JEI"],
    };
    const { id } = await made("/admin/servers", serverForm({ ...lists, visibility: "public", server_name: "Commas" }));
    const told = async () => {
      const { record } = await revisionOf(`/admin/servers/${id}`);
      return { server_locations: record.server_locations, mods: record.mods };
    };
    assert.deepEqual(await told(), lists);
    let open: Record<string, unknown> = {};
    for (let wait = 0; wait < 60 && open.server_id !== id; wait += 1) {
      await pause(50);
      open = await (await send({ path: `/servers/${id}`, method: "get", headers: {} })).json();
    }
    assert.deepEqual({ server_locations: open.server_locations, mods: open.mods }, lists);
    const { at, user } = await site.signedIn("form@example.org");
    await site.sql`update roles set role = 'admin' where user_id = ${user.id}`;
    const page = (await at.get(`/admin/gameservers/${id}/edit`)).text;
    const plain = (html = "") => html.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
    const input = (name: string) =>
      plain(new RegExp(`<input[^>]* name="${name}"[^>]*? value="([^"]*)"`).exec(page)?.[1]);
    const locations = input("server_locations");
    const mods = plain(/<textarea[^>]* name="mods"[^>]*>([^<]*)</.exec(page)?.[1]).trimStart();
    assert.equal(locations, '"Frankfurt, Germany", Finland');
    const saved = await at.post(`/admin/gameservers/${id}/edit`, {
      game_id: String(ids.game_id),
      server_name: "Commas, saved",
      visibility: "public",
      lifecycle: "active",
      adapter: "tcp",
      revision: input("revision"),
      server_locations: locations,
      mods: mods.replaceAll("\n", "\r\n"),
    });
    assert.equal(saved.status, 200);
    assert.match(saved.text, /Game server updated successfully!/);
    assert.deepEqual(await told(), lists);
  });

  test("the stream's events have the shapes that it says", async () => {
    const stream = await send({ path: "/live", method: "get", headers: {} });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (reader && !/event: snapshot[\s\S]*?\n\n/.test(text)) text += (await reader.read()).value ?? "";
    await reader?.cancel();
    const snapshot = JSON.parse(/event: snapshot\n(?:id: .*\n)?data: (.*)\n/.exec(text)?.[1] ?? "null");
    holdsTo({ $ref: "#/components/schemas/LiveSnapshot" }, snapshot, "snapshot");
    assert.equal(stream.headers.get("access-control-allow-origin"), "*");
  });

  test("everything that is served below /api/v1 is in it", async () => {
    const read = { readFor: () => assert.fail("nothing is read") };
    const endpoint = apiEndpoint({} as never, { public: read, members: read }, {} as never, 0);
    const routes = endpoint.routes.map(({ path }) => path.replace(/:(\w+)/g, "{$1}")).filter((path) => path !== "/*");
    const elsewhere = ["/heartbeat", "/live"];
    assert.deepEqual([...new Set([...routes, ...elsewhere])].sort(), Object.keys(api.paths).sort());
    const mounted = (await readFile(new URL("../../web/app.ts", import.meta.url), "utf8")).match(/"\/api\/v1[^"]*"/g);
    assert.deepEqual([...new Set(mounted)].sort(), ['"/api/v1"', '"/api/v1/heartbeat"']);
  });

  test("reading has no answer for a query that it does not know", async () => {
    for (const path of [
      "/games?page=0",
      "/games?page=1e1",
      "/games?page=01",
      "/games?per_page=101",
      "/games?page=1&page=2",
      "/servers?status=up",
      "/servers?game=",
      "/servers/1/history?range=2y",
      "/metrics?limit=5",
      "/site?page=1",
      "/live?from=1",
    ]) {
      const answer = await send({ path: path.replace("/1/", `/${ids.server_id}/`), method: "get", headers: {} });
      const body = await answer.json();
      assert.equal(answer.status, 400, path);
      assert.ok(body.errors.length > 0 && body.errors[0].detail, path);
    }
  });
});
