/** Strangers over UDP that flood, stammer, interrupt and fall silent: what every conversation is safe from. */
import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { startUdpStranger } from "#tests/helpers/network/udp-stranger.ts";
import { answerWithoutFigures, type QueryResult, type QueryTarget } from "./answer.ts";
import { exchangeOverUdp, type UdpReading, type UdpRequest } from "./udp-exchange.ts";

const request = Buffer.from("how many?");

/** A protocol of its own: `=7` is the answer, `~` a part of one, `>x` asks to be asked `x`, anything else is nonsense. */
function read(packet: Buffer): UdpReading {
  const said = packet.toString("latin1");
  if (said[0] === "=") return { ...answerWithoutFigures, players: Number(said.slice(1)) };
  if (said[0] === ">") return { ask: Buffer.from(said.slice(1)) };
  return said[0] === "~" ? "more" : "malformed";
}

const ask = (target: QueryTarget, deadlineMs = 2000, asked: UdpRequest = request, onPacket = read) =>
  exchangeOverUdp(target, { request: asked, onPacket, deadlineMs });

const failureOf = (result: QueryResult) => (result.ok ? "answered" : result.failure);
const playersOf = (result: QueryResult) => (result.ok ? result.answer.players : result.failure);

async function timed<T>(work: Promise<T>): Promise<{ value: T; ms: number }> {
  const started = performance.now();
  const value = await work;
  return { value, ms: performance.now() - started };
}

test("an address that is no literal is not asked", async () => {
  assert.equal(failureOf(await ask({ address: "localhost", port: 27015 })), "blocked");
});

test("a closed port is refused in milliseconds, over IPv4 and IPv6", async () => {
  for (const address of ["127.0.0.1", "::1"]) {
    const socket = createSocket(address === "::1" ? "udp6" : "udp4").bind(0, address);
    await once(socket, "listening");
    const { port } = socket.address();
    socket.close();
    await once(socket, "close");
    for (const asked of [request, [request, request]]) {
      const value = await ask({ address, port }, 2000, asked);
      assert.equal(failureOf(value), "refused");
    }
  }
});

test("IPv6 is asked as IPv4 is", async (context) => {
  const stranger = await startUdpStranger(context, (reply) => reply(Buffer.from("=5")), "::1");
  assert.equal(playersOf(await ask(stranger)), 5);
});

test("silence is no_reply at the deadline, after four tries; a part of an answer and then silence is a timeout", async (context) => {
  let questions = 0;
  const mute = await startUdpStranger(context, () => questions++);
  const { value, ms } = await timed(ask(mute));
  assert.deepEqual([failureOf(value), questions], ["no_reply", 4]);
  assert.ok(ms > 1900, `${ms} ms`);
  const halting = await startUdpStranger(context, (reply) => reply(Buffer.from("~")));
  assert.equal(failureOf(await ask(halting, 150)), "timeout");
});

test("what was lost is asked again, and the latency is that of the request that was answered", async (context) => {
  let questions = 0;
  const stranger = await startUdpStranger(context, (reply) => {
    if (++questions > 2) reply(Buffer.from("=5"));
  });
  const result = await ask(stranger);
  assert.equal(playersOf(result), 5);
  assert.ok(result.latencyMs < 600, `${result.latencyMs} ms, and not the 900 since the first`);
});

test("what is asked next is repeated on its own, and several packets of one request all are", async (context) => {
  const heard: string[] = [];
  const stranger = await startUdpStranger(context, (reply, question) => {
    const said = question.toString();
    heard.push(said);
    if (said === "b" && heard.length === 2) reply(Buffer.from(">next"));
    if (said === "next" && heard.filter((one) => one === "next").length === 2) reply(Buffer.from("=9"));
  });
  assert.equal(playersOf(await ask(stranger, 2000, [Buffer.from("a"), Buffer.from("b")])), 9);
  assert.deepEqual(heard, ["a", "b", "next", "next"]);
  let questions = 0;
  const deaf = await startUdpStranger(context, () => questions++);
  await ask(deaf, 500, [Buffer.from("a"), Buffer.from("b")]);
  assert.equal(questions, 4);
});

test("whoever wants to be asked on and on is not", async (context) => {
  let questions = 0;
  const stranger = await startUdpStranger(context, (reply) => {
    questions++;
    reply(Buffer.from(`>${"again".repeat(questions)}`));
  });
  const value = await ask(stranger);
  assert.equal(failureOf(value), "malformed");
  assert.equal(questions, 5);
});

test("an empty datagram, nonsense, and what a reader trips over are malformed, and end nothing else", async (context) => {
  for (const bytes of [Buffer.alloc(0), Buffer.from("hello"), Buffer.alloc(60_000, 0xff)]) {
    const stranger = await startUdpStranger(context, (reply) => reply(bytes));
    assert.equal(failureOf(await ask(stranger)), "malformed", `${bytes.length} bytes`);
  }
  const stranger = await startUdpStranger(context, (reply) => reply(Buffer.from("abc")));
  const trip = (packet: Buffer): UdpReading => ({ ...answerWithoutFigures, players: packet.readUInt32LE(0) });
  assert.equal(failureOf(await ask(stranger, 2000, request, trip)), "malformed");
});

test("an answer from another port is not heard", async (context) => {
  const stranger = await startUdpStranger(context, (_reply, _question, from) => {
    const other = createSocket("udp4");
    other.send(Buffer.from("=5"), from.port, from.address, () => other.close());
  });
  assert.equal(failureOf(await ask(stranger, 300)), "no_reply");
});

test("a flood of parts ends at 256, costs little memory, and leaves no socket open", async (context) => {
  const flood = `const { createSocket } = require("node:dgram");
    const { parentPort } = require("node:worker_threads");
    const socket = createSocket("udp4");
    socket.on("message", (_question, from) => {
      for (let copy = 0; copy < 5000; copy++) socket.send("~".repeat(1300), from.port, from.address, () => {});
    });
    socket.bind(0, "127.0.0.1", () => parentPort.postMessage(socket.address().port));`;
  const elsewhere = new Worker(flood, { eval: true });
  context.after(() => elsewhere.terminate());
  const [port] = (await once(elsewhere, "message")) as [number];
  let packets = 0;
  const before = process.memoryUsage().rss;
  const count = (packet: Buffer): UdpReading => {
    packets++;
    return read(packet);
  };
  const result = await ask({ address: "127.0.0.1", port }, 10_000, request, count);
  assert.ok(["malformed", "timeout"].includes(failureOf(result)), failureOf(result));
  assert.ok(packets <= 256, `${packets} packets`);
  assert.ok(process.memoryUsage().rss - before < 64 * 1024 * 1024);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(
    process.getActiveResourcesInfo().filter((resource) => resource === "UDPWRAP"),
    [],
  );
});

test("an answer that came while our own process stalled is read before the deadline is called", async (context) => {
  const answering = `const { createSocket } = require("node:dgram");
    const { parentPort } = require("node:worker_threads");
    const socket = createSocket("udp4");
    socket.on("message", (_question, from) => socket.send("=5", from.port, from.address));
    socket.bind(0, "127.0.0.1", () => parentPort.postMessage(socket.address().port));`;
  const elsewhere = new Worker(answering, { eval: true });
  context.after(() => elsewhere.terminate());
  const [port] = (await once(elsewhere, "message")) as [number];
  const answer = ask({ address: "127.0.0.1", port }, 100);
  const stalledUntil = performance.now() + 250;
  while (performance.now() < stalledUntil);
  assert.equal(playersOf(await answer), 5);
});
