/** Teeworlds and DDNet servers that lie or stammer, and what honest ones of each kind tell. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTeeworldsServer, type TeeworldsInfo } from "#demo/protocols/teeworlds-server.ts";
import { type Reply, startUdpStranger } from "#tests/helpers/network/udp-stranger.ts";
import type { QueryResult } from "../answer.ts";
import { queryTeeworlds } from "./teeworlds.ts";
import { readPacked, readTexts } from "./teeworlds-info.ts";

const failureOf = (result: QueryResult) => (result.ok ? "answered" : result.failure);
const bytes = (latin1: string) => Buffer.from(latin1, "latin1");
const outside6 = "\xff".repeat(10);

/** The one byte that 0.6 gives back, and the three that DDNet does. */
const tokenOf = (question: Buffer) => ({
  plain: question.at(-1) ?? 0,
  extended: (question.readUInt16BE(2) << 8) | (question.at(-1) ?? 0),
});
const isFor6 = (question: Buffer) => question.toString("latin1", 0, 2) === "xe";
const isTokenRequest = (question: Buffer) => question.length === 519;

const infoOf6 = (token: number, name = "A server", figures = ["3", "8", "5", "16"]) =>
  bytes(`${outside6}inf3${[token, "0.6.5", name, "ctf5", "CTF", 0, ...figures, ""].join("\0")}`);
const infoOfDdnet = (token: number, people = "70") =>
  bytes(
    `${outside6}iext${[token, "0.6.4, 19.1", "DD", "Multeasymap", 1, 2, "DDraceNetwork", 1, 60, 126, people, 128, "", ""].join("\0")}`,
  );
/** 0.7: nonce 0, five texts, and the packed numbers 0, 1, 4, 8, 5, 16. */
const infoOf7 = (question: Buffer, version = "0.7.5", numbers = "\0\x01\x04\x08\x05\x10") =>
  Buffer.concat([
    Buffer.of(0x21),
    question.subarray(5, 9),
    question.subarray(1, 5),
    bytes("\xff\xff\xff\xffinf3\0"),
    Buffer.from(`${version}\0A server\0\0dm1\0DM\0`),
    bytes(numbers),
  ]);
const tokenFor = (question: Buffer, token: string) =>
  Buffer.concat([Buffer.of(4, 0, 0), question.subarray(8, 12), Buffer.of(5), bytes(token)]);

test("what is no information of a server is malformed, and cut short anywhere it is never half a number", async (context) => {
  const lies: ((reply: Reply, question: Buffer) => void)[] = [
    (reply) => reply(bytes("hello")),
    (reply) => reply(bytes(`${outside6}gie3`)),
    (reply) => reply(bytes(`${outside6}constructor`)),
    (reply) => reply(Buffer.alloc(1400, 0xff)),
    (reply) => reply(Buffer.alloc(1400, 0x21)),
    (reply) => reply(Buffer.alloc(1400, 0x04)),
    (reply, question) => isFor6(question) && reply(bytes(`${outside6}inf3${tokenOf(question).plain}\0`)),
  ];
  for (const lie of lies) {
    const stranger = await startUdpStranger(context, lie);
    assert.equal(failureOf(await queryTeeworlds(stranger, { deadlineMs: 500 })), "malformed", lie.toString());
  }
  const [plain, extended] = [infoOf6(7), infoOfDdnet(7)];
  const packed = infoOf7(Buffer.alloc(9));
  assert.ok(readTexts(plain, 6, "plain") && readTexts(extended, 6, "extended") && readPacked(packed, 9));
  for (let length = 14; length < plain.length - 1; length++)
    assert.equal(readTexts(plain.subarray(0, length), 6, "plain"), null);
  for (let length = 14; length < extended.length - 2; length++) {
    assert.equal(readTexts(extended.subarray(0, length), 6, "extended"), null);
  }
  for (let length = 17; length < packed.length; length++) assert.equal(readPacked(packed.subarray(0, length), 9), null);
});

test("a reply to somebody else's question is not heard, whichever form it has", async (context) => {
  const others: ((reply: Reply, question: Buffer) => void)[] = [
    (reply, question) => isFor6(question) && reply(infoOf6(tokenOf(question).plain ^ 1)),
    (reply, question) => isFor6(question) && reply(infoOfDdnet(tokenOf(question).extended ^ 0x10000)),
    (reply, question) => isTokenRequest(question) && reply(tokenFor(Buffer.alloc(20), "abcd")),
    (reply, question) => {
      if (isTokenRequest(question)) reply(tokenFor(question, "abcd"));
      else if (question[0] === 0x21) reply(infoOf7(Buffer.alloc(9)));
    },
  ];
  for (const other of others) {
    const stranger = await startUdpStranger(context, other);
    assert.equal(failureOf(await queryTeeworlds(stranger, { deadlineMs: 300 })), "timeout", other.toString());
  }
});

test("endless tokens end, and one repeated for ever is taken once", async (context) => {
  let tokens = 0;
  const endless = await startUdpStranger(context, (reply, question) => {
    const asked = isTokenRequest(question) ? question : Buffer.concat([Buffer.alloc(8), question.subarray(5, 9)]);
    if (!isFor6(question)) reply(tokenFor(asked, String(++tokens).padStart(4, "0")));
  });
  assert.equal(failureOf(await queryTeeworlds(endless, { deadlineMs: 500 })), "malformed");
  assert.ok(tokens <= 6, `${tokens} tokens`);
  let questions = 0;
  const stammering = await startUdpStranger(context, (reply, question) => {
    questions++;
    if (isTokenRequest(question)) for (let copy = 0; copy < 100; copy++) reply(tokenFor(question, "abcd"));
  });
  assert.equal(failureOf(await queryTeeworlds(stammering, { deadlineMs: 250 })), "timeout");
  assert.ok(questions <= 4, `${questions} questions`);
});

test("figures that are none are unknown or clamped, and texts are cleaned", async (context) => {
  const told = async (reply: (question: Buffer) => Buffer) => {
    const stranger = await startUdpStranger(context, (answer, question) => isFor6(question) && answer(reply(question)));
    const result = await queryTeeworlds(stranger);
    assert.ok(result.ok, JSON.stringify(result));
    return result.answer;
  };
  for (const [people, players] of [
    ["-1", null],
    ["5x", null],
    ["", null],
    ["999999999", 100_000],
  ] as const) {
    assert.equal((await told((question) => infoOfDdnet(tokenOf(question).extended, people))).players, players);
  }
  const odd = await told((question) => infoOf6(tokenOf(question).plain, `\x07\x1b[1m${"long ".repeat(100)}`));
  assert.ok(odd.name?.startsWith("[1mlong long") && odd.name.length <= 100);
  const numbers = readPacked(infoOf7(Buffer.alloc(9), "0.7.5", "\0\x01\x04\x08\x45\xbf\xff\xff\xff\x0f"), 9)?.answer;
  assert.deepEqual([numbers?.players, numbers?.maxPlayers], [null, 100_000]);
  assert.equal(
    readPacked(infoOf7(Buffer.alloc(9), "0.7.5", "\0\x01\x04\x08\xff\xff\xff\xff\xff\xff\xff\xff"), 9),
    null,
  );
});

test("figures behind a name are the true ones only where the old form has no room for them", () => {
  const read = (name: string, people: string, most: string) => {
    const {
      players,
      maxPlayers,
      name: shown,
    } = readTexts(infoOf6(1, name, ["1", most, people, most]), 6, "plain")?.answer ?? {};
    return [players, maxPlayers, shown];
  };
  assert.deepEqual(read("Multeasymap [47/64]", "15", "16"), [47, 64, "Multeasymap"]);
  assert.deepEqual(read("Our cup [3/4]", "5", "16"), [5, 16, "Our cup [3/4]"]);
  assert.deepEqual(read("Plain", "5", "16"), [5, 16, "Plain"]);
});

test("a server that speaks both is heard in the form that leaves nobody out", async (context) => {
  const stranger = await startUdpStranger(context, (reply, question) => {
    if (isTokenRequest(question)) reply(tokenFor(question, "abcd"));
    else if (question[0] === 0x21) reply(infoOf7(question, "0.7↔0.6.4, 19.1"));
    else if (isFor6(question)) setTimeout(() => reply(infoOfDdnet(tokenOf(question).extended)), 60);
  });
  const result = await queryTeeworlds(stranger);
  assert.deepEqual(result.ok && [result.answer.players, result.answer.maxPlayers], [70, 128]);
});

test("servers of 0.6, 0.7 and DDNet tell who is on, with those who watch, and which game it is", async (context) => {
  const info: TeeworldsInfo = {
    ...{ name: "Midgard", map: "ctf5", gameType: "CTF", version: "0.7.5" },
    ...{ players: 47, watching: 7, maxPlayers: 64, hasPassword: true },
  };
  for (const [protocol, game] of [
    ["0.6", "Teeworlds"],
    ["0.7", "Teeworlds"],
    ["ddnet", "DDNet"],
  ] as const) {
    const server = await startTeeworldsServer({ protocol, info: () => info });
    context.after(() => server.close());
    let heard: string | null = null;
    const place = { address: "127.0.0.1", port: server.port };
    const result = await queryTeeworlds(place, {
      onAbout: (about) => {
        heard = about.game;
      },
    });
    assert.ok(result.ok, JSON.stringify(result));
    const { players, maxPlayers, name, map, version, passwordProtected } = result.answer;
    assert.deepEqual(
      [players, maxPlayers, name, map, version, passwordProtected, heard],
      [47, 64, "Midgard", "ctf5", "0.7.5", true, game],
      protocol,
    );
  }
});
