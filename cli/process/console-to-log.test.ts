/** A web process writes lines of JSON and nothing else, whatever visitors have its libraries complain of. */
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { createTestDatabase } from "#tests/helpers/database.ts";

test("what a library prints of an address that cannot be decoded is a line of JSON that names its request", async () => {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "console-"));
  const settings = { DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: "0", SITE_URL: "", WEB_WORKERS: "1" };
  const site = fork(path.join(import.meta.dirname, "../spawnpoint.ts"), ["web"], {
    env: { ...process.env, ...settings, LOG_LEVEL: "warn" },
    silent: true,
  });
  let written = "";
  for (const output of [site.stdout, site.stderr]) {
    output?.setEncoding("utf8").on("data", (part) => {
      written += part;
    });
  }
  try {
    const ended = once(site, "exit").then(([code]) => assert.fail(`it ended with code ${code}: ${written}`));
    const [{ port }] = (await Promise.race([once(site, "message"), ended])) as [{ port: number }];
    ended.catch(() => {});
    const base = `http://127.0.0.1:${port}`;
    const refused = await fetch(`${base}/api/auth/passkey/verify-authentication`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" },
      body: "{",
    });
    assert.equal(refused.status, 400);
    // Of each of these React Router's console.warn repeats a part.
    const asked = new Map<string, string | null>();
    for (const [address, part] of [
      [`/games/%ZZ%0a{"level":60}`, "%ZZ"],
      ["/de/games/%C3%28", "%C3%28"],
    ] as const) {
      const { status, headers } = await fetch(base + address);
      assert.equal(status, 404, address);
      asked.set(part, headers.get("X-Request-Id"));
    }
    const complaint = "could not be decoded";
    const until = Date.now() + 20_000;
    while (![...asked.keys()].every((part) => written.includes(part))) {
      assert.ok(Date.now() < until, `written was ${written}`);
      await pause(50);
    }
    const lines = written.trim().split("\n");
    const told = lines.map((line) => JSON.parse(line));
    for (const [part, id] of asked) {
      const { level, name, request_id } = told.find(({ msg }) => msg.includes(complaint) && msg.includes(part));
      assert.deepEqual({ level, name }, { level: "warn", name: "web" });
      assert.match(String(request_id), /^[\da-f]{12}$/);
      assert.equal(request_id, id, "the line names the request that it is about");
    }
    assert.deepEqual(
      told.filter(({ msg, request_id }) => request_id !== undefined && !msg.includes(complaint)),
      [],
      "a body that is no JSON is the visitor's matter, and no line",
    );
  } finally {
    site.kill("SIGKILL");
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
