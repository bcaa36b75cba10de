/** Minecraft servers that lie, flood, drip and hang up. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { startMinecraftServer } from "#demo/protocols/minecraft-server.ts";
import { type QueryResult, answerWithoutFigures as unknown } from "./answer.ts";
import { queryMinecraft, readStatus } from "./minecraft.ts";
import { encodeStatusRequest, encodeVarInt, readVarInt } from "./minecraft-packet.ts";

type Target = { address: string; port: number; host: string };

/** A TCP server that does with each visitor what the test says. */
async function startStranger(context: TestContext, onVisitor: (visitor: Socket) => void): Promise<Target> {
  const visitors = new Set<Socket>();
  const server = createServer((visitor) => {
    visitors.add(visitor);
    visitor.on("error", () => {});
    onVisitor(visitor);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => {
    server.close();
    for (const visitor of visitors) visitor.destroy();
  });
  const address = server.address();
  assert.ok(typeof address === "object" && address);
  return { address: "127.0.0.1", port: address.port, host: "play.example.net" };
}

function closing(visitor: Socket): Promise<void> {
  return new Promise((resolve) => visitor.once("close", () => resolve()));
}

/** A stranger that answers the first bytes that it hears with `reply`, and keeps the connection open. */
function startReplier(context: TestContext, reply: Buffer): Promise<Target> {
  return startStranger(context, (visitor) => visitor.once("data", () => visitor.write(reply)));
}

function statusPacket(json: string): Buffer {
  const text = Buffer.from(json);
  const body = Buffer.concat([Buffer.from([0]), encodeVarInt(text.length), text]);
  return Buffer.concat([encodeVarInt(body.length), body]);
}

function failureOf(result: QueryResult): string | null {
  return result.ok ? null : result.failure;
}

async function timed<T>(work: Promise<T>): Promise<{ value: T; ms: number }> {
  const started = performance.now();
  const value = await work;
  return { value, ms: performance.now() - started };
}

const honest = '{"version":{"name":"Paper 1.21.4","protocol":769},"players":{"online":3,"max":20},"description":"x"}';

test("an address that is no literal is not asked, and an impossible port is not a crash", async () => {
  assert.equal(failureOf(await queryMinecraft({ address: "localhost", port: 25565, host: "localhost" })), "blocked");
  assert.equal(failureOf(await queryMinecraft({ address: "127.0.0.1", port: 70_000, host: "localhost" })), "blocked");
});

test("a closed port is refused in milliseconds", async () => {
  const server = await startMinecraftServer({
    info: () => ({ players: 0, maxPlayers: 1, version: "", protocol: 1, description: "" }),
  });
  await server.close();
  const value = await queryMinecraft({ address: "127.0.0.1", port: server.port, host: "localhost" });
  assert.equal(failureOf(value), "refused");
});

test("a server that accepts and says nothing is a timeout at the deadline", async (context) => {
  const stranger = await startStranger(context, (visitor) => visitor.resume());
  const { value, ms } = await timed(queryMinecraft(stranger));
  assert.equal(failureOf(value), "timeout");
  assert.ok(ms > 1900, `${ms} ms`);
});

test("a reset or a goodbye without a word is refused", async (context) => {
  const resetting = await startStranger(context, (visitor) => visitor.resetAndDestroy());
  assert.equal(failureOf(await queryMinecraft(resetting)), "refused");
  const leaving = await startStranger(context, (visitor) => visitor.once("data", () => visitor.end()));
  assert.equal(failureOf(await queryMinecraft(leaving)), "refused");
});

test("an answer cut short by a reset or a goodbye is malformed", async (context) => {
  const half = statusPacket(honest).subarray(0, 40);
  const leaving = await startStranger(context, (visitor) => visitor.once("data", () => visitor.end(half)));
  assert.equal(failureOf(await queryMinecraft(leaving)), "malformed");
  const resetting = await startStranger(context, (visitor) =>
    visitor.once("data", () => visitor.write(half, () => setTimeout(() => visitor.resetAndDestroy(), 30))),
  );
  assert.equal(failureOf(await queryMinecraft(resetting)), "malformed");
});

test("half an answer and then silence is a timeout", async (context) => {
  const stranger = await startReplier(context, statusPacket(honest).subarray(0, 40));
  assert.equal(failureOf(await queryMinecraft(stranger, { deadlineMs: 200 })), "timeout");
});

test("a huge length is refused before its bytes come, and the connection closed", async (context) => {
  const lengths = [
    "\x81\x80\x10",
    "\xff\xff\xff\x7f",
    "\xff\xff\xff\xff\x07",
    "\xff\xff\xff\xff\x0f",
    "\xff\xff\xff\xff\xff\x01",
    "\x00",
  ];
  for (const length of lengths) {
    let closed: Promise<unknown> = Promise.resolve();
    const stranger = await startStranger(context, (visitor) => {
      closed = closing(visitor);
      visitor.once("data", () => visitor.write(Buffer.from(`${length}aaaa`, "latin1")));
    });
    const value = await queryMinecraft(stranger);
    assert.equal(failureOf(value), "malformed", JSON.stringify(length));
    await closed;
  }
});

test("endless bytes are not kept: the flood ends with the first wrong ones", async (context) => {
  let sent = 0;
  const flood = Buffer.alloc(65_536, 0x01);
  const stranger = await startStranger(context, (visitor) => {
    const pour = (): void => {
      while (!visitor.destroyed && visitor.write(flood)) sent += flood.length;
    };
    visitor.on("drain", pour);
    visitor.once("data", pour);
  });
  const before = process.memoryUsage().rss;
  const value = await queryMinecraft(stranger);
  assert.equal(failureOf(value), "malformed");
  assert.ok(process.memoryUsage().rss - before < 64 * 1024 * 1024);
  assert.ok(sent < 32 * 1024 * 1024);
});

test("an honest head before endless bytes is answered from the head alone", async (context) => {
  const stranger = await startReplier(context, Buffer.concat([statusPacket(honest), Buffer.alloc(5_000_000, 0x41)]));
  const result = await queryMinecraft(stranger);
  assert.ok(result.ok);
  assert.equal(result.answer.players, 3);
});

test("a reply that drips is read when it is whole in time, and ends at the deadline otherwise", async (context) => {
  const reply = statusPacket(honest);
  const drip = (everyMs: number) => (visitor: Socket) =>
    void visitor.once("data", () => {
      let at = 0;
      const timer = setInterval(() => {
        if (visitor.destroyed || at >= reply.length) return clearInterval(timer);
        visitor.write(reply.subarray(at, ++at));
      }, everyMs);
    });
  const quick = await queryMinecraft(await startStranger(context, drip(1)));
  assert.equal(quick.ok && quick.answer.players, 3);
  const value = await queryMinecraft(await startStranger(context, drip(50)), { deadlineMs: 300 });
  assert.equal(failureOf(value), "timeout");
});

test("a reply of nearly 256 KB is read", async (context) => {
  const big = `{"players":{"online":1,"max":2},"favicon":"${"A".repeat(262_000)}"}`;
  const result = await queryMinecraft(await startReplier(context, statusPacket(big)));
  assert.equal(result.ok && result.answer.players, 1);
});

test("the wrong packet, a text longer than its packet and no JSON are malformed", async (context) => {
  const replies = [
    Buffer.concat([Buffer.from([10, 1]), Buffer.alloc(9)]),
    Buffer.concat([Buffer.from([5, 0, 127]), Buffer.from("{}  ")]),
    Buffer.concat([Buffer.from([5, 0]), Buffer.from([0xff, 0xff, 0xff, 0xff])]),
    Buffer.from("\xff\x00\x17\x00\xa7", "latin1"),
    Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n".padEnd(200)),
    statusPacket("not json"),
    statusPacket('{"players":'),
  ];
  for (const reply of replies) {
    const stranger = await startReplier(context, reply);
    assert.equal(failureOf(await queryMinecraft(stranger, { deadlineMs: 400 })), "malformed", reply.toString("latin1"));
  }
});

test("deep JSON is refused fast, deep-looking text is not", () => {
  for (const tower of ["[".repeat(250_000), `{"a":`.repeat(50_000), `{"players":${"[".repeat(40)}${"]".repeat(40)}}`]) {
    assert.equal(readStatus(tower), null);
  }
  assert.equal(
    readStatus(JSON.stringify({ players: { online: 4 }, description: `${"[".repeat(99)}\\"${"{".repeat(99)}` }))
      ?.players,
    4,
  );
});

test("what is no object is no status", () => {
  for (const json of ["null", "[]", "3", '"text"', "", "[1]"]) assert.equal(readStatus(json), null);
});

test("counts that are text, negative, broken or missing are unknown, not zero", () => {
  for (const json of [
    "{}",
    '{"players":null,"version":null}',
    '{"players":[3,4],"version":"1.21"}',
    '{"players":{"online":"3","max":"20"}}',
    '{"players":{"online":-1,"max":-5}}',
    '{"players":{"online":2.5,"max":1e999}}',
    '{"players":{"online":{},"max":true},"version":{"name":7}}',
    '{"__proto__":{"players":{"online":9}}}',
  ]) {
    assert.deepEqual(readStatus(json), unknown, json);
  }
  assert.equal(readStatus('{"players":{"online":2147483647}}')?.players, 100_000);
});

test("the version is cleaned text", () => {
  const json = JSON.stringify({
    version: { name: "§cPaper\u202e <script>1.21</script>" },
    players: { online: 0, max: 0 },
  });
  assert.equal(readStatus(json)?.version, "Paper <script>1.21</script>");
});

test("the name is the first line of the description that says something, whatever parts it comes in", () => {
  const tower = { text: "", extra: Array.from({ length: 50_000 }, () => ({ text: "x" })) };
  for (const [description, name] of [
    ["§aAnarchy §lHarbour\nNo rules", "Anarchy Harbour"],
    ["\n  \u00a7c\nBelow", "Below"],
    [{ text: "Any", extra: [{ text: "thing " }, "goes", { text: "\nmore" }] }, "Anything goes"],
    [["Of ", { text: "a list" }], "Of a list"],
    ["A Minecraft Server", null],
    [{ translate: "multiplayer.status.ping" }, null],
    [7, null],
    [null, null],
    ["\u202e<b>x</b>", "<b>x</b>"],
    ["y".repeat(100_000), "y".repeat(100)],
    [tower, "x".repeat(66)],
  ] as const) {
    assert.equal(readStatus(JSON.stringify({ description }))?.name ?? null, name);
  }
});

test("numbers of variable length are read back as written, and the wrong ones refused", () => {
  for (const value of [0, 1, 127, 128, 255, 25_565, 2_097_151, 2_147_483_647]) {
    const bytes = encodeVarInt(value);
    assert.deepEqual(readVarInt(bytes, 0), { value, end: bytes.length });
    assert.equal(readVarInt(bytes.subarray(0, -1), 0), "more");
  }
  assert.deepEqual([...encodeVarInt(-1)], [255, 255, 255, 255, 15]);
  for (const wrong of [
    [255, 255, 255, 255, 15],
    [255, 255, 255, 255, 255, 1],
    [128, 128, 128, 128, 16],
  ]) {
    assert.equal(readVarInt(Buffer.from(wrong), 0), "malformed");
  }
});

test("the handshake names the host as typed and the port asked", async (context) => {
  const heard: Buffer[] = [];
  const stranger = await startStranger(context, (visitor) => {
    visitor.on("data", (bytes: Buffer) => {
      heard.push(bytes);
      visitor.write(statusPacket(honest));
    });
  });
  await queryMinecraft(stranger);
  const expected = encodeStatusRequest("play.example.net", stranger.port);
  assert.deepEqual(Buffer.concat(heard), expected);
  assert.equal(expected.toString("latin1", 8, 24), "play.example.net");
  assert.equal(expected.readUInt16BE(24), stranger.port);
  assert.deepEqual([...expected.subarray(26)], [1, 1, 0]);
});

test("the connection is closed with the answer", async (context) => {
  let closed: Promise<unknown> = Promise.resolve();
  const stranger = await startStranger(context, (visitor) => {
    closed = closing(visitor);
    visitor.once("data", () => visitor.write(statusPacket(honest)));
  });
  assert.ok((await queryMinecraft(stranger)).ok);
  await closed;
});
