/** Every decision has the same shape, and the index names each of them. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const FOLDER = import.meta.dirname;
const files = readdirSync(FOLDER).filter((file) => file.endsWith(".md") && file !== "README.md");

/** What a page says of itself above its first heading; fails where it does not have the shape that the index shows. */
function read(file: string) {
  const text = readFileSync(path.join(FOLDER, file), "utf8");
  const shape =
    /^# (\d{3}) (\S.*)\n\n- Date: (\d{4}-\d{2}-\d{2})\n- Status: (accepted|superseded)\n- Supersedes: (none|\d{3}(?:, \d{3})*)\n- Superseded by: (none|\d{3})\n\n## Context\n\n(?:(?!## ).*\n)+## Decision\n\n(?:(?!## ).*\n)+## Consequences\n\n(?:(?!## ).*\n)+$/;
  const [, number = "", title = "", date = "", status = "", supersedes = "", successor = ""] = shape.exec(text) ?? [];
  assert.ok(number, `${file} does not have the shape that docs/decisions/README.md shows`);
  assert.ok(file.startsWith(`${number}-`), `${file} bears the number ${number}`);
  assert.equal(status === "superseded", successor !== "none", `${file}: its status and what supersedes it`);
  return {
    file,
    number,
    title,
    date,
    status,
    supersedes: supersedes === "none" ? [] : supersedes.split(", "),
    successor,
  };
}

test("every decision has its number, date, status and three parts, and two that replace each other say so both", () => {
  const pages = files.map(read);
  assert.ok(pages.length > 20);
  assert.deepEqual(
    pages.map(({ number }) => number),
    [...new Set(pages.map(({ number }) => number))],
    "no number twice",
  );
  for (const { file, number, supersedes, successor } of pages) {
    const named = (other: string) => pages.find((page) => page.number === other);
    for (const other of supersedes) assert.equal(named(other)?.successor, number, `${file} supersedes ${other}`);
    if (successor !== "none") assert.ok(named(successor)?.supersedes.includes(number), `${file} → ${successor}`);
  }
});

test("the index names every decision as it is", () => {
  const index = readFileSync(path.join(FOLDER, "README.md"), "utf8");
  const rows = [...index.matchAll(/^\| \[(\d{3})\]\(([^)]+)\) \| (.+) \| (\S+) \| (\S+) \|$/gm)].map(
    ([, number, file, title, date, status]) => ({ number, file, title, date, status }),
  );
  const pages = files.map(read).map(({ number, file, title, date, status }) => ({ number, file, title, date, status }));
  assert.deepEqual(rows, pages);
});
