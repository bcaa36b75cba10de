/** The log offers as a filter only what is written down somewhere. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { AUDIT_WHATS } from "./audit.ts";

test("every kind of act is recorded by somebody", () => {
  const cwd = path.join(import.meta.dirname, "../..");
  const sources = globSync("{app/routes,domain,web}/**/*.{ts,tsx}", { cwd })
    .filter((file) => !/\.test\.|domain\/site\/audit\.ts$|audit-text\.ts$/.test(file))
    .map((file) => readFileSync(path.join(cwd, file), "utf8"))
    .join("\n");
  assert.deepEqual(
    AUDIT_WHATS.filter((what) => !sources.includes(`"${what}"`)),
    [],
  );
});
