/** What the adapters over HTTP make of replies: those that the games' documents show, and those of strangers. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type HttpAnswer, type HttpAsked, listenOverHttp } from "#demo/protocols/http-server.ts";
import type { About, Adapter, Question } from "../adapter.ts";
import { hytale } from "./hytale.ts";
import { palworld } from "./palworld.ts";
import { readStatus, terraria } from "./terraria.ts";

const HOST = "127.0.0.1";

/** Asks somebody who says this; what was asked is told as well. */
async function askOf(
  context: TestContext,
  adapter: Adapter,
  answer: HttpAnswer,
  more: Partial<Question> & { encrypted?: boolean } = {},
) {
  const { encrypted = false, ...question } = more;
  const asked: HttpAsked[] = [];
  const server = await listenOverHttp({ encrypted }, (one) => {
    asked.push(one);
    return answer;
  });
  context.after(() => server.close());
  const place = { address: HOST, port: server.port, host: "play.example.org" };
  const result = await adapter.query({ ...place, options: {}, deadlineMs: 2000, ...question });
  return { result, asked };
}

const said = ({ result }: Awaited<ReturnType<typeof askOf>>) => {
  if (!result.ok) return result.failure;
  const { players, maxPlayers, version, name, map } = result.answer;
  return [players, maxPlayers, version, name, map];
};

/** Of any of them: JSON that is none of the game's. */
const STRANGE = [
  null,
  1,
  "x",
  [],
  {},
  [[]],
  { status: 200 },
  { data: null },
  { error: "no" },
  { Basic: [] },
  { status: "500" },
];

test("Terraria (TShock): its status is read, and nobody's name asked for", async (context) => {
  const status = {
    status: "200",
    name: "  The\u0007 Cavern §4",
    serverversion: "v1.4.4.9",
    tshockversion: "5.2.0.0",
    port: 7777,
    playercount: 3,
    maxplayers: 8,
    world: "Tiny Bunny\u202e Land",
    uptime: "1.02:03:04",
    serverpassword: true,
  };
  let about: About | null = null;
  const onAbout = (told: About) => {
    about = told;
  };
  const answered = await askOf(context, terraria, { status: 200, json: status }, { onAbout });
  assert.deepEqual(said(answered), [3, 8, "v1.4.4.9", "The Cavern", "Tiny Bunny Land"]);
  const locked = [true, false, "true", undefined].map((serverpassword) => readStatus({ ...status, serverpassword }));
  assert.deepEqual(
    locked.map((answer) => typeof answer === "object" && answer?.passwordProtected),
    [true, false, null, null],
  );
  assert.deepEqual(about, { game: "Terraria", steamAppId: null, gamePort: 7777, options: {} });
  assert.deepEqual(
    answered.asked.map(({ method, url }) => `${method} ${url.pathname}${url.search}`),
    ["GET /v2/server/status"],
  );
  for (const [json, expected] of [
    [{ ...status, playercount: "3" }, "malformed"],
    [{ ...status, playercount: -1 }, "malformed"],
    [{ ...status, status: "401" }, "unauthorized"],
    [{ ...status, status: "403" }, "unauthorized"],
    [{ ...status, maxplayers: 1e9, name: [], world: {}, serverversion: 5 }, [3, 100_000, null, null, null]],
  ] as const)
    assert.deepEqual(said(await askOf(context, terraria, { status: 200, json })), expected);
  for (const json of STRANGE)
    assert.equal(said(await askOf(context, terraria, { status: 200, json })), "malformed", JSON.stringify(json));
});

test("Hytale (Nitrado:Query): what strangers may read is read, whichever part it is, and no player", async (context) => {
  const basic = { Name: "Orbis", Version: "2026.01.10-ab2cd69ff", MaxPlayers: 100, CurrentPlayers: 4 };
  const players = [{ Name: "Secret Name", UUID: "e5c4ef9a-6281-406e-8a71-21028279f547", World: "default" }];
  const server = { Name: "Orbis", Version: "2026.01.10", Revision: "ab", MaxPlayers: 90 };
  const cases = [
    [{ Basic: basic }, [4, 100, "2026.01.10-ab2cd69ff", "Orbis", null]],
    [{ Server: server, Universe: { CurrentPlayers: 5, DefaultWorld: "zone" } }, [5, 90, "2026.01.10", "Orbis", "zone"]],
    [{ Server: server, Players: players }, [null, 90, "2026.01.10", "Orbis", null]],
    [{ Basic: { CurrentPlayers: "4", MaxPlayers: -5, Name: {} } }, [null, null, null, null, null]],
    [{ Players: players }, "malformed"],
  ] as const;
  for (const [json, expected] of cases) {
    assert.deepEqual(said(await askOf(context, hytale, { status: 200, json }, { encrypted: true })), expected);
    const open = await askOf(context, hytale, { status: 200, json }, { options: { withoutTls: true } });
    assert.deepEqual(said(open), expected);
    assert.equal(open.asked[0]?.headers.accept, "application/x.hytale.nitrado.query+json;version=1");
  }
  for (const json of STRANGE)
    assert.equal(said(await askOf(context, hytale, { status: 200, json }, { encrypted: true })), "malformed");
  assert.equal(said(await askOf(context, hytale, { status: 401 }, { encrypted: true })), "unauthorized");
});

test("Terraria (TShock): a token is shown where there is one, and only beside the path", async (context) => {
  const json = { status: "200", playercount: 1 };
  const secrets = { restToken: "A&B=C/../v2/server/off?confirm=true", adminPassword: "of another game" };
  const { asked } = await askOf(context, terraria, { status: 200, json }, { secrets });
  assert.deepEqual(
    [asked[0]?.url.pathname, [...(asked[0]?.url.searchParams ?? [])]],
    ["/v2/server/status", [["token", secrets.restToken]]],
  );
  assert.equal(asked[0]?.headers.authorization, undefined);
});

test("Palworld: its metrics alone are asked for, with the password, and nothing is made of other answers", async (context) => {
  // As the game's documents show it.
  const metrics = {
    serverfps: 57,
    currentplayernum: 10,
    serverframetime: 16.7671,
    maxplayernum: 32,
    uptime: 3600,
    days: 12,
  };
  const secrets = { adminPassword: "schlüssel:mit ☃ und :", restToken: "of another game" };
  const answered = await askOf(context, palworld, { status: 200, json: metrics }, { secrets });
  assert.deepEqual(said(answered), [10, 32, null, null, null]);
  assert.deepEqual(
    answered.asked.map(({ method, url, headers }) => [
      `${method} ${url.pathname}${url.search}`,
      Buffer.from(String(headers.authorization).slice("Basic ".length), "base64").toString(),
    ]),
    [["GET /v1/api/metrics", `admin:${secrets.adminPassword}`]],
  );
  const bare = await askOf(context, palworld, { status: 401 });
  assert.equal(said(bare), "unauthorized");
  assert.equal(bare.asked[0]?.headers.authorization, undefined);
  for (const json of [...STRANGE, { ...metrics, currentplayernum: "10" }, { ...metrics, maxplayernum: -1 }])
    assert.equal(said(await askOf(context, palworld, { status: 200, json }, { secrets })), "malformed");
});
