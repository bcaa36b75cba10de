/** The lines of Install, Update and Restore, typed as the documents have them on a bare Debian (deploy/check-documents.sh). */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { test } from "node:test";

test("the documented lines work as they are written, and the update a second time", (t) => {
  const script = path.join(import.meta.dirname, "../../deploy/check-documents.sh");
  const { status, stdout, stderr } = spawnSync("bash", [script], { encoding: "utf8" });
  const skipped = /^skipped: (.*)$/m.exec(stdout)?.[1];
  if (skipped !== undefined) return t.skip(skipped);
  assert.equal(status, 0, stdout + stderr);
  assert.doesNotMatch(stdout, /^✖/m);
});
