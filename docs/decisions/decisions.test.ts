/** Checks that every decision has the same shape, that the index lists each one, and that links to decisions lead somewhere. */
import assert from "node:assert/strict";
import { globSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const FOLDER = import.meta.dirname;
const ROOT = path.join(FOLDER, "../..");
const files = readdirSync(FOLDER).filter((file) => file.endsWith(".md") && file !== "README.md");

const SHAPE =
  /^# (\d{3}) (\S.*)\n\nDate: \d{4}-\d{2}-\d{2}\n\n## Context\n\n(?:(?!## ).*\n)+## Decision\n\n(?:(?!## ).*\n)+## Consequences\n\n(?:(?!## ).*\n)+(?:## Rejected alternatives\n\n(?:(?:- | {2})\S.*\n)+)?$/;
const SHORTEST = 60;
const LONGEST = 150;
/** A table with a row for each place in which we rely on a package's internals. */
const TABLE = "027";

/** Number and title of a decision. */
function read(file: string) {
  const text = readFileSync(path.join(FOLDER, file), "utf8");
  const [, number = "", title = ""] = SHAPE.exec(text) ?? [];
  assert.ok(number, `${file}: needs title, date, Context, Decision, Consequences and, if any, Rejected alternatives`);
  assert.ok(file.startsWith(`${number}-`), `${file}: its title has the number ${number}`);
  const words = text.split(/\s+/).filter(Boolean).length;
  if (number !== TABLE) assert.ok(words >= SHORTEST && words <= LONGEST, `${file}: has ${words} words`);
  return { number, file, title };
}

test("every decision has a number of its own and the same parts, and is short", () => {
  const numbers = files.map((file) => read(file).number);
  assert.ok(numbers.length > 20);
  assert.deepEqual(numbers, [...new Set(numbers)]);
});

test("the index lists every decision once", () => {
  const index = readFileSync(path.join(FOLDER, "README.md"), "utf8");
  const listed = [...index.matchAll(/^- \[(\d{3})\]\(([^)]+)\) (.+)$/gm)].map(
    ([, number = "", file = "", title = ""]) => ({
      number,
      file,
      title,
    }),
  );
  const byNumber = listed.toSorted((a, b) => a.number.localeCompare(b.number));
  assert.deepEqual(byNumber, files.map(read));
});

test("links to decisions in the documents lead to one that is there", () => {
  const documents = globSync(["*.md", "docs/*.md", "docs/decisions/*.md"], { cwd: ROOT });
  for (const document of documents) {
    const text = readFileSync(path.join(ROOT, document), "utf8");
    for (const [, target = ""] of text.matchAll(/\]\((?:[\w./]*decisions\/)?(\d{3}-[^)#]+\.md)/g))
      assert.ok(files.includes(target), `${document}: ${target}`);
  }
});
