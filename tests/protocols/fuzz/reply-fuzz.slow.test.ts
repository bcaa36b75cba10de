/** A million changed replies for the adapters' readers, others at each run; FUZZ_SEED repeats one. */
import { randomInt } from "node:crypto";
import { test } from "node:test";
import { fuzzAll, REPLY_READERS } from "./reply-fuzz.ts";

test("no changed reply of a million breaks what readers promise", (context) => {
  const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
  context.diagnostic(`seed ${seed}`);
  for (const line of fuzzAll(REPLY_READERS, 1_000_000, seed)) context.diagnostic(line);
});
