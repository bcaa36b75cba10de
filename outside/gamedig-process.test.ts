/** The long tail: who is refused, what is cleaned, and that a hostile game server costs only its own answer. */
import assert from "node:assert/strict";
import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { type TestContext, test } from "node:test";
import { type A2sInfo, startA2sServer } from "#demo/protocols/a2s-server.ts";
import { unpackingReply } from "#tests/helpers/unpacking-reply.ts";
import { answerWithoutFigures } from "./game-query/answer.ts";
import { listGameTypes } from "./game-types.ts";
import type { FromChild } from "./gamedig-child.ts";
import { cleanAnswer, createGamedigProcess } from "./gamedig-process.ts";
import { startGamedigChild } from "./gamedig-watch.ts";

const address = "127.0.0.1";
const info: A2sInfo = {
  name: "Altis Life",
  map: "Altis",
  folder: "arma3",
  game: "Arma 3",
  players: 7,
  maxPlayers: 64,
  bots: 2,
  version: "2.18",
  passwordProtected: true,
};

/** A game server over UDP that answers each packet with what `reply` gives; null: nothing. */
async function udpServer(context: TestContext, reply: (question: Buffer) => Buffer | null): Promise<number> {
  const socket = createSocket("udp4");
  context.after(() => socket.close());
  socket.on("message", (question, from) => {
    const packet = reply(question);
    if (packet) socket.send(packet, from.port, from.address);
  });
  socket.bind(0, address);
  await once(socket, "listening");
  return socket.address().port;
}

function process(context: TestContext) {
  const made = createGamedigProcess();
  context.after(() => made.stop());
  return made;
}

const failureOf = (result: { ok: boolean; failure?: string }) => (result.ok ? "answered" : result.failure);

test("refused: types that are not on the list, names for addresses, IPv6; no process starts for them", async (context) => {
  const gamedig = process(context);
  for (const type of ["minetest", "asa", "protocol-valve", "teamspeak3", "", "__proto__"]) {
    assert.equal(failureOf(await gamedig.query({ address, port: 2302 }, { type })), "blocked", type);
  }
  assert.equal(failureOf(await gamedig.query({ address: "localhost", port: 2302 }, { type: "arma3" })), "blocked");
  assert.equal(failureOf(await gamedig.query({ address: "::1", port: 2302 }, { type: "arma3" })), "network");
  assert.equal(gamedig.pid(), null);
});

test("refused within the process too: whoever wants to reach anything but the target", async (context) => {
  const door = createServer((socket) => socket.on("error", () => {}));
  door.listen(0, address);
  await once(door, "listening");
  context.after(() => door.close());
  const { port } = door.address() as { port: number };
  let onMessage: (message: FromChild) => void = () => {};
  const ready = Promise.withResolvers<void>();
  const child = startGamedigChild({
    onMessage: (message) => ("ready" in message ? ready.resolve() : onMessage(message)),
    onEnd: () => {},
    isBusy: () => false,
  });
  context.after(() => child.kill());
  await ready.promise;
  let id = 0;
  for (const type of ["teamspeak3", "factorio", "minetest", "asa", "ssl", "eco"]) {
    const answered = new Promise<FromChild>((resolve) => {
      onMessage = resolve;
    });
    child.send({ ask: { id: ++id, type, address, port, deadlineMs: 1500, subtractRawBots: false } });
    assert.deepEqual(await answered, { id, failure: type === "eco" ? "timeout" : "blocked" }, type);
  }
});

test("no listed type reaches for anything but its target", async (context) => {
  const gamedig = process(context);
  const port = await udpServer(context, () => null);
  const failures = await Promise.all(
    listGameTypes().map(async ({ type }) =>
      failureOf(await gamedig.query({ address, port }, { type, deadlineMs: 400 })),
    ),
  );
  // Those that would reach for something else are refused as "blocked".
  const unexpected = failures.filter((failure) => failure !== "no_reply" && failure !== "refused");
  assert.deepEqual(unexpected, []);
});

test("an answer comes as our own adapters give it: bots taken off, texts cleaned, counts that are none unknown", async (context) => {
  const gamedig = process(context);
  const server = await startA2sServer({ info: () => info });
  context.after(() => server.close());
  const result = await gamedig.query({ address, port: server.port }, { type: "arma3" });
  assert.ok(result.ok);
  assert.deepEqual(result.answer, {
    players: 5,
    bots: 2,
    maxPlayers: 64,
    version: "2.18",
    name: "Altis Life",
    map: "Altis",
    passwordProtected: true,
  });
  const raw = {
    players: "12",
    max: "0",
    bots: 0,
    version: "undefined",
    name: "<b>\u0000§cRed\u202e",
    map: -3,
    password: false,
  };
  assert.deepEqual(cleanAnswer(raw), { ...answerWithoutFigures, players: 12, name: "<b>Red" });
  for (const players of [-1, "-1", "many", null, 1.5, [], "9999999"]) {
    assert.equal(cleanAnswer({ ...raw, players }).players, null);
  }
  assert.equal(cleanAnswer({ ...raw, players: 3, bots: 9 }).players, 3);
  for (const bots of [-1, 2.5, Number.NaN]) {
    const answer = cleanAnswer({ ...raw, players: 7, bots });
    assert.deepEqual([answer.players, answer.bots], [7, null]);
  }
});

test("failures have our names, and a lost packet is no failure", async (context) => {
  const gamedig = process(context);
  const silent = await udpServer(context, () => null);
  const garbage = await udpServer(context, () => Buffer.from("\xff\xff\xff\xffI\x11", "latin1"));
  const flood = createSocket("udp4");
  context.after(() => flood.close());
  let whoAsked: RemoteInfo | null = null;
  flood.on("message", (_, from) => {
    whoAsked = from;
  });
  // Without an end: on a busy machine a good part of it is lost on the way.
  const pouring = setInterval(() => {
    for (let count = 0; whoAsked && count < 200; count++)
      flood.send(Buffer.alloc(1000, 0xff), whoAsked.port, whoAsked.address);
  }, 5);
  context.after(() => clearInterval(pouring));
  flood.bind(0, address);
  await once(flood, "listening");
  const ask = async (port: number, type = "arma3") =>
    failureOf(await gamedig.query({ address, port }, { type, deadlineMs: 1200 }));
  const [, flooded = "", ...named] = await Promise.all([
    ask(garbage),
    ask(flood.address().port),
    ask(silent),
    ask(silent, "openttd"),
  ]);
  assert.deepEqual(named, ["no_reply", "refused"]);
  // How much of a flood arrives in time is the machine's affair.
  assert.notEqual(flooded, "answered");
  clearInterval(pouring);
  let questions = 0;
  const lossy = await udpServer(context, (question) => {
    questions++;
    if (questions % 3 !== 0) return null;
    return Buffer.concat([
      Buffer.alloc(1),
      Buffer.from([1, 5, 735 & 255]),
      question.subarray(4),
      Buffer.from([0, 0, 0, 4, 0, 0, 0, 9, 0, 0, 0, 1]),
    ]);
  });
  const found = await gamedig.query({ address, port: lossy }, { type: "mumble" });
  assert.ok(found.ok && found.answer.players === 4 && found.answer.maxPlayers === 9);
  assert.equal(questions, 3);
});

test("a reply that blows up costs nobody else an answer, and who sent it is not asked again for a while", async (context) => {
  const gamedig = process(context);
  const healthy = await startA2sServer({ info: () => info });
  context.after(() => healthy.close());
  let bombs = 0;
  const hostile = await udpServer(context, () => {
    bombs++;
    return unpackingReply;
  });
  assert.ok(unpackingReply.length < 338);
  await gamedig.query({ address, port: healthy.port }, { type: "arma3" });
  const first = gamedig.pid();
  const slow = await udpServer(context, () => null);
  const [exploded, patient, ...others] = await Promise.all([
    gamedig.query({ address, port: hostile }, { type: "arma3" }),
    gamedig.query({ address, port: slow }, { type: "mumble", deadlineMs: 1000 }),
    ...Array.from({ length: 60 }, () => gamedig.query({ address, port: healthy.port }, { type: "arma3" })),
  ]);
  assert.equal(failureOf(exploded), "malformed");
  assert.equal(failureOf(patient), "no_reply", "what was under way is asked again");
  assert.ok(others.every((result) => result?.ok && result.answer.players === 5));
  assert.notEqual(gamedig.pid(), first);
  const before = bombs;
  const second = gamedig.pid();
  assert.equal(failureOf(await gamedig.query({ address, port: hostile }, { type: "arma3" })), "malformed");
  assert.equal(bombs, before);
  assert.ok((await gamedig.query({ address, port: healthy.port }, { type: "arma3" })).ok);
  assert.equal(gamedig.pid(), second);
});

test("a process that stands still for 5 s is replaced, and what it was asked is asked again", async (context) => {
  const gamedig = process(context);
  const healthy = await startA2sServer({ info: () => info });
  context.after(() => healthy.close());
  const ask = () => gamedig.query({ address, port: healthy.port }, { type: "arma3" });
  await ask();
  const first = gamedig.pid();
  assert.ok(first);
  globalThis.process.kill(first, "SIGSTOP");
  const began = performance.now();
  const results = await Promise.all([ask(), ask(), ask()]);
  const tookMs = performance.now() - began;
  assert.ok(results.every((result) => result.ok));
  assert.ok(tookMs > 4500, `${tookMs}`);
  assert.notEqual(gamedig.pid(), first);
});

test("a process that dies is replaced; at most 100 questions are under way", async (context) => {
  const gamedig = process(context);
  // Each question is for an address of its own, for one that stays without an answer knocks more than once.
  const knocked = new Set<string | undefined>();
  let settled = 0;
  let most = 0;
  const door = createServer((socket) => {
    socket.on("error", () => {}).resume();
    knocked.add(socket.localAddress);
    most = Math.max(most, knocked.size - settled);
  });
  door.listen(0, "0.0.0.0");
  await once(door, "listening");
  context.after(() => door.close());
  const { port } = door.address() as { port: number };
  const asked = Array.from({ length: 130 }, async (_, index) => {
    await gamedig.query({ address: `127.0.1.${index + 1}`, port }, { type: "openttd", deadlineMs: 2_000 });
    settled++;
  });
  const healthy = await startA2sServer({ info: () => info });
  context.after(() => healthy.close());
  await Promise.all(asked);
  assert.equal(knocked.size, 130);
  assert.ok(most > 1 && most <= 100, `${most} at once`);
  const pid = gamedig.pid();
  assert.ok(pid);
  globalThis.process.kill(pid, "SIGKILL");
  assert.ok((await gamedig.query({ address, port: healthy.port }, { type: "arma3" })).ok);
});
