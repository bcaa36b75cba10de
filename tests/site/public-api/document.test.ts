/**
 * The OpenAPI document against the running site: every operation × every answer that it says, each of the shape that it
 * says, by a validator that knows nothing of ours; and nothing is served that it does not say.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { apiEndpoint } from "#web/api/endpoint.ts";
import { good, spoil } from "./documented-requests.ts";
import { api, ids, made, revisionOf, send, serverForm, site, startDocumentedSite } from "./documented-site.ts";

describe("the OpenAPI document", () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);

  before(async () => {
    await startDocumentedSite();
    ajv.addSchema({ $id: "api", ...api } as object);
  });
  after(() => site.stop());

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
    for (let wait = 0; wait < 2_400 && open.server_id !== id; wait += 1) {
      await pause(50);
      open = await (await send({ path: `/servers/${id}`, method: "get", headers: {} })).json();
    }
    assert.deepEqual({ server_locations: open.server_locations, mods: open.mods }, lists);
    const { at } = await site.signedInAdmin("form@example.org");
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
      password_access: "none",
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
    const read = { readFor: () => assert.fail("nothing is read"), keepsFor: () => false };
    const endpoint = apiEndpoint({} as never, { public: read, members: read }, {} as never, 0);
    const routes = endpoint.routes.map(({ path }) => path.replace(/:(\w+)/g, "{$1}")).filter((path) => path !== "/*");
    const elsewhere = ["/heartbeat", "/live"];
    assert.deepEqual([...new Set([...routes, ...elsewhere])].sort(), Object.keys(api.paths).sort());
    const mounted = (await readFile(new URL("../../../web/app.ts", import.meta.url), "utf8")).match(
      /"\/api\/v1[^"]*"/g,
    );
    assert.deepEqual([...new Set(mounted)].sort(), ['"/api/v1"', '"/api/v1/heartbeat"']);
  });

  test("a game server names its game by id, and its figures name it", async () => {
    const read = async (path: string) => (await send({ path, method: "get", headers: {} })).json();
    const server = await read(`/servers/${ids.server_id}`);
    assert.equal(server.game_id, ids.game_id);
    assert.equal((await read(`/games/${server.game_id}`)).game_slug, server.game_slug);
    assert.ok((await read("/servers")).data.every(({ game_id }: { game_id: unknown }) => Number.isInteger(game_id)));
    assert.equal((await read(`/servers/${ids.server_id}/metrics`)).server_name, server.server_name);
    const { data } = await read("/metrics");
    const names = data.map(({ server_name }: { server_name: string }) => server_name);
    assert.ok(names.includes(server.server_name) && names.every(Boolean));
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
      "/live?shows=nonsense",
      "/live?shows=site,,s1",
    ]) {
      const answer = await send({ path: path.replace("/1/", `/${ids.server_id}/`), method: "get", headers: {} });
      const body = await answer.json();
      assert.equal(answer.status, 400, path);
      assert.ok(body.errors.length > 0 && body.errors[0].detail, path);
    }
  });
});
