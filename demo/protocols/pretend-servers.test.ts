/** Pretend game servers outlive what strangers send them, and close when told. */
import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { type A2sInfo, startA2sServer } from "./a2s-server.ts";
import { startMinecraftServer } from "./minecraft-server.ts";

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
