/** What the one page lists is asked for somewhere: a right that nobody asks for protects nothing. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

test("every right that is listed is asked for", () => {
  const cwd = path.join(import.meta.dirname, "..");
  const listed =
    readFileSync(path.join(import.meta.dirname, "permissions.ts"), "utf8").match(/"[a-z]+:[a-z-]+"/g) ?? [];
  assert.ok(listed.length > 5);
  const sources = globSync("{app/routes,web}/**/*.{ts,tsx}", { cwd, exclude: ["**/*.test.ts"] })
    .map((file) => readFileSync(path.join(cwd, file), "utf8"))
    .join("\n");
  assert.deepEqual(
    listed.filter((right) => !sources.includes(right)),
    [],
  );
});
