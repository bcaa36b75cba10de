/** Game servers that lie, flood, stammer and fall silent over A2S. */
import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { startA2sServer } from "#demo/protocols/a2s-server.ts";
import { startUdpStranger } from "#tests/helpers/network/udp-stranger.ts";
import { infoReply, packet } from "#tests/protocols/a2s-replies.ts";
import { queryA2s } from "./a2s-query.ts";
import type { QueryResult } from "./answer.ts";

function failureOf(result: QueryResult): string | null {
  return result.ok ? null : result.failure;
}

function playersOf(result: QueryResult): number | null | "failed" {
  return result.ok ? result.answer.players : "failed";
}

async function timed<T>(work: Promise<T>): Promise<{ value: T; ms: number }> {
  const started = performance.now();
  const value = await work;
  return { value, ms: performance.now() - started };
}

test("an address that is no literal is not asked", async () => {
  assert.equal(failureOf(await queryA2s({ address: "localhost", port: 27015 })), "blocked");
});

test("a closed port is refused", async () => {
  const server = await startA2sServer({
    info: () => ({ name: "", map: "", folder: "", game: "", players: 0, maxPlayers: 0, version: "" }),
  });
  await server.close();
  const value = await queryA2s({ address: "127.0.0.1", port: server.port });
  assert.equal(failureOf(value), "refused");
});

test("silence is no_reply at the deadline, after four tries", async (context) => {
  let questions = 0;
  const stranger = await startUdpStranger(context, () => questions++);
  const { value, ms } = await timed(queryA2s(stranger));
  assert.equal(failureOf(value), "no_reply");
  assert.equal(questions, 4);
  assert.ok(ms > 1900, `${ms} ms`);
});

test("a challenge and then silence is a timeout", async (context) => {
  const stranger = await startUdpStranger(context, (reply, question) => {
    if (question.length === 25) reply(packet("A1234"));
  });
  assert.equal(failureOf(await queryA2s(stranger, { deadlineMs: 200 })), "timeout");
});

test("a lost packet is asked again", async (context) => {
  let questions = 0;
  const stranger = await startUdpStranger(context, (reply) => {
    if (++questions > 2) reply(infoReply());
  });
  const result = await queryA2s(stranger);
  assert.equal(playersOf(result), 5);
  assert.ok(result.latencyMs < 280, "the round trip of the answered request, not of the lost ones");
});

test("a request that follows the third sending of another is repeated, too", async (context) => {
  let first = 0;
  let second = 0;
  const stranger = await startUdpStranger(context, (reply, question) => {
    if (question.length === 25) {
      if (++first === 3) reply(packet("A1234"));
    } else if (++second === 2) reply(infoReply());
  });
  assert.equal(playersOf(await queryA2s(stranger)), 5);
  assert.deepEqual([first, second], [3, 2]);
});

test("endless challenges end at the fifth", async (context) => {
  let challenges = 0;
  const stranger = await startUdpStranger(context, (reply) =>
    reply(packet(`A${String(++challenges).padStart(4, "0")}`)),
  );
  const value = await queryA2s(stranger);
  assert.equal(failureOf(value), "malformed");
  assert.equal(challenges, 5);
});

test("one challenge repeated for ever is not answered for ever", async (context) => {
  let questions = 0;
  const stranger = await startUdpStranger(context, (reply) => {
    questions++;
    for (let copy = 0; copy < 600; copy++) reply(packet("A1234"));
  });
  const result = await queryA2s(stranger, { deadlineMs: 500 });
  assert.ok(["malformed", "timeout"].includes(String(failureOf(result))));
  assert.ok(questions <= 3, `${questions} questions`);
});

test("a flood of packets costs little time and memory: less than it costs whoever sends it", async (context) => {
  const elsewhere = new Worker(
    `const { createSocket } = require("node:dgram");
     const { parentPort, workerData } = require("node:worker_threads");
     const socket = createSocket("udp4");
     const spent = () => { const { user, system } = process.threadCpuUsage(); return user + system; };
     const before = spent();
     socket.on("message", (_question, from) => {
       for (let copy = 0; copy < 5000; copy++) socket.send(workerData, from.port, from.address, () => {});
     });
     socket.bind(0, "127.0.0.1", () => parentPort.postMessage(socket.address().port));
     parentPort.on("message", () => parentPort.postMessage(spent() - before));`,
    { eval: true, workerData: Buffer.concat([packet("D"), Buffer.alloc(1300)]) },
  );
  context.after(() => elsewhere.terminate());
  const [port] = (await once(elsewhere, "message")) as [number];
  const before = process.memoryUsage().rss;
  const idle = process.threadCpuUsage();
  const value = await queryA2s({ address: "127.0.0.1", port }, { deadlineMs: 500 });
  const { user, system } = process.threadCpuUsage(idle);
  assert.ok(["malformed", "no_reply", "timeout"].includes(String(failureOf(value))));
  assert.ok(process.memoryUsage().rss - before < 64 * 1024 * 1024);
  elsewhere.postMessage("how much?");
  const [theirs] = (await once(elsewhere, "message")) as [number];
  assert.ok(user + system < theirs, `${user + system} µs, ${theirs} for whoever sent it`);
});

test("garbage is malformed", async (context) => {
  const garbage = [
    Buffer.alloc(0),
    Buffer.from("hello"),
    packet(""),
    packet("I"),
    packet("Z12345"),
    packet("A12"),
    Buffer.alloc(1400, 0xff),
    Buffer.alloc(1400, 0x41),
  ];
  for (const bytes of garbage) {
    const stranger = await startUdpStranger(context, (reply) => reply(bytes));
    assert.equal(
      failureOf(await queryA2s(stranger, { deadlineMs: 500 })),
      "malformed",
      bytes.toString("latin1").slice(0, 20),
    );
  }
});

test("an answer from another port is not heard", async (context) => {
  const stranger = await startUdpStranger(context, (_reply, _question, from) => {
    const other = createSocket("udp4");
    other.send(infoReply(), from.port, from.address, () => other.close());
  });
  assert.equal(failureOf(await queryA2s(stranger, { deadlineMs: 300 })), "no_reply");
});

test("IPv6 is asked as IPv4 is", async (context) => {
  const stranger = await startUdpStranger(context, (reply) => reply(infoReply()), "::1");
  assert.equal(playersOf(await queryA2s(stranger)), 5);
});

test("an answer that came while our own process stalled is read before the deadline is called", async (context) => {
  const elsewhere = new Worker(
    `const { createSocket } = require("node:dgram");
     const { parentPort, workerData } = require("node:worker_threads");
     const socket = createSocket("udp4");
     socket.on("message", (_question, from) => socket.send(Buffer.from(workerData), from.port, from.address));
     socket.bind(0, "127.0.0.1", () => parentPort.postMessage(socket.address().port));`,
    { eval: true, workerData: infoReply() },
  );
  context.after(() => elsewhere.terminate());
  const [port] = (await once(elsewhere, "message")) as [number];
  const answer = queryA2s({ address: "127.0.0.1", port }, { deadlineMs: 100 });
  const stalledUntil = performance.now() + 250;
  while (performance.now() < stalledUntil);
  assert.equal(playersOf(await answer), 5);
});

test("a thousand at once are all answered, and leave no socket open", async (context) => {
  const info = () => ({ name: "n", map: "m", folder: "f", game: "g", players: 3, maxPlayers: 9, version: "1" });
  // Many servers, as in life: a single socket could not hold a thousand questions.
  const servers = await Promise.all(Array.from({ length: 50 }, () => startA2sServer({ info })));
  context.after(() => Promise.all(servers.map((server) => server.close())));
  // All of it is done by this one process, which may be slow.
  const ask = (index: number) =>
    queryA2s({ address: "127.0.0.1", port: servers[index % servers.length]?.port ?? 0 }, { deadlineMs: 60_000 });
  const results = await Promise.all(Array.from({ length: 1000 }, (_, index) => ask(index)));
  assert.equal(results.filter((result) => result.ok).length, 1000);
  await Promise.all(servers.map((server) => server.close()));
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(process.getActiveResourcesInfo().filter((resource) => resource === "UDPWRAP").length, 0);
});
