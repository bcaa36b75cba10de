import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

const QUICK = `(await import(${JSON.stringify(new URL("./quick-imports.ts", import.meta.url).href)})).registerQuickImports();`;

/** What a program prints, in a fresh process of Node's own. */
async function run(program: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
    cwd: path.join(import.meta.dirname, "../.."),
  });
  return stdout;
}

/** CPU milliseconds for loading Drizzle in a fresh process, and what it gave. */
async function load(prepare: string): Promise<{ cpuMs: number; exports: string }> {
  const program = `${prepare}
    const before = process.cpuUsage();
    const { drizzle } = await import("drizzle-orm/node-postgres");
    const core = await import("drizzle-orm/pg-core");
    const { user, system } = process.cpuUsage(before);
    console.log(JSON.stringify({ cpuMs: (user + system) / 1000, exports: typeof drizzle + Object.keys(core).sort() }));`;
  return JSON.parse(await run(program));
}

test("Drizzle loads faster and is the same", async () => {
  const [plain, quick] = [await load(""), await load(QUICK)];
  assert.equal(quick.exports, plain.exports);
  assert.ok(quick.cpuMs < plain.cpuMs, `${quick.cpuMs} ms instead of ${plain.cpuMs} ms of CPU: no longer worth it`);
});

test("what is imported by a name often is the same each time, and another file for who requires it", async () => {
  const program = `const { createRequire } = await import("node:module");
    const require = createRequire(process.cwd() + "/cli/none.js");
    const [first, again] = [await import("drizzle-orm"), await import("drizzle-orm")];
    console.log(JSON.stringify([first === again, require("drizzle-orm").sql === first.sql, require("drizzle-orm").sql === require("drizzle-orm").sql]));`;
  const [plain, quick] = [await run(program), await run(QUICK + program)];
  assert.equal(plain.trim(), "[true,false,true]");
  assert.equal(quick, plain);
});
