/** Game servers that lie, flood, stammer and fall silent over A2S. */
import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { startA2sServer } from "#demo/protocols/a2s-server.ts";
import { startUdpStranger } from "#tests/helpers/udp-stranger.ts";
import { queryA2s } from "./a2s.ts";
import type { QueryResult } from "./answer.ts";

function packet(latin1: string): Buffer {
  return Buffer.from(`\xff\xff\xff\xff${latin1}`, "latin1");
}

function infoReply(
  fields: { name?: string; players?: number; max?: number; bots?: number; rest?: string } = {},
): Buffer {
  const { name = "A server", players = 5, max = 20, bots = 0, rest = "1.0\0" } = fields;
  const counts = Buffer.from([players, max, bots]).toString("latin1");
  return Buffer.concat([
    packet("I\x11"),
    Buffer.from(name),
    Buffer.from(`\0map\0folder\0game\0\0\0${counts}dl\0\0${rest}`, "latin1"),
  ]);
}

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

test("a closed port is refused in milliseconds", async (context) => {
  const server = await startA2sServer({
    info: () => ({ name: "", map: "", folder: "", game: "", players: 0, maxPlayers: 0, version: "" }),
  });
  await server.close();
  const { value, ms } = await timed(queryA2s({ address: "127.0.0.1", port: server.port }));
  assert.equal(failureOf(value), "refused");
  assert.ok(ms < 500, `${ms} ms`);
  context.diagnostic(`${ms.toFixed(1)} ms`);
});

test("silence is no_reply at the deadline, after four tries", async (context) => {
  let questions = 0;
  const stranger = await startUdpStranger(context, () => questions++);
  const { value, ms } = await timed(queryA2s(stranger));
  assert.equal(failureOf(value), "no_reply");
  assert.equal(questions, 4);
  assert.ok(ms > 1900 && ms < 3000, `${ms} ms`);
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
  const { value, ms } = await timed(queryA2s(stranger));
  assert.equal(failureOf(value), "malformed");
  assert.equal(challenges, 5);
  assert.ok(ms < 500, `${ms} ms`);
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

test("a reply cut short anywhere is malformed, and never half a number", async (context) => {
  const whole = infoReply();
  let length = 6;
  const stranger = await startUdpStranger(context, (reply) => reply(whole.subarray(0, length)));
  for (; length < whole.length; length++) {
    assert.equal(failureOf(await queryA2s(stranger, { deadlineMs: 500 })), "malformed", `${length} bytes`);
  }
  assert.equal(playersOf(await queryA2s(stranger)), 5);
});

test("script, colours and control characters in the name become plain text", async (context) => {
  const name = `\u202e§4<script>alert("x")</script>\x07\n${"long ".repeat(200)}`;
  const stranger = await startUdpStranger(context, (reply) => reply(infoReply({ name })));
  const result = await queryA2s(stranger);
  assert.ok(result.ok);
  assert.match(result.answer.name ?? "", /^<script>alert\("x"\)<\/script> long long/);
  assert.ok((result.answer.name ?? "").length <= 100);
});

test("bots are no people, and more bots than players were never counted among them", async (context) => {
  const counts: { players: number; bots: number }[] = [
    { players: 12, bots: 4 },
    { players: 4, bots: 4 },
    { players: 2, bots: 6 },
  ];
  const stranger = await startUdpStranger(context, (reply) => reply(infoReply(counts.shift())));
  for (const [players, bots] of [
    [8, 4],
    [0, 4],
    [2, 6],
  ]) {
    const result = await queryA2s(stranger);
    assert.deepEqual(result.ok && [result.answer.players, result.answer.bots], [players, bots]);
  }
});

test("whether it asks for a password is heard, of The Ship too, which puts bytes of its own behind it", async (context) => {
  const reply = (appId: string, flag: number, own = "") =>
    packet(`I\x11n\0m\0folder\0game\0${appId}\x05\x14\0dl${String.fromCharCode(flag)}\x01${own}1.0\0\0`);
  const ship = "\x60\x09";
  const replies = [reply("\0\0", 0), reply("\0\0", 1), reply(ship, 0, "\x01\x02\x03"), reply(ship, 1, "\x01\x02\x03")];
  const stranger = await startUdpStranger(context, (answer) => answer(replies.shift() ?? packet("?")));
  for (const expected of [false, true, false, true]) {
    const result = await queryA2s(stranger);
    assert.deepEqual(result.ok && [result.answer.passwordProtected, result.answer.version], [expected, "1.0"]);
  }
});

test("extra data is read past to Valheim's true version, and a lie in it does no harm", async (context) => {
  const valheim = (version: string, extra: string): Buffer =>
    Buffer.concat([
      packet("I\x11"),
      Buffer.from(`n\0m\0valheim\0\0\0\0\x01\x0a\0dl\0\0${version}\0${extra}`, "latin1"),
    ]);
  const everything = `\xf0\x98\x0912345678\x69\x87tv\0g=0.220.5,n=34,m=\0`;
  const replies = [valheim("1.0.0.0", everything), valheim("1.0.0.0", "\xf0\x98"), valheim("1.0.0.0", "\x20<b>\0")];
  const stranger = await startUdpStranger(context, (reply) => reply(replies.shift() ?? packet("")));
  const versions: (string | null)[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const result = await queryA2s(stranger);
    versions.push(result.ok ? result.answer.version : "failed");
  }
  assert.deepEqual(versions, ["0.220.5", "1.0.0.0", "1.0.0.0"]);
});

test("a count that a byte cannot hold is read from the keywords, and a lie in them is no count", async (context) => {
  const RUST = "\x4a\xda\x03";
  /** An info reply with these bytes for players and maximum, these keywords and, where given, this app id. */
  const told = (players: number, max: number, keywords: string, appId = "") =>
    infoReply({ players, max, rest: `1.0\0${appId ? "\x21" : "\x20"}${keywords}\0${appId && `${appId}\0\0\0\0\0`}` });
  const table: [Buffer, number, number][] = [
    // The byte that ends at 255, and the one that begins again.
    [told(255, 255, "mp400,cp312,ptrak,qp7", RUST), 312, 400],
    [told(56, 144, "mp400,cp312,ptrak,qp7", RUST), 312, 400],
    [told(255, 255, "mp400,cp312"), 312, 400],
    [told(56, 144, "x;cp312;mp400"), 312, 400],
    // Rust's byte lags behind, and its queue is not on.
    [told(90, 100, "mp100,cp88,qp40", RUST), 88, 100],
    // A word that means something else, beside a byte that holds the truth.
    [told(20, 24, "cp,cp5,mp64"), 20, 24],
    [told(20, 24, "cp999,mp300"), 20, 24],
    [told(255, 255, "mp"), 255, 255],
    // Lies.
    [told(255, 255, "mp400000,cp999999999", RUST), 255, 255],
    [told(255, 255, "mp-400,cp-3", RUST), 255, 255],
    [told(255, 255, "cp300,cp301,mp400,mp400", RUST), 255, 400],
    [told(255, 255, "cp3e2,mp0x200,cp٣١٢", RUST), 255, 255],
    [told(255, 255, "cp256,".repeat(2_000), RUST), 256, 255],
  ];
  let reply = packet("");
  const stranger = await startUdpStranger(context, (send) => send(reply));
  for (const [sent, players, maxPlayers] of table) {
    reply = sent;
    const result = await queryA2s(stranger);
    const line = sent.toString("latin1").slice(40, 90);
    assert.deepEqual(result.ok && [result.answer.players, result.answer.maxPlayers], [players, maxPlayers], line);
  }
});

test("Battalion 1944 and Soulmask are asked for their rules, and what those do not tell is unknown", async (context) => {
  const server = async (appId: number, rules: Record<string, string>) => {
    const info = {
      name: "n",
      map: "m",
      folder: "f",
      game: "g",
      players: 1,
      maxPlayers: 2,
      version: "1.0",
      appId,
      rules,
    };
    const { port, close } = await startA2sServer({ info: () => info });
    context.after(close);
    const result = await queryA2s({ address: "127.0.0.1", port });
    assert.ok(result.ok);
    const { players, maxPlayers, version, name, passwordProtected } = result.answer;
    return [players, maxPlayers, version, name, passwordProtected];
  };
  const battalion = { bat_name_s: "Omaha", bat_player_count_s: "17", bat_max_players_i: "18", bat_map_s: "wrong" };
  assert.deepEqual(await server(489940, { ...battalion, bat_has_password_s: "Y" }), [17, 18, "1.0", "Omaha", true]);
  const hostile = { bat_player_count_s: "-3", bat_max_players_i: "1e9", bat_name_s: "\u0007", bat_has_password_s: "?" };
  assert.deepEqual(await server(489940, hostile), [null, null, "1.0", "n", false]);
  assert.deepEqual(await server(2646460, { NO_s: "1.2.3" }), [1, 2, "1.2.3", "n", false]);
  assert.deepEqual(await server(2646460, {}), [1, 2, null, "n", false]);
  assert.deepEqual(
    await server(108600, { NO_s: "9", ...battalion }),
    [1, 2, "1.0", "n", false],
    "asked of nobody else",
  );

  // The rules stay without an answer, are cut short, or come in the name of another list.
  const battalionInfo = infoReply({ rest: "1.0\0\x01\xd4\x79\x07\0\0\0\0\0" });
  const replies: (Buffer | null)[] = [null, packet("E\x09\0bat_player_count_s\0"), packet("E\x01\0"), packet("D\0")];
  const stranger = await startUdpStranger(context, (reply, question) => {
    if (question[4] === 0x54) return reply(battalionInfo);
    const rules = replies[0];
    if (rules) reply(rules);
  });
  for (const _ of replies.slice()) {
    const result = await queryA2s(stranger, { deadlineMs: 200 });
    assert.deepEqual(result.ok && [result.answer.players, result.answer.maxPlayers, result.answer.name], [
      null,
      null,
      "A server",
    ]);
    replies.shift();
  }
  const both = await queryA2s(
    await startUdpStranger(context, (reply, question) => {
      const list = question[4] === 0x56 ? packet("E\x01\0bat_max_players_i\x0018\0") : packet("D\0");
      reply(question[4] === 0x54 ? battalionInfo : list);
    }),
    { countFromPlayerList: true },
  );
  assert.deepEqual(both.ok && [both.answer.players, both.answer.maxPlayers], [0, 18], "rules, then the player list");
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

test("the player list is counted for ARK; without it the count is unknown, and the server still up", async (context) => {
  const entry = "\0name\0\0\0\0\0\0\0\0\0";
  const lists: (Buffer | null)[] = [
    packet(`D\x02${entry}${entry}`),
    packet("D\0"),
    packet(`D\x02${entry}${entry.slice(0, 8)}`),
    packet(`D\x01${entry}xyz`),
    null,
    packet("Z"),
  ];
  const stranger = await startUdpStranger(context, (reply, question) => {
    if (question[4] === 0x54) return reply(infoReply({ players: 70 }));
    const list = lists.shift();
    if (list) reply(list);
  });
  const counted: (number | null | "failed")[] = [];
  for (let turn = 0; turn < 6; turn++) {
    counted.push(playersOf(await queryA2s(stranger, { countFromPlayerList: true, deadlineMs: 250 })));
  }
  assert.deepEqual(counted, [2, 0, null, 1, null, null]);
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

test("names are read only where they are wanted, and a list that does not come costs only itself", async (context) => {
  const info = () => ({ name: "x", map: "", folder: "x", game: "x", players: 3, maxPlayers: 9, version: "1" });
  const names = ["Ada", "", "Ada", "\u202eBob\u0000", "§cCleo", "x".repeat(500)];
  const server = await startA2sServer({ info, playerNames: () => names });
  context.after(() => server.close());
  const target = { address: "127.0.0.1", port: server.port };
  for (const options of [{}, { countFromPlayerList: true }]) {
    const plain = await queryA2s(target, options);
    assert.ok(plain.ok && !("playerNames" in plain.answer));
  }
  const named = await queryA2s(target, { wantsNames: true });
  assert.ok(named.ok);
  assert.equal(named.answer.players, 3, "the count stays that of the info");
  assert.deepEqual(named.answer.playerNames, ["Ada", "Bob", "Cleo", "x".repeat(32)]);

  const silent = await startUdpStranger(context, (reply, question) => {
    if (question[4] === 0x54) reply(infoReply());
  });
  const without = await queryA2s(silent, { wantsNames: true, deadlineMs: 250 });
  assert.equal(playersOf(without), 5);
  assert.ok(without.ok && without.answer.playerNames === undefined);
});
