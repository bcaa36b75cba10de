/** Two web processes behind one port: what holds in one holds in both, and one may die. */
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { Agent, get } from "node:http";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { hashPassword } from "#domain/accounts/passwords.ts";
import { createUser } from "#domain/accounts/users.ts";
import { createBrowser } from "#tests/helpers/browser.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";

const PASSWORD = "a lamp in the harbour";
const EMAIL = "member@example.org";

let database: TestDatabase;
let dataDir: string;
let site: ChildProcess;
let base: string;

before(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(os.tmpdir(), "workers-"));
  const passwordHash = await hashPassword(PASSWORD);
  await createUser(database.db, { email: EMAIL, passwordHash, locale: "en", emailVerified: true });
  site = fork(path.join(import.meta.dirname, "../spawnpoint.ts"), ["web"], {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      PORT: "0",
      SITE_URL: "",
      WEB_WORKERS: "2",
      TRUST_PROXY: "1",
      LOG_LEVEL: "silent",
    },
  });
  const ended = once(site, "exit").then(([code]) => assert.fail(`it ended with code ${code} before it was ready`));
  const [{ port }] = (await Promise.race([once(site, "message"), ended])) as [{ port: number }];
  ended.catch(() => {});
  base = `http://127.0.0.1:${port}`;
  await until(async () => (await epochs()).size === 2, "both answer");
});

after(async () => {
  site.kill("SIGKILL");
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function until(holds: () => Promise<boolean>, what: string, withinMs = 240_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > deadline) assert.fail(`not within ${withinMs} ms: ${what}`);
    await pause(50);
  }
}

type Stream = { text: string; ended: boolean };
/** What streams were answered with in place of a stream. */
const refusals: string[] = [];

/** Opens a live stream over a connection of its own; nobody is told to come back later while another could have answered. */
function openStream(cookie = ""): Promise<Stream> {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error("a stream was not answered within 30 s")), 30_000).unref();
    const stream: Stream = { text: "", ended: false };
    get(`${base}/live`, { agent: new Agent(), headers: { cookie } }, (response) => {
      if (response.statusCode !== 200) refusals.push(`${response.statusCode}`);
      response.setEncoding("utf8").on("data", (part) => {
        stream.text += part;
        if (stream.text.includes("event: snapshot")) resolve(stream);
      });
      response.on("close", () => {
        stream.ended = true;
        reject(new Error("a stream ended before its snapshot"));
      });
      response.on("error", () => {});
    }).on("error", reject);
  });
}

const epochOf = (stream: Stream) => /"epoch":"([^"]+)"/.exec(stream.text)?.[1] ?? "";

/** Which processes answer: of so many connections none is left out but once in eight million runs. */
async function epochs(cookie = ""): Promise<Map<string, Stream>> {
  const streams = await Promise.all(Array.from({ length: 24 }, () => openStream(cookie).catch(() => null)));
  return new Map(streams.flatMap((stream) => (stream ? [[epochOf(stream), stream]] : [])));
}

async function workerPids(): Promise<number[]> {
  const found: number[] = [];
  for (const entry of await readdir("/proc")) {
    const stat = await readFile(`/proc/${entry}/stat`, "utf8").catch(() => "");
    if (Number(/\) \S (\d+) /.exec(stat)?.[1]) === site.pid) found.push(Number(entry));
  }
  return found;
}

test("who signs in at one is signed in at both, and signing out ends the streams of both", async () => {
  const browser = createBrowser(base);
  assert.equal((await browser.post("/login/", { intent: "login", email: EMAIL, password: PASSWORD })).status, 302);
  const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
  const streams = await epochs(cookie);
  assert.equal(streams.size, 2);
  for (const { text } of streams.values()) assert.match(text, /"signed_in":true/);
  assert.equal((await browser.post("/logout", {})).status, 302);
  await until(async () => [...streams.values()].every(({ ended }) => ended), "both streams ended");
});

test("limits are the same for both: what one has counted, the other knows", async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 24; n += 1) {
    const answer = await fetch(`${base}/api/v1/heartbeat`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${"x".repeat(30)}${n}`,
        "Content-Type": "application/json",
        "X-Forwarded-For": "198.51.100.9",
        Connection: "close",
      },
      body: '{"players": 1}',
    });
    await answer.text();
    statuses.push(answer.status);
  }
  assert.ok(
    statuses.slice(0, 20).every((status) => status === 401),
    String(statuses),
  );
  assert.ok(
    statuses.slice(21).every((status) => status === 429),
    String(statuses),
  );
});

test("one that is killed takes nobody along, and another takes its place", async (context) => {
  if (process.platform !== "linux") return context.skip("finds the processes in /proc");
  const before = await epochs();
  const pids = await workerPids();
  assert.equal(pids.length, 2);
  const killed = pids[0] ?? 0;
  process.kill(killed, "SIGKILL");
  await until(async () => [...before.values()].some(({ ended }) => ended), "the streams of the killed one ended");
  assert.ok(
    [...before.values()].some(({ ended }) => !ended),
    "those of the other go on",
  );
  // While it goes, the kernel may still hand it a connection, which goes with it; from then on nobody is to notice anything.
  await until(async () => !(await workerPids()).includes(killed), "the killed one is gone");
  const asked = await Promise.all(Array.from({ length: 12 }, () => fetch(`${base}/livez`)));
  assert.deepEqual([...new Set(asked.map(({ status }) => status))], [200]);
  await until(async () => (await epochs()).size === 2, "both answer again");
  assert.deepEqual(refusals, [], "a worker that starts turns nobody away");
});

test("SIGTERM under load: no request fails, streams are told to come back, and all processes end", async () => {
  const streams = await epochs();
  const statuses = new Map<string, number>();
  let ending = false;
  const load = Array.from({ length: 6 }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!ending) {
      const status = await new Promise<string>((resolve) => {
        const request = get(`${base}/`, { agent }, (response) => {
          response.resume().on("end", () => resolve(String(response.statusCode)));
          response.on("error", (error) => resolve(`cut: ${error.message}`));
        });
        // A connection that nobody had taken yet when the listening ended is refused late; one in use never breaks.
        request.on("error", (error: NodeJS.ErrnoException) =>
          resolve(request.reusedSocket ? `in use: ${error.code}` : "not accepted"),
        );
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === "not accepted") await pause(20);
    }
  });
  await pause(300);
  const ended = once(site, "exit");
  site.kill("SIGTERM");
  const [code] = await ended;
  ending = true;
  await Promise.all(load);
  assert.equal(code, 0);
  for (const { text } of streams.values()) assert.match(text, /event: bye/);
  const failed = [...statuses.keys()].filter((status) => status !== "200" && status !== "not accepted");
  assert.deepEqual(failed, [], JSON.stringify([...statuses]));
});
