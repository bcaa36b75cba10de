/** A newcomer finds a file in seconds: no folder holds more than a screenful of code. */
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const MOST = 25;
/** Maps of one kind of file, in which each file is found by its name. */
const MAPS = ["db/schema"];
const NOT_CODE_OF_OURS = [
  "**/node_modules",
  "build",
  "data",
  "demo-data",
  "test-results",
  "app/paraglide",
  ".react-router",
];

test(`no folder holds more than ${MOST} code files, tests not counted`, () => {
  const root = path.join(import.meta.dirname, "..");
  const files = globSync("**/*.{ts,tsx,mts,mjs}", { cwd: root, exclude: NOT_CODE_OF_OURS });
  const counts = new Map<string, number>();
  for (const file of files) {
    if (/\.(?:test|spec)\.tsx?$|\.d\.m?ts$/.test(file)) continue;
    const folder = path.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  assert.ok((counts.get("web/request") ?? 0) > 5, "the code was found");
  const full = [...counts].filter(([folder, count]) => count > MOST && !MAPS.includes(folder));
  assert.deepEqual(full, []);
});
