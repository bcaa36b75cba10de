/** Factorio servers that lie or speak another version, and what of an honest one's reply is told. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startFactorioServer } from "#demo/protocols/factorio-server.ts";
import { startUdpStranger } from "#tests/helpers/network/udp-stranger.ts";
import { answerWithoutFigures } from "../answer.ts";
import { queryFactorio, readInfo } from "./factorio.ts";

const isPing = (question: Buffer) => question[0] === 0;
const pingReply = (question: Buffer) => Buffer.concat([Buffer.of(1), question.subarray(1)]);

/** As a server of 2.0.77 writes it: its game, name, version, build, description, minutes, address, flags, mods, tags, players. */
const golden = Buffer.concat([
  Buffer.from("78563412" + "0000000000000000", "hex"),
  Buffer.from("\x0a[EU] Rails\x02\x00\x4d", "latin1"),
  Buffer.from("4c490100", "hex"),
  Buffer.from("\x03hi!\0\0\x1e\0\0\0\0\0\x11203.0.113.9:34197\x01\0\x01", "latin1"),
  Buffer.from("\x02\x04base\x02\x00\x4d\0\0\0\0\x07quality\x02\x00\x4d\0\0\0\0", "latin1"),
  Buffer.from("\x01\x04game\x02\x03Ada\x05Grace\x01", "latin1"),
]);

test("what is no Factorio server is malformed at once, and a ping that is another's is no sign of life", async (context) => {
  const lies: Buffer[] = [
    Buffer.of(2),
    Buffer.from("\xff\xff\xff\xffI", "latin1"),
    Buffer.of(1),
    Buffer.of(1, 0, 0, 0),
    Buffer.alloc(600, 1),
    Buffer.of(0x51),
    Buffer.of(0x51, 2, 0x80, 0, 200, 1, 1),
  ];
  for (const lie of lies) {
    const stranger = await startUdpStranger(context, (reply) => reply(lie));
    const result = await queryFactorio(stranger, { deadlineMs: 500 });
    assert.equal(result.ok ? "answered" : result.failure, "malformed", lie.toString("hex").slice(0, 40));
  }
});

test("a flood of parts that never end is cut off", async (context) => {
  const stranger = await startUdpStranger(context, (reply, question) => {
    if (isPing(question)) return;
    for (let place = 0; place < 250; place++) reply(Buffer.concat([Buffer.of(0x51, 2, 0, place), Buffer.alloc(1000)]));
  });
  const result = await queryFactorio(stranger, { deadlineMs: 1000 });
  assert.equal(result.ok ? "answered" : result.failure, "malformed");
  const gap = await startUdpStranger(context, (reply, question) => {
    if (!isPing(question)) for (const place of [0, 2, 3]) reply(Buffer.of(place === 2 ? 0xd1 : 0x51, 2, 0, place, 1));
  });
  const cut = await queryFactorio(gap, { deadlineMs: 300 });
  assert.equal(cut.ok ? "answered" : cut.failure, "malformed");
});

test("each field is told; cut anywhere it is not read, and a count that lies reads nothing beyond its end", () => {
  const answer = readInfo(golden);
  assert.deepEqual(answer, { ...answerWithoutFigures, players: 2, version: "2.0.77", name: "[EU] Rails" });
  // The last byte is none of what is read.
  for (let length = 0; length < golden.length - 1; length++) assert.equal(readInfo(golden.subarray(0, length)), null);
  const before = process.cpuUsage();
  const players = golden.subarray(0, golden.lastIndexOf("\x02\x03Ada"));
  assert.equal(readInfo(Buffer.concat([players, Buffer.from("ffffffffff", "hex"), Buffer.alloc(60_000)])), null);
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 200_000, "of the processor's time");
  assert.equal(readInfo(Buffer.concat([players, Buffer.of(0, 1)]))?.players, 0);
});

test("rich text is taken out of a name, and nothing else", async (context) => {
  const names = [
    ["[color=255,0,0]Red[/color] [img=item/coal]Belts", "Red Belts"],
    ["[font=default-bold]Bold[.font] \u202e[EU] 24/7 [/vote]", "Bold [EU] 24/7 [/vote]"],
    ["[color=[color=[color=", "[color=[color=[color="],
    [`${"[color=".repeat(8_000)}`, "[color=".repeat(20).slice(0, 100)],
    ["[img=x]", null],
  ] as const;
  for (const [name, told] of names) {
    const server = await startFactorioServer({ info: () => ({ name, version: "2.0.77", players: [] }) });
    context.after(() => server.close());
    const result = await queryFactorio({ address: "127.0.0.1", port: server.port });
    assert.equal(result.ok && result.answer.name, told);
  }
});

test("a server with 500 mods and 300 players answers in many parts, lost ones are asked for again", async (context) => {
  const names = (count: number, of: string) => Array.from({ length: count }, (_, place) => `${of}-${place}`);
  const info = { name: "Pyanodon", description: "x".repeat(400), version: "2.1.14", tags: ["modded"] };
  const server = await startFactorioServer({
    info: () => ({ ...info, mods: names(500, "a-mod-of-somebody"), players: names(300, "Engineer") }),
  });
  context.after(() => server.close());
  const result = await queryFactorio({ address: "127.0.0.1", port: server.port });
  assert.deepEqual(result.ok && [result.answer.players, result.answer.version], [300, "2.1.14"]);

  let questions = 0;
  const lossy = await startUdpStranger(context, (reply, question) => {
    if (isPing(question)) return;
    const [first, second] = [golden.subarray(0, 30), golden.subarray(30)];
    if (++questions === 1) reply(Buffer.concat([Buffer.of(0xd1, 2, 0x80, 1, 1, 0, 0, 0, 0), second]));
    else reply(Buffer.concat([Buffer.of(0x51, 2, 0, 0), first]));
  });
  const again = await queryFactorio(lossy);
  assert.equal(again.ok && again.answer.players, 2, "the part that came is kept");
});

test("a version whose information reads otherwise, or is not told, is up by its ping, and its figures are unknown", async (context) => {
  const odd = [Buffer.of(17), Buffer.concat([Buffer.of(17), golden.subarray(0, 60)]), null];
  for (const info of odd) {
    for (const pingFirst of [true, false]) {
      const server = await startUdpStranger(context, (reply, question) => {
        if (isPing(question)) setTimeout(reply, pingFirst ? 0 : 60, pingReply(question));
        else if (info) setTimeout(reply, pingFirst ? 60 : 0, info);
      });
      const result = await queryFactorio(server, { deadlineMs: 400 });
      assert.ok(result.ok, JSON.stringify(result));
      assert.deepEqual(result.answer, answerWithoutFigures);
      assert.ok(result.latencyMs < 350, "as long as the answer took, not as long as was waited");
    }
    const unproven = await startUdpStranger(context, (reply, question) => {
      if (info && !isPing(question)) reply(info);
    });
    const result = await queryFactorio(unproven, { deadlineMs: 150 });
    assert.equal(result.ok ? "answered" : result.failure, info ? "timeout" : "no_reply");
  }
});
