/** What is made of a Satisfactory server's lightweight query, hostile packets first, and of its HTTPS interface. */
import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import { type HttpAnswer, type HttpAsked, listenOverHttp } from "#demo/protocols/http-server.ts";
import { readPeople, readState, satisfactory } from "./satisfactory.ts";

const HOST = "127.0.0.1";
const COOKIE = Buffer.from("0102030405060708", "hex");

/** A state as the game's documents lay it out: playing, build 366202, four parts of the state, its name. */
const golden = (name = Buffer.from("My Factory"), cookie = COOKIE) =>
  Buffer.concat([
    Buffer.from("d5f60101", "hex"),
    cookie,
    Buffer.from("037a9605000000000000000000", "hex"),
    Buffer.from("04001100010100030500020100", "hex"),
    Buffer.from([name.length & 255, name.length >> 8]),
    name,
    Buffer.from([1]),
  ]);

test("a state is read as it is documented, its name cleaned", () => {
  const reading = readState(golden(Buffer.from("  M\u0000y \u202eFactory ")), COOKIE);
  assert.ok(typeof reading === "object" && "name" in reading);
  const { name, version, players, maxPlayers, map } = reading;
  assert.deepEqual([name, version, players, maxPlayers, map], ["My Factory", "366202", null, null, null]);
  const unnamed = readState(golden(Buffer.alloc(0)), COOKIE);
  assert.ok(typeof unnamed === "object" && "name" in unnamed && unnamed.name === null);
});

test("what is cut, lies about its lengths, or is somebody's guess is no state", () => {
  const whole = golden();
  for (let length = 0; length < whole.length; length += 1)
    assert.equal(readState(whole.subarray(0, length), COOKIE), "malformed", String(length));
  const changed = (at: number, byte: number) => {
    const packet = Buffer.from(whole);
    packet[at] = byte;
    return readState(packet, COOKIE);
  };
  for (const [at, byte] of [
    [0, 0],
    [1, 0],
    [2, 0],
    [12, 0],
    [12, 9],
    [25, 255],
    [25, 3],
    [38, 255],
    [39, 255],
    [whole.length - 1, 0],
  ] as const)
    assert.equal(changed(at, byte), "malformed", `${at}: ${byte}`);
  assert.equal(readState(Buffer.concat([whole, Buffer.from([1])]), COOKIE), "malformed");
  assert.equal(readState(golden(undefined, Buffer.alloc(8, 9)), COOKIE), "more");
  for (let count = 0; count < 20_000; count += 1) {
    const packet = Buffer.from(whole);
    for (let hit = 0; hit < 3; hit += 1) packet[Math.floor(Math.random() * packet.length)] = Math.random() * 256;
    const reading = readState(packet.subarray(0, 1 + Math.random() * packet.length), COOKIE);
    assert.ok(reading === "malformed" || reading === "more" || "players" in reading);
  }
});

test("of people only numbers are taken", () => {
  const state = (serverGameState: unknown) => ({ data: { serverGameState } });
  assert.deepEqual(readPeople(state({ numConnectedPlayers: 3, playerLimit: 4 })), { players: 3, maxPlayers: 4 });
  const unknown = { players: null, maxPlayers: null };
  for (const body of [null, [], {}, { data: [] }, state(null), state({ numConnectedPlayers: "3", playerLimit: -4 })])
    assert.deepEqual(readPeople(body), unknown);
});

/** A game server whose interface answers so. */
async function startGame(context: TestContext, answer: (asked: HttpAsked) => HttpAnswer) {
  const asked: HttpAsked[] = [];
  const api = await listenOverHttp({ encrypted: true }, (one) => {
    asked.push(one);
    return answer(one);
  });
  const socket = createSocket("udp4").bind(api.port, HOST);
  await once(socket, "listening");
  socket.on("message", (poll, from) => socket.send(golden(undefined, poll.subarray(4, 12)), from.port, from.address));
  context.after(() => {
    socket.close();
    return api.close();
  });
  const ask = (token?: string) =>
    satisfactory.query({
      address: HOST,
      port: api.port,
      host: "factory.example.org",
      options: {},
      ...(token !== undefined && { secrets: { applicationToken: token } }),
      deadlineMs: 1500,
    });
  return { asked, ask };
}

test("people are asked for with the token alone, and whatever comes of it the game server is up", async (context) => {
  const good = { status: 200, json: { data: { serverGameState: { numConnectedPlayers: 2, playerLimit: 4 } } } };
  const game = await startGame(context, ({ headers }) =>
    headers.authorization === "Bearer ewoJ.4F2A" ? good : { status: 401, json: { errorCode: "insufficient_scope" } },
  );
  const heard = async (token?: string) => {
    const result = await game.ask(token);
    assert.ok(result.ok, JSON.stringify(result));
    return [result.answer.players, result.answer.maxPlayers, result.answer.name];
  };
  assert.deepEqual(await heard(), [null, null, "My Factory"]);
  assert.equal(game.asked.length, 0);
  assert.deepEqual(await heard("ewoJ.4F2A"), [2, 4, "My Factory"]);
  assert.deepEqual(
    game.asked.map(({ method, url, body, headers }) => [method, url.pathname, body, headers.host?.split(":")[0]]),
    [["POST", "/api/v1", { function: "QueryServerState", data: {} }, "factory.example.org"]],
  );
  assert.deepEqual(await heard("another"), [null, null, "My Factory"]);
  assert.deepEqual(await heard("with a\r\nline"), [null, null, "My Factory"]);
  assert.equal(game.asked.length, 2);
  const strange = await startGame(context, () => ({ status: 200, json: [] }));
  const result = await strange.ask("ewoJ.4F2A");
  assert.ok(result.ok && result.answer.players === null);
});
