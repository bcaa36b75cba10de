/** Bedrock servers that lie or stammer, and what of an honest one's pong is told. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startBedrockServer } from "#demo/protocols/bedrock-server.ts";
import { startUdpStranger } from "#tests/helpers/network/udp-stranger.ts";
import { queryBedrock, readPong } from "./bedrock.ts";

const magic = "00ffff00fefefefefdfdfdfd12345678";

function pong(text: string, { length = Buffer.byteLength(text), mark = magic, id = "1c" } = {}): Buffer {
  const size = length.toString(16).padStart(4, "0");
  return Buffer.concat([Buffer.from(`${id}${"00".repeat(16)}${mark}${size}`, "hex"), Buffer.from(text)]);
}

/** As the vendor's own server writes it. */
const golden = "MCPE;Dedicated Server;766;1.21.50;3;10;13253860892328930865;Bedrock level;Survival;1;19132;19133;0;";

test("what is no pong of Minecraft is malformed", async (context) => {
  const lies = [
    Buffer.of(0x1c),
    pong(golden, { id: "1d" }),
    pong(golden, { mark: magic.replace("12345678", "12345679") }),
    pong(golden, { length: golden.length + 1 }),
    pong(golden).subarray(0, 34),
    pong(""),
    pong("MCPE;no;more"),
    pong(golden.replace("MCPE", "0.2.3.4")),
    pong(`MCPE;${"long".repeat(2000)};1;2;3;4;`),
  ];
  for (const lie of lies) {
    assert.equal(readPong(lie), null);
    const stranger = await startUdpStranger(context, (reply) => reply(lie));
    const result = await queryBedrock(stranger, { deadlineMs: 500 });
    assert.equal(result.ok ? "answered" : result.failure, "malformed", lie.toString("latin1").slice(0, 60));
  }
  for (let length = 0; length < pong(golden).length; length++)
    assert.equal(readPong(pong(golden).subarray(0, length)), null);
});

test("its fields are told; a semicolon with a backslash is part of a name, colours and controls are not", () => {
  const answer = readPong(pong(golden));
  const { name, map, version, players, maxPlayers } = answer ?? {};
  assert.deepEqual([name, map, version, players, maxPlayers], ["Dedicated Server", "Bedrock level", "1.21.50", 3, 10]);
  const odd = readPong(pong("MCPE;§cRed\u202e\u0007\\; Blue;766;1.21;-3;ten;1;"));
  assert.deepEqual([odd?.name, odd?.players, odd?.maxPlayers, odd?.map], ["Red; Blue", null, null, null]);
  const old = readPong(pong("MCPE;Old;81;0.15;999999999;20"));
  assert.deepEqual([old?.players, old?.maxPlayers], [100_000, 20]);
  assert.equal(readPong(pong("MCEE;School;1;1;2;30;"))?.players, 2);
});

test("a name whose semicolons have no backslash is a name all the same", () => {
  const told = (text: string) => {
    const { name, players, maxPlayers, version, map } = readPong(pong(text)) ?? {};
    return [name, players, maxPlayers, version, map];
  };
  const rest = "766;1.21.50;3;10;2652962130587950863;Plains;Survival;1;19132;19133;";
  assert.deepEqual(told(`MCPE;One; two; 3;${rest}`), ["One; two; 3", 3, 10, "1.21.50", "Plains"]);
  assert.deepEqual(told(`MCPE;;${rest}`), [null, 3, 10, "1.21.50", "Plains"]);
  assert.deepEqual(told("MCPE;A;766;1.21.50;many;10;1;Plains"), ["A", null, 10, "1.21.50", "Plains"]);
});

test("one that does not give back the time is heard all the same, and pings of both sorts are answered", async (context) => {
  const info = () => ({ name: "A; B", level: "L", players: 2, maxPlayers: 9, version: "1.21.50", protocol: 766 });
  for (const echoes of [true, false]) {
    const server = await startBedrockServer({ info, echoes });
    context.after(() => server.close());
    const result = await queryBedrock({ address: "127.0.0.1", port: server.port });
    assert.ok(result.ok);
    assert.deepEqual([result.answer.name, result.answer.players], ["A; B", 2]);
  }
});
