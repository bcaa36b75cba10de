/** The memory of live streams: refusals first, then who gives way to whom. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { askerOfAccount, askerOfAddress } from "../request/fair-queue.ts";
import { ANY_VISITOR, createStreamMemory, type StreamPlace, streamBytes } from "./stream-memory.ts";

const ONE = 1_000;
/** Room for 320 streams of 1,000 bytes: 10 for a client, 40 for a network, 240 for visitors. */
const open = () => {
  const memory = createStreamMemory(320 * ONE);
  const ended: string[] = [];
  return {
    ended,
    take(asker: Parameters<typeof memory.take>[0], bytes = ONE): StreamPlace | "own" | "all" {
      const place = memory.take(asker, bytes, () => {
        ended.push(asker.network);
        if (typeof place !== "string") place.leave();
      });
      return place;
    },
  };
};
const subnet = (network: number, n: number) => askerOfAddress(`2001:db8:${network}:${n}::1`);

test("a client, and a network, takes no more than its part; a stream that ends or shrinks makes room", () => {
  const { take } = open();
  const own = Array.from({ length: 10 }, () => take(askerOfAddress("192.0.2.1")));
  assert.equal(own.filter((place) => typeof place === "string").length, 0);
  assert.equal(take(askerOfAddress("192.0.2.1")), "own");
  assert.equal(typeof take(askerOfAddress("192.0.2.2")), "object");

  for (let n = 0; n < 40; n += 1) assert.equal(typeof take(subnet(7, n)), "object");
  assert.equal(take(subnet(7, 99)), "own");
  assert.equal(typeof take(subnet(8, 1)), "object");

  const [first, second] = own as StreamPlace[];
  assert.equal(first?.resize(2 * ONE), false, "it grows no more than the client may");
  second?.leave();
  second?.leave();
  assert.equal(first?.resize(2 * ONE), true);
  assert.equal(take(askerOfAddress("192.0.2.1")), "own");
  assert.equal(first?.resize(ONE), true);
  assert.equal(typeof take(askerOfAddress("192.0.2.1")), "object");
});

test("where visitors take all, the network with most gives way to one with less, and members have their own room", () => {
  const { take, ended } = open();
  for (let network = 1; network <= 6; network += 1) {
    for (let n = 0; n < 40; n += 1) assert.equal(typeof take(subnet(network, n)), "object");
  }
  for (let n = 0; n < 20; n += 1) assert.equal(typeof take(askerOfAddress(`192.0.2.${n}`)), "object", `visitor ${n}`);
  assert.equal(ended.length, 20);
  assert.equal(new Set(ended).size, 6, "each of the six in turn");
  assert.equal(take(subnet(1, 99)), "all", "not to one that holds as much itself");
  assert.equal(take(ANY_VISITOR, 50 * ONE), "all");

  for (let n = 0; n < 80; n += 1) assert.equal(typeof take(askerOfAccount("members", `member ${n}`)), "object");
  assert.equal(ended.length, 20, "no visitor's stream ended for the members' part");
  assert.equal(typeof take(askerOfAccount("members", "one more")), "object");
  assert.equal(ended.length, 21);
});

test("unread bytes count: a client whose streams don't read is stopped before others are", () => {
  const { take, ended } = open();
  const slow = Array.from({ length: 5 }, () => take(askerOfAddress("192.0.2.1"))) as StreamPlace[];
  assert.deepEqual(
    slow.map((place) => place.resize(3 * ONE)),
    [true, true, false, false, false],
  );
  assert.equal(typeof take(askerOfAddress("192.0.2.2")), "object");
  assert.deepEqual(ended, []);
  assert.ok(streamBytes(600, 64 * 1024) > streamBytes(600) && streamBytes(600) > streamBytes(0));
});
