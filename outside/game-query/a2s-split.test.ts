/** A2S replies in several packets: joined within bounds, and never unpacked. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { type Reply, startUdpStranger } from "#tests/helpers/network/udp-stranger.ts";
import { queryA2s } from "./a2s-query.ts";
import type { QueryResult } from "./answer.ts";

/** Of a game server with five players. */
const INFO_REPLY = Buffer.from(
  "\xff\xff\xff\xffI\x11A server\0map\0folder\0game\0\0\0\x05\x14\0dl\0\x001.0\0",
  "latin1",
);

const failureOf = (result: QueryResult) => (result.ok ? null : result.failure);

/** Source's header of a split packet. */
function splitPacket(id: number, total: number, number: number, payload: Buffer): Buffer {
  const header = Buffer.from("\xfe\xff\xff\xff\0\0\0\0\0\0\xe0\x04", "latin1");
  header.writeInt32LE(id, 4);
  header[8] = total;
  header[9] = number;
  return Buffer.concat([header, payload]);
}

test("a split reply is joined in any order, doubles included, in all three forms", async (context) => {
  const whole = INFO_REPLY;
  const [head, tail] = [whole.subarray(0, 20), whole.subarray(20)];
  const goldSrc = (number: number, payload: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(`\xfe\xff\xff\xff\x07\0\0\0${String.fromCharCode(number * 16 + 2)}`, "latin1"),
      payload,
    ]);
  const oldSource = (number: number, payload: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`\xfe\xff\xff\xff\x07\0\0\0\x02${String.fromCharCode(number)}`, "latin1"), payload]);
  const replies = [
    [splitPacket(7, 2, 1, tail), splitPacket(7, 2, 1, tail), splitPacket(7, 2, 0, head)],
    [goldSrc(1, tail), goldSrc(0, head)],
    [oldSource(1, tail), oldSource(0, head)],
  ];
  const stranger = await startUdpStranger(context, (reply) => {
    for (const part of replies.shift() ?? []) reply(part);
  });
  for (const form of ["Source", "GoldSrc", "old Source"]) {
    const result = await queryA2s(stranger);
    assert.equal(result.ok && result.answer.players, 5, form);
  }
});

test("a compressed reply is refused unopened", async (context) => {
  const bomb = deflateSync(Buffer.alloc(50_000_000));
  const sizes = Buffer.alloc(8);
  sizes.writeUInt32LE(50_000_000);
  const stranger = await startUdpStranger(context, (reply) =>
    reply(splitPacket(-2_147_483_641, 1, 0, Buffer.concat([sizes, bomb.subarray(0, 300)]))),
  );
  const value = await queryA2s(stranger);
  assert.equal(failureOf(value), "malformed");
});

test("split replies beyond the bounds are malformed", async (context) => {
  const payload = Buffer.concat([INFO_REPLY, Buffer.alloc(1200)]);
  const floods: ((reply: Reply) => void)[] = [
    // Every packet begins another reply.
    (reply) => {
      for (let id = 1; id < 40; id++) reply(splitPacket(id, 2, 0, payload));
    },
    // More packets than 64 KB hold.
    (reply) => {
      for (let number = 0; number < 64; number++) reply(splitPacket(1, 64, number, payload));
    },
    (reply) => reply(splitPacket(1, 200, 0, payload)),
    (reply) => reply(splitPacket(1, 0, 0, payload)),
    (reply) => reply(splitPacket(1, 2, 0, payload).subarray(0, 11)),
    (reply) => {
      reply(splitPacket(1, 2, 0, payload));
      reply(splitPacket(1, 2, 5, payload));
    },
    (reply) => {
      reply(splitPacket(1, 2, 0, payload));
      reply(splitPacket(1, 3, 1, payload));
    },
    // A split reply of split replies.
    (reply) => reply(splitPacket(1, 1, 0, Buffer.from("\xff\xff\xff\xff\xff\xff\xff\xffIIIIIIIIII", "latin1"))),
  ];
  for (const flood of floods) {
    const stranger = await startUdpStranger(context, flood);
    assert.equal(failureOf(await queryA2s(stranger, { deadlineMs: 400 })), "malformed", flood.toString());
  }
});

test("half a split reply is a timeout", async (context) => {
  const stranger = await startUdpStranger(context, (reply) => reply(splitPacket(1, 2, 0, INFO_REPLY)));
  assert.equal(failureOf(await queryA2s(stranger, { deadlineMs: 200 })), "timeout");
});
