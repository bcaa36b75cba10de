import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { fromTexts, list, toTexts } from "./form-text.ts";

const shape = z.object({
  entries: list(20, 60),
  number: z.int().nullable(),
  moment: z.iso.datetime().nullable(),
  tick: z.boolean(),
  text: z.string(),
});
const read = (entries: string) => shape.shape.entries.parse(fromTexts(shape, { entries }).entries);

test("a list is the same after it was shown and read again, whatever its entries are made of", () => {
  for (const entries of [
    ["Frankfurt, Germany", "Finland"],
    ['"Best" Mods', '"', '""', '"a', 'a"', 'a", b', '"a, b"', ",", '",', ',"'],
    ["“Best”", "„Gut“, besser", "”", "it’s"],
    ["a".repeat(60), `${"a".repeat(59)},`],
    [],
  ]) {
    assert.deepEqual(read(toTexts(shape, { entries }).entries), entries);
  }
});

test("people write lists in many ways", () => {
  for (const [text, entries] of [
    ["Germany, Finland,germany ,, Finland", ["Germany", "Finland", "germany"]],
    ["JEI\r\nCreate\n\n  Distant   Horizons", ["JEI", "Create", "Distant Horizons"]],
    [' "Frankfurt, Germany" , Finland', ["Frankfurt, Germany", "Finland"]],
    ["„Frankfurt, Hessen“, “Reading, UK”", ["Frankfurt, Hessen", "Reading, UK"]],
    ['"left open, Finland', ['"left open', "Finland"]],
    ['"Best" of, Finland', ['"Best" of', "Finland"]],
    [" ,\n", []],
  ] as const)
    assert.deepEqual(read(text), entries, text);
  const before = process.cpuUsage();
  for (const quotes of [',""",""x', '"', '"a,', ',"""', ' "a" "']) fromTexts(shape, { entries: quotes.repeat(50_000) });
  assert.ok(process.cpuUsage(before).user < 5_000_000, "a text of quotes takes no longer than its length");
});

test("what a form sends becomes what the shape wants, and is shown as it was", () => {
  const texts = { number: " 20 ", moment: "2026-11-20T18:30", tick: true, text: " as it is " };
  const values = { number: 20, moment: "2026-11-20T18:30:00Z", tick: true, text: " as it is " };
  assert.deepEqual(fromTexts(shape, texts), values);
  assert.deepEqual(toTexts(shape, values), { ...texts, number: "20" });
  assert.deepEqual(fromTexts(shape, { number: "", moment: "" }), { number: null, moment: null });
  assert.deepEqual(toTexts(shape, { number: null, moment: null }), { number: "", moment: "" });
  for (const number of ["1e3", "-1", "0x10", "1.5", "1234567890", "1 2"])
    assert.equal(shape.shape.number.safeParse(fromTexts(shape, { number }).number).success, false, number);
  for (const moment of ["tomorrow", "2026-02-30T10:00", "2026-11-20", "2026-11-20T18:30Z"])
    assert.equal(shape.shape.moment.safeParse(fromTexts(shape, { moment }).moment).success, false, moment);
});
