/** Pretend game servers outlive what strangers send them, and close when told. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { queryA2s } from "#outside/game-query/a2s-query.ts";
import { queryMinecraft } from "#outside/game-query/minecraft.ts";
import { checkTcp } from "#outside/game-query/tcp.ts";
import { type A2sInfo, startA2sServer } from "./a2s-server.ts";
import { startMinecraftServer } from "./minecraft-server.ts";
import { startTcpGreetingServer } from "./tcp-greeting-server.ts";

const address = "127.0.0.1";
const valheim: A2sInfo = {
  name: "Midgard",
  map: "Midgard",
  folder: "valheim",
  game: "Valheim",
  players: 4,
  maxPlayers: 10,
  version: "1.0.0.0",
};

/** Sends bytes over TCP, and waits until the server has hung up or `waitMs` have passed. Gives what came back. */
async function say(port: number, bytes: Buffer, waitMs = 300): Promise<Buffer> {
  const heard: Buffer[] = [];
  const socket = connect(port, address);
  socket.on("error", () => {});
  socket.on("data", (data: Buffer) => heard.push(data));
  socket.write(bytes);
  await Promise.race([
    new Promise((resolve) => socket.once("close", resolve)),
    new Promise((resolve) => setTimeout(resolve, waitMs)),
  ]);
  socket.destroy();
  return Buffer.concat(heard);
}

test("A2S: garbage is not answered, and the server goes on", async (context) => {
  const server = await startA2sServer({ info: () => valheim });
  context.after(() => server.close());
  const stranger = createSocket("udp4");
  stranger.connectSync(server.port, address);
  let answers = 0;
  stranger.on("message", () => answers++);
  for (let length = 0; length < 300; length++) stranger.send(randomBytes(length));
  for (const head of [
    "\xff\xff\xff\xff",
    "\xff\xff\xff\xffT",
    "\xff\xff\xff\xffTSource Engine",
    "\xff\xff\xff\xffU\0",
    "\xff\xff\xff\xffi\0\0\0\0\0",
  ]) {
    stranger.send(Buffer.from(head, "latin1"));
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  stranger.close();
  assert.equal(answers, 0);
  assert.ok((await queryA2s({ address, port: server.port })).ok);
});

test("A2S: nothing but a challenge, no longer than the question, goes to who has not shown one", async (context) => {
  const server = await startA2sServer({ info: () => valheim, playerNames: () => ["Freyja"] });
  context.after(() => server.close());
  for (const question of ["TSource Engine Query\0", "U\xff\xff\xff\xff", "V\xff\xff\xff\xff", "U1234"]) {
    const stranger = createSocket("udp4");
    stranger.connectSync(server.port, address);
    stranger.send(Buffer.from(`\xff\xff\xff\xff${question}`, "latin1"));
    const [answer] = (await once(stranger, "message")) as [Buffer];
    stranger.close();
    assert.equal(answer.length, 9);
    assert.equal(answer[4], 0x41);
  }
});

test("A2S: figures are asked for each query, a challenge can be left out, a taken port rejects", async (context) => {
  let players = 1;
  const server = await startA2sServer({ info: () => ({ ...valheim, players: players++ }), challenge: false });
  context.after(() => server.close());
  const counts = [0];
  for (let turn = 0; turn < 3; turn++) {
    const result = await queryA2s({ address, port: server.port });
    assert.ok(result.ok && (result.answer.players ?? 0) > (counts.at(-1) ?? 0), `${counts}`);
    counts.push(result.answer.players ?? 0);
  }
  await assert.rejects(startA2sServer({ port: server.port, info: () => valheim }), { code: "EADDRINUSE" });
  await server.close();
  const again = await startA2sServer({ port: server.port, info: () => valheim });
  context.after(() => again.close());
});

test("A2S: a list too long for one packet comes in several", async (context) => {
  const names = Array.from({ length: 200 }, (_, number) => `A viking with a long name, number ${number}`);
  const server = await startA2sServer({ info: () => valheim, playerNames: () => names });
  context.after(() => server.close());
  const result = await queryA2s({ address, port: server.port }, { countFromPlayerList: true });
  assert.equal(result.ok && result.answer.players, 200);
});

test("Minecraft: garbage ends the visit, and the server goes on", async (context) => {
  const server = await startMinecraftServer({
    info: () => ({ players: 2, maxPlayers: 8, version: "1.21.4", protocol: 769, description: "Demo" }),
  });
  context.after(() => server.close());
  const garbage = [
    randomBytes(5000),
    Buffer.alloc(100_000),
    Buffer.from("ffffffffff", "hex"),
    Buffer.from("GET / HTTP/1.1\r\n\r\n".repeat(50)),
    Buffer.from("fe01", "hex"),
    Buffer.from("0100", "hex"),
  ];
  for (const bytes of garbage) assert.equal((await say(server.port, bytes)).length, 0);
  const result = await queryMinecraft({ address, port: server.port, host: "localhost" });
  assert.deepEqual(result.ok && result.answer.players, 2);
});

test("Minecraft: a ping is given back, and who wants to play is told that it is a demo", async (context) => {
  const server = await startMinecraftServer({
    info: () => ({ players: 0, maxPlayers: 1, version: "1.21.4", protocol: 769, description: "" }),
  });
  context.after(() => server.close());
  const handshake = (next: string): string => `0a00810603787878dd36${next}`;
  const pinged = await say(
    server.port,
    Buffer.from(`${handshake("01")}0100090111223344556677 88`.replace(" ", ""), "hex"),
    1000,
  );
  assert.ok(pinged.toString("hex").endsWith("09011122334455667788"));
  const turnedAway = await say(server.port, Buffer.from(`${handshake("02")}0500034164610`.concat("0"), "hex"), 1000);
  assert.match(turnedAway.toString(), /\{"text":"This is a demo/);
  assert.equal(turnedAway[1], 0);
});

test("TCP: the greeting comes first, whatever the visitor says, and closing ends every visit", async (context) => {
  const server = await startTcpGreetingServer({ greetingHex: "01 00 00 00" });
  context.after(() => server.close());
  assert.equal((await say(server.port, randomBytes(100_000), 500)).toString("hex"), "01000000");
  assert.ok((await checkTcp({ address, port: server.port }, { expect: { prefixHex: "01000000" } })).ok);
  const visitor = connect(server.port, address);
  visitor.on("error", () => {});
  await once(visitor, "data");
  const gone = new Promise((resolve) => visitor.once("close", resolve));
  await server.close();
  await gone;
  await assert.rejects(once(connect(server.port, address), "connect"), { code: "ECONNREFUSED" });
});
