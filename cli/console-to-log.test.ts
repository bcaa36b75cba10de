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

test("an address that cannot be decoded and a body that is no JSON are told in lines of JSON, with their request", async () => {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "console-"));
  const settings = { DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: "0", SITE_URL: "", WEB_WORKERS: "1" };
  const site = fork(path.join(import.meta.dirname, "spawnpoint.ts"), ["web"], {
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
    assert.equal((await fetch(`${base}/games/%ZZ%0a{"level":60}`)).status, 404);
    const refused = await fetch(`${base}/api/auth/passkey/verify-authentication`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" },
      body: "{",
    });
    assert.equal(refused.status, 401);
    const complaints = ["could not be decoded", "Invalid JSON in request body"];
    const until = Date.now() + 20_000;
    while (!complaints.every((words) => written.includes(words))) {
      assert.ok(Date.now() < until, `written was ${written}`);
      await pause(50);
    }
    const lines = written.trim().split("\n");
    const told = lines.map((line) => JSON.parse(line));
    for (const words of complaints) {
      const { level, name, request_id } = told.find(({ msg }) => msg.includes(words));
      assert.deepEqual({ level, name }, { level: 40, name: "web" });
      assert.match(String(request_id), /^[\da-f]{12}$/);
    }
  } finally {
    site.kill("SIGKILL");
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
