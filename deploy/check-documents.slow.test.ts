/** Types the lines of Install, Update and Restore as the documents write them, on a bare Debian root: `check-documents.sh`. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { test } from "node:test";

const ROOT = path.join(import.meta.dirname, "..");
const LIMIT_MS = 580_000;

test("the documented lines install, update twice and restore a site as they are written", (t) => {
  const run = (program: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: "utf8", timeout: LIMIT_MS });
    assert.equal(status, 0, `${stdout}${stderr}`.slice(-4000));
    return stdout;
  };
  run(process.execPath, "cli/launch.mjs", "release", "--preview");
  const said = run("bash", "deploy/check-documents.sh");
  const lines = said.split("\n").filter((line) => line.startsWith("✔")).length;
  if (lines === 0) return t.skip(said.trim());
  t.diagnostic(`${lines} lines and what came of them`);
  assert.ok(lines > 40, said);
});
