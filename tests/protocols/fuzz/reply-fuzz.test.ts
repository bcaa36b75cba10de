/** Twenty thousand changed replies for the adapters' readers; a fault that is planted is found. A million: reply-fuzz.slow.test.ts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answerWithoutFigures } from "#outside/game-query/answer.ts";
import type { ReplyReader } from "#outside/game-query/reply-reader.ts";
import { checkRead, fuzz, fuzzAll, REPLY_READERS } from "./reply-fuzz.ts";

const all = REPLY_READERS.flatMap(([, { golden }]) => golden);

test("each reply that is fuzzed is read to an answer before it is changed", () => {
  for (const [id, reader] of REPLY_READERS) {
    for (const golden of reader.golden) {
      const read = reader.read(golden);
      assert.ok(read.answer !== null, `${id}: ${golden.toString("latin1")}`);
      checkRead(read);
      assert.notEqual(read.answer.players, 0, id);
    }
    const answers = reader.golden.map((golden) => reader.read(golden).answer);
    assert.ok(
      answers.some((answer) => (answer?.players ?? 0) > 0),
      id,
    );
    for (const what of ["name", "version"] as const)
      assert.equal(
        answers.every((answer) => (answer?.[what] ?? null) === null),
        reader.untold?.includes(what) ?? false,
        `${id}: ${what}`,
      );
  }
});

test("no changed reply makes a reader throw, tell what nobody may rely on, or take its time", (context) => {
  for (const line of fuzzAll(REPLY_READERS, 20_000, 1)) context.diagnostic(line);
});

test("a fault that is planted is found", () => {
  const golden = [Buffer.from("players=7;name=Midgard;")];
  const told = (reply: Buffer) => /players=(\d+);name=([^;]*);/.exec(reply.toString());
  const faulty: Record<string, ReplyReader["read"]> = {
    "reads over the end": (reply) => ({ answer: { ...answerWithoutFigures, players: reply.readUInt8(16) } }),
    "does not clamp": (reply) => ({ answer: { ...answerWithoutFigures, players: Number(told(reply)?.[1] ?? 0) } }),
    "does not clean": (reply) => ({
      answer: { ...answerWithoutFigures, name: told(reply)?.[2]?.trim().slice(0, 100) || null },
    }),
    "does not shorten": (reply) => ({ answer: null, texts: [told(reply)?.[2]?.replaceAll(/[^!-~]/g, "") || null] }),
    "takes its time": (reply) => {
      const text = reply.toString("latin1");
      let seen = "";
      for (const sign of text) if (!seen.split("").includes(sign) || seen.length < 2000) seen = `${seen}${sign}`;
      return { answer: null };
    },
  };
  for (const [name, read] of Object.entries(faulty))
    assert.throws(() => fuzz(name, { golden, read }, all, 20_000, 1), /seed 1, reply \d+/, name);
  const sound: ReplyReader["read"] = () => ({ answer: null });
  assert.equal(fuzz("sound", { golden, read: sound }, all, 1000, 1), 0);
});
