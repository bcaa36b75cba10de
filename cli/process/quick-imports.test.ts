import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

/** CPU milliseconds for loading Drizzle in a fresh process, and what it gave. */
async function load(prepare: string): Promise<{ cpuMs: number; exports: string }> {
  const program = `${prepare}
    const before = process.cpuUsage();
    const { drizzle } = await import("drizzle-orm/postgres-js");
    const core = await import("drizzle-orm/pg-core");
    const { user, system } = process.cpuUsage(before);
    console.log(JSON.stringify({ cpuMs: (user + system) / 1000, exports: typeof drizzle + Object.keys(core).sort() }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
    cwd: path.join(import.meta.dirname, "../.."),
  });
  return JSON.parse(stdout);
}

test("Drizzle loads faster and is the same", async () => {
  const hooks = `(await import(${JSON.stringify(new URL("./quick-imports.ts", import.meta.url).href)})).registerQuickImports();`;
  const [plain, quick] = [await load(""), await load(hooks)];
  assert.equal(quick.exports, plain.exports);
  assert.ok(quick.cpuMs < plain.cpuMs, `${quick.cpuMs} ms instead of ${plain.cpuMs} ms of CPU: no longer worth it`);
});
