/** Epic's service against a pretend one: what it is sent, how often, and that none of its failures is a game server's. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { judge, type MeasuredState, NEVER_ASKED } from "#collector/judge.ts";
import type { EpicGame } from "#shared/adapters.ts";
import { EPIC_ACCESS, type EpicAsked, epicSession, startEpicService } from "#tests/protocols/epic-service.ts";
import { createEpic } from "./epic.ts";
import { epic as adapter } from "./game-query/http/epic.ts";

async function startEpic(context: TestContext, gapMs = 0) {
  const service = await startEpicService(context);
  const epic = createEpic(
    { ark_survival_ascended: EPIC_ACCESS, squad: EPIC_ACCESS },
    { origin: service.origin, gapMs },
  );
  const ask = (address: string, port: number, epicGame: EpicGame = "ark_survival_ascended", deadlineMs = 1500) =>
    adapter.query({ address, port, host: "ark.example", options: { epicGame }, deadlineMs, epic });
  const said = async (...asked: Parameters<typeof ask>) => {
    const result = await ask(...asked);
    return result.ok ? result.answer.players : result.failure;
  };
  return { service, said, ask };
}

const form = ({ body }: EpicAsked) => Object.fromEntries(new URLSearchParams(body));

test("a client's token opens the list, is held, and one question serves a whole machine", async (context) => {
  const { service, ask } = await startEpic(context);
  service.sessions.set("8.8.8.8", [
    null,
    "x",
    { attributes: [] },
    epicSession("8.8.8.8", 7777, { lastUpdated: "2026-11-22T20:00:00Z", totalPlayers: 50 }),
    epicSession("8.8.8.8", 7777),
    epicSession("8.8.8.8", 7778, { totalPlayers: "9", settings: { maxPublicPlayers: -1 } }),
  ]);
  const [first, second, none] = await Promise.all([ask("8.8.8.8", 7777), ask("8.8.8.8", 7778), ask("8.8.8.8", 7779)]);
  assert.deepEqual(first.ok && first.answer, {
    players: 3,
    bots: null,
    maxPlayers: 70,
    version: "58.12",
    name: "Midgard",
    map: "TheIsland_WP",
    passwordProtected: true,
  });
  assert.deepEqual(second.ok && [second.answer.players, second.answer.maxPlayers], [null, null]);
  assert.equal(!none.ok && none.failure, "no_reply", "the machine is listed, a server at this port is not");
  await ask("8.8.4.4", 7777);
  assert.deepEqual(
    service.asked.map(({ path }) => path),
    ["/auth/v1/oauth/token", ...Array(2).fill("/wildcard/matchmaking/v1/deployment-1/filter")],
  );
  const [token, list] = service.asked;
  assert.deepEqual(token && form(token), { grant_type: "client_credentials", deployment_id: "deployment-1" });
  assert.deepEqual(list && [list.authorization, list.body], [
    "Bearer token-1",
    '{"criteria":[{"key":"attributes.ADDRESS_s","op":"EQUAL","value":"8.8.8.8"}]}',
  ]);
});

test("Squad's list opens to a device, and a token that was taken back is asked for anew, once", async (context) => {
  const { service, said } = await startEpic(context);
  const attributes = { GAMESERVER_PORT_l: 7787, SERVERNAME_s: "Squad", GAMEVERSION_s: "v8", PASSWORD_b: false };
  service.sessions.set("8.8.8.8", [epicSession("8.8.8.8", 1, { attributes })]);
  service.sessions.set("8.8.4.4", [epicSession("8.8.4.4", 1, { attributes })]);
  assert.equal(await said("8.8.8.8", 7787, "squad"), 3);
  assert.deepEqual(
    service.asked.map(({ path }) => path),
    ["/auth/v1/accounts/deviceid", "/auth/v1/oauth/token", "/matchmaking/v1/deployment-1/filter"],
  );
  const [device, token] = service.asked;
  assert.deepEqual(device && form(device), { deviceModel: "PC" });
  assert.equal(token && form(token).external_auth_token, "token-1");
  service.revoke();
  assert.equal(await said("8.8.4.4", 7787, "squad"), 3);
  assert.equal(service.asked.length, 7, "the refused question, two tokens and the question again");
});

test("it is asked one question at a time, and no sooner than a gap after the last; nobody is forgotten", async (context) => {
  const { service, said } = await startEpic(context, 40);
  const addresses = Array.from({ length: 6 }, (_, place) => `8.8.8.${place}`);
  for (const address of addresses) service.sessions.set(address, [epicSession(address, 7777)]);
  assert.deepEqual(new Set(await Promise.all(addresses.map((address) => said(address, 7777)))), new Set([3]));
  const times = service.asked.map(({ at }) => at);
  assert.equal(times.length, 7);
  // What left with a gap may arrive a little later or sooner.
  assert.ok((times.at(-1) ?? 0) - (times[0] ?? 0) >= 6 * 40 - 30, `${times}`);
  assert.equal(service.mostAtOnce, 1);
});

test("where it says when it wants to be asked again, it is left alone until then", async (context) => {
  const { service, said } = await startEpic(context);
  let now = performance.now();
  context.mock.method(performance, "now", () => now);
  service.sessions.set("8.8.8.8", [epicSession("8.8.8.8", 7777)]);
  let busy = true;
  service.misbehave = (_, response) => busy && Boolean(response.writeHead(429, { "Retry-After": "90" }).end("{}"));
  assert.equal(await said("8.8.8.8", 7777), "publisher");
  busy = false;
  for (let times = 0; times < 20; times++) assert.equal(await said("8.8.8.8", 7777), "publisher");
  now += 89_000;
  assert.equal(await said("8.8.8.8", 7777), "publisher");
  assert.equal(service.asked.length, 1);
  now += 2_000;
  assert.equal(await said("8.8.8.8", 7777), 3);
});

test("whatever it says that is no list says nothing of a game server, and leads nowhere", async (context) => {
  const within = await startEpicService(context);
  const cases: ((path: string) => [status: number, body: string])[] = [
    () => [500, "{}"],
    () => [403, '{"sessions":[]}'],
    () => [200, "<html>"],
    () => [200, "null"],
    () => [200, `{"access_token":"a\\nb: c"}`],
    () => [200, `{"access_token":${"[".repeat(50)}`],
    (path) => [200, path.startsWith("/auth") ? '{"access_token":"t"}' : '{"sessions":{"length":0}}'],
    (path) => [200, path.startsWith("/auth") ? '{"access_token":"t"}' : `{"sessions":[],"x":"${"x".repeat(2 ** 21)}"}`],
    () => [307, within.origin],
  ];
  for (const [place, say] of cases.entries()) {
    const { service, said } = await startEpic(context);
    service.misbehave = ({ path }, response) => {
      const [status, body] = say(path);
      return Boolean(response.writeHead(status, status === 307 ? { Location: `${body}/auth/v1/x` } : {}).end(body));
    };
    assert.equal(await said("8.8.8.8", 7777), "publisher", `case ${place}`);
  }
  assert.equal(within.asked.length, 0, "a redirect is not followed");
  const { service, said } = await startEpic(context);
  service.misbehave = () => true;
  assert.equal(await said("8.8.8.8", 7777, "ark_survival_ascended", 100), "publisher", "it keeps silent");
  assert.equal(await said("2001:db8::1", 7777), "publisher", "it lists no address of IPv6");
  const off = await adapter.query({ address: "8.8.8.8", port: 1, host: "x", options: {}, deadlineMs: 100 });
  assert.equal(!off.ok && off.failure, "publisher", "it is not set up");
});

test("a list that is empty all of a sudden, for several machines, is rather Epic's fault", async (context) => {
  const { service, said } = await startEpic(context);
  // What is not fresh any more is asked anew.
  let now = performance.now();
  context.mock.method(performance, "now", () => now);
  const addresses = ["8.8.8.1", "8.8.8.2", "8.8.8.3"];
  const all = async () => {
    now += 30_000;
    return Promise.all(addresses.map((address) => said(address, 7777)));
  };
  for (const address of addresses) service.sessions.set(address, [epicSession(address, 7777)]);
  assert.deepEqual(await all(), [3, 3, 3]);
  service.sessions.delete("8.8.8.1");
  assert.deepEqual(await all(), ["no_reply", 3, 3], "one that is gone is down");
  service.sessions.clear();
  await all();
  assert.deepEqual(await all(), ["publisher", "publisher", "publisher"]);
  now += 600_000;
  assert.deepEqual(await all(), ["no_reply", "no_reply", "no_reply"], "for so long it is no hiccup");
});

test("a day without Epic calls nobody offline and writes nothing down, a day without a listing does", () => {
  const rules = { intervalMs: 30_000, trustRecord: false, evidenceFrom: 0 };
  const online = { ...NEVER_ASKED, status: "online" as const, lastAskedAt: 0, lastAnsweredAt: 0, userOnline: 3 };
  for (const [failure, ends] of [
    ["publisher", "online"],
    ["no_reply", "offline"],
  ] as const) {
    let state: MeasuredState = { ...online };
    let told = 0;
    for (let now = 30_000; now < 86_400_000; now += 30_000) {
      const verdict = judge(state, { ok: false, latencyMs: null, failure }, now, rules);
      state = { ...state, ...verdict.next };
      if (verdict.judged || verdict.event) told += 1;
    }
    assert.equal(state.status, ends);
    assert.equal(told > 0, failure === "no_reply");
  }
});

test("nothing but Epic's own address is ever asked, and nothing at all without the setting", () => {
  assert.equal(createEpic({}), undefined);
  for (const origin of ["https://epic.example", "http://10.0.0.1", "http://127.0.0.1.example"])
    assert.throws(() => createEpic({ squad: EPIC_ACCESS }, { origin }), RangeError);
});
