/** A million changed replies for the adapters' readers, others at each run; FUZZ_SEED repeats one. */
import { randomInt } from "node:crypto";
import { test } from "node:test";
import { fuzzAll } from "./reply-fuzz.ts";
import { REPLY_READERS } from "./reply-readers.ts";

const readers = Object.entries(REPLY_READERS).flatMap(([id, reader]) => (reader ? [[id, reader] as const] : []));

test("no changed reply of a million breaks what readers promise", (context) => {
  const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
  context.diagnostic(`seed ${seed}`);
  for (const line of fuzzAll(readers, 1_000_000, seed)) context.diagnostic(line);
});
