/** Luanti servers that lie or stammer, and that nothing stays taken at an honest one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startLuantiServer } from "#demo/protocols/luanti-server.ts";
import { startUdpStranger } from "#tests/helpers/network/udp-stranger.ts";
import { answerWithoutFigures } from "../answer.ts";
import { queryLuanti } from "./luanti.ts";

const given = (hex = "4f457403000100" + "03ffdc" + "0001" + "0007") => Buffer.from(hex, "hex");

test("what gives nobody a number is malformed", async (context) => {
  const lies = [
    Buffer.of(0x4f),
    Buffer.from("\xff\xff\xff\xffI\x11", "latin1"),
    Buffer.from("4f457404000100" + "03ffdc" + "0001" + "0007", "hex"),
    given().subarray(0, 13),
    Buffer.concat([given(), Buffer.of(0)]),
    given("4f457403000100" + "03ffdc" + "0001" + "0000"),
    given("4f457403000100" + "03ffdc" + "0001" + "0001"),
    Buffer.alloc(60_000, 0xff),
  ];
  for (const lie of lies) {
    const stranger = await startUdpStranger(context, (reply) => reply(lie));
    const result = await queryLuanti(stranger, { deadlineMs: 500 });
    assert.equal(result.ok ? "answered" : result.failure, "malformed", lie.toString("hex").slice(0, 40));
  }
});

test("other packets of the protocol are passed over, alone they are no answer", async (context) => {
  const ack = Buffer.from("4f45740300010000" + "00ffdc", "hex");
  const slow = await startUdpStranger(context, (reply) => {
    reply(ack);
    setTimeout(reply, 20, given());
  });
  const result = await queryLuanti(slow);
  assert.deepEqual(result.ok && result.answer, answerWithoutFigures);
  const stammering = await startUdpStranger(context, (reply) => reply(ack));
  const none = await queryLuanti(stammering, { deadlineMs: 200 });
  assert.equal(none.ok ? "answered" : none.failure, "timeout");
});

test("the number is given back, the one that was given", async (context) => {
  const heard: string[] = [];
  let asked = 0;
  const stranger = await startUdpStranger(context, (reply, question) => {
    heard.push(question.toString("hex"));
    // The first question is lost.
    if (heard.length > 1 && ++asked === 1) reply(given());
  });
  assert.ok((await queryLuanti(stranger)).ok);
  const server = await startLuantiServer({});
  context.after(() => server.close());
  for (let turn = 0; turn < 5; turn++) assert.ok((await queryLuanti({ address: "127.0.0.1", port: server.port })).ok);
  for (let wait = 0; server.taken.size > 0 && wait < 100; wait++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(server.taken.size, 0);
  assert.deepEqual(heard, ["4f45740300000001", "4f45740300000001", "4f4574030007" + "00" + "00" + "03"]);
});
