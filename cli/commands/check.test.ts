/** The check as an operator runs it: the whole program against something broken, and against a site that is well. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { pino } from "pino";
import { readConfig } from "#config";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { startMailServer } from "#tests/helpers/mail-server.ts";
import { startWeb, type Web } from "#web/server.ts";
import { judgeCertificate, judgeProxies, judgeSettings } from "../check/address.ts";
import { judgeBackup, judgeClock, judgeWrites } from "../check/database.ts";
import type { Finding } from "../check/finding.ts";
import { judgeRoom, lookAtFolder, lookAtNode } from "../check/machine.ts";
import { fixFor } from "../check/mail.ts";
import { lookAtStorage, lookAtUdp } from "../check/network.ts";
import { judgePostgres, lookAtPostgres } from "../check/postgres.ts";

const DAY_MS = 86_400_000;
let database: TestDatabase;
let web: Web;
let dataDir: string;
/** Answers like any web server that is not ours. */
let stranger: Server;

before(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), "check-"));
  const settings = { PORT: "0", DATABASE_URL: database.url, DATA_DIR: dataDir, TRUST_PROXY: "1" };
  web = await startWeb(readConfig(settings), { log: pino({ level: "silent" }) });
  stranger = createServer((_request, response) => response.end("ok")).listen(0, "127.0.0.1");
  await once(stranger, "listening");
});

after(async () => {
  stranger.close();
  await web.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

type Run = { code: number; output: string };

/** @param by a program and its arguments that run the command */
async function runCheck(settings: NodeJS.ProcessEnv, args = ["--json"], by: string[] = []): Promise<Run> {
  const [program = "", ...rest] = [...by, process.execPath, "cli/spawnpoint.ts", "check", ...args];
  const child = spawn(program, rest, {
    cwd: path.join(import.meta.dirname, "../.."),
    env: { PATH: process.env.PATH, HOST: "127.0.0.1", PORT: String(web.port), DATA_DIR: dataDir, ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [[code], output] = await Promise.all([once(child, "close"), text(child.stdout)]);
  return { code, output };
}

const portOf = (server: Server) => {
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
};

/** The state of each check, the worst where one has several lines. */
function statesOf(output: string): Record<string, string> {
  const states: Record<string, string> = {};
  for (const { check, state, says, fix } of JSON.parse(output) as Finding[]) {
    assert.ok(says.length > 0 && (state === "ok") === (fix === undefined), `${check}: ${says}`);
    if (states[check] !== "wrong") states[check] = states[check] === "warning" && state === "ok" ? "warning" : state;
  }
  return states;
}

test("a wrong setting is named, and nothing else is looked at", async () => {
  const { code, output } = await runCheck({ PORT: "http", SMTP_URL: "smtp://user:hunter2@" }, []);
  assert.equal(code, 1);
  assert.match(output, /^WRONG {4}settings .*PORT must be a whole number/);
  assert.ok(!output.includes("hunter2"));
});

test("a machine where everything is wrong: each is named with its fix, no secret is shown, and it ends with 1", async () => {
  const place = path.join(dataDir, "broken");
  await mkdir(path.join(place, "secrets"), { recursive: true });
  await writeFile(path.join(place, "secrets", "auth"), "s".repeat(43), { mode: 0o644 });
  await chmod(path.join(place, "secrets", "auth"), 0o644);
  await chmod(place, 0o777);
  const { code, output } = await runCheck({
    DATA_DIR: place,
    PORT: String(portOf(stranger)),
    SITE_URL: `http://127.0.0.1:${portOf(stranger)}`,
    HOST: "127.0.0.1",
    DATABASE_URL: "postgres://somebody:hunter2@127.0.0.1:1/nothing",
    SMTP_URL: "smtp://somebody:hunter2@127.0.0.1:1",
    MAIL_FROM: "site@play.invalid",
    S3_ENDPOINT: "http://127.0.0.1:1",
    S3_ACCESS_KEY_ID: "key",
    S3_SECRET_ACCESS_KEY: "hunter2-hunter2",
  });
  assert.equal(code, 1);
  assert.ok(!output.includes("hunter2"), output);
  const states = statesOf(output);
  for (const check of ["data folder", "secrets", "database", "site", "address", "mail", "storage"]) {
    assert.equal(states[check], "wrong", `${check}\n${output}`);
  }
  assert.equal(states.sender, "warning");
});

test("a data folder that may not be entered is reported, and nothing that could not be seen", async () => {
  const place = await mkdtemp(path.join(tmpdir(), "shut-"));
  await mkdir(path.join(place, "secrets"));
  await writeFile(path.join(place, "secrets", "auth"), "s".repeat(43), { mode: 0o600 });
  await chmod(place, 0);
  // Root passes every door unless it gives these two capabilities up. Another user could not enter a checkout below /root.
  const isRoot = process.getuid?.() === 0;
  const by = isRoot ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : [];
  const { code, output } = await runCheck({ DATA_DIR: place, DATABASE_URL: "" }, ["--json"], by);
  await chmod(place, 0o700);
  await rm(place, { recursive: true });
  assert.equal(code, 1);
  const states = statesOf(output);
  assert.deepEqual(
    ["data folder", "secrets", "database", "site", "address"].map((check) => states[check]),
    ["wrong", "warning", "warning", "warning", undefined],
    output,
  );
  assert.doesNotMatch(output, /made at the first start|no database runs|something else/);
});

test("a database without tables, and one that nobody watches for; a mail server that lets us in and gets no mail", async () => {
  const server = await startMailServer();
  const empty = new URL(database.url);
  empty.pathname = "/postgres";
  const [bare, own] = await Promise.all([
    runCheck({ DATABASE_URL: empty.href, TRUST_PROXY: "1" }),
    runCheck({ DATABASE_URL: database.url, SMTP_URL: server.url, MAIL_FROM: "a@localhost" }),
  ]);
  await server.close();
  assert.equal(statesOf(bare.output).tables, "wrong");
  const states = statesOf(own.output);
  assert.equal(own.code, 1);
  // A busy machine may make it slow.
  assert.notEqual(states.database, "wrong", own.output);
  assert.equal(states.tables, "ok");
  assert.equal(states.clock, "ok");
  assert.equal(states.collector, "wrong");
  assert.equal(states.admin, "warning");
  assert.equal(states.backup, "warning");
  assert.equal(states.site, "ok");
  // The site believes one proxy, and there is none.
  assert.equal(states.proxies, "wrong");
  assert.equal(states["udp here"], "ok");
  assert.equal(states.mail, "ok", own.output);
  assert.equal(server.received.length, 0);
});

test("a store that has one bucket of two: the one that is missing is named", async () => {
  const store = createServer((request, response) => {
    const there = request.url?.startsWith("/spawnpoint-avatars/");
    response.statusCode = 404;
    response.end(`<Error><Code>${there ? "NoSuchKey" : "NoSuchBucket"}</Code></Error>`);
  }).listen(0, "127.0.0.1");
  await once(store, "listening");
  const settings = {
    S3_ENDPOINT: `http://127.0.0.1:${portOf(store)}`,
    S3_ACCESS_KEY_ID: "key",
    S3_SECRET_ACCESS_KEY: "hunter2-hunter2",
  };
  const found = await lookAtStorage(readConfig(settings));
  store.close();
  assert.deepEqual(
    found.map(({ state, says }) => [state, /spawnpoint-(?:avatars|media)/.exec(says)?.[0]]),
    [
      ["ok", "spawnpoint-avatars"],
      ["wrong", "spawnpoint-media"],
    ],
  );
});

test("the data folder: others may pass through it, as a Postgres under another user must, and not look into it", async () => {
  const place = await mkdtemp(path.join(dataDir, "rights-"));
  const state = async (mode: number) => {
    await chmod(place, mode);
    return (await lookAtFolder(place)).map((finding) => finding.state).join();
  };
  assert.deepEqual(
    [await state(0o700), await state(0o711), await state(0o755), await state(0o740), await state(0o722)],
    ["ok", "ok", "warning", "warning", "wrong"],
  );
});

test("what a mail server or the way to it says leads to the fix", () => {
  for (const [answer, fix] of [
    ["EAUTH 535 5.7.8 no", /name and password/],
    ["ESOCKET self-signed certificate", /Encryption/],
    ["EDNS ENOTFOUND", /does not resolve/],
    ["ETIMEDOUT", /port 25/],
  ] as const) {
    assert.match(fixFor(answer, true), fix);
  }
  assert.match(fixFor("530 Authentication required", false), /wants a name/);
});

test("proxies: too many believed, too few, and as many as there are", () => {
  const state = (trust_proxy: number, forwarded_for: string | null, host = "127.0.0.1") =>
    judgeProxies({ answer: { ip: "x", peer: "127.0.0.1", trust_proxy, forwarded_for } }, host)[0];
  // nginx adds to what the visitor wrote; Caddy puts its own in its place; without any the header arrives as it was made up.
  assert.equal(state(1, "203.0.113.99, 198.51.100.7")?.state, "ok");
  assert.equal(state(1, "198.51.100.7")?.state, "ok");
  assert.equal(state(0, "203.0.113.99")?.state, "ok");
  assert.equal(
    state(0, "203.0.113.99", "play.example.org")?.state,
    "warning",
    "somebody on this machine asks for others",
  );
  assert.match(state(1, "203.0.113.99")?.fix ?? "", /TRUST_PROXY=0/);
  assert.match(state(2, "203.0.113.99, 198.51.100.7")?.fix ?? "", /TRUST_PROXY=1/);
  assert.match(state(0, "203.0.113.99, 198.51.100.7")?.fix ?? "", /TRUST_PROXY=1/);
  assert.equal(state(0, "203.0.113.99, 198.51.100.7")?.state, "wrong");
  assert.match(state(1, "203.0.113.99, 198.51.100.7, 10.0.0.2")?.fix ?? "", /TRUST_PROXY=2/);
});

test("certificates, clocks, room, backups and Node are judged before they fail", () => {
  const now = Date.parse("2026-11-20T12:00:00Z");
  const certificate = (error: string | null, days: number) => judgeCertificate(error, now + days * DAY_MS, now).state;
  assert.deepEqual(
    [
      certificate(null, 60),
      certificate(null, 13),
      certificate(null, -1),
      certificate("DEPTH_ZERO_SELF_SIGNED_CERT", 60),
    ],
    ["ok", "warning", "wrong", "wrong"],
  );
  assert.deepEqual(
    [0.5, -5, 31].map((ahead) => judgeClock("clock", "its", ahead).state),
    ["ok", "warning", "wrong"],
  );
  const gb = 1024 ** 3;
  const room = (free: number, nodes = 0.5) => judgeRoom("/", free * gb, 100 * gb, nodes).state;
  assert.deepEqual([room(50), room(4), room(0.5), room(50, 0.001)], ["ok", "warning", "wrong", "wrong"]);
  const at = (days: number) => new Date(now - days * DAY_MS).toISOString();
  const backup = (made: string | null, proven: string | null, error: string | null = null) =>
    judgeBackup({ made_at: made, proven_at: proven, error }, now).state;
  assert.deepEqual(
    [
      backup(at(1), at(3)),
      backup(null, null),
      backup(at(9), at(9)),
      backup(at(1), null),
      backup(at(1), at(1), "disk full"),
    ],
    ["ok", "warning", "warning", "warning", "warning"],
  );
  for (const [error, fix] of [
    ["ENOSPC: no space left on device, write", /^Make room on the disk of BACKUP_DIR/],
    ["EACCES: permission denied, open '/x'", /chown.*ReadWritePaths=/],
    ["it went wrong", /journalctl/],
  ] as const)
    assert.match(judgeBackup({ made_at: at(1), proven_at: at(1), error }, now).fix ?? "", fix);
  assert.deepEqual(
    judgeSettings({ A: "1", B: "2", C: "3" }, { A: "1", B: "9" }).map(({ says }) => says),
    ["the running site has another B than this check was started with"],
  );
  assert.deepEqual(judgeSettings({ A: "1" }, undefined), []);
  assert.deepEqual(
    ([null, "standby", "read_only", "disk_full"] as const).map((trouble) => judgeWrites(trouble)[0]?.state),
    ["ok", "wrong", "wrong", "wrong"],
  );
  assert.deepEqual([lookAtNode("26.1.0").state, lookAtNode("20.19.1").state], ["ok", "wrong"]);
});

test("the Postgres that the start runs is named with its version and age; an old one is a warning, a missing one is wrong", async () => {
  const [brought] = await lookAtPostgres({});
  assert.match(
    brought?.says ?? "",
    /^Postgres \d+\.\d+, brought by Spawnpoint, from \d{4}-\d\d-\d\d \(\d+ days old\)$/,
  );
  const now = Date.parse("2026-11-20T12:00:00Z");
  assert.equal(judgePostgres("Postgres 18.4", "2026-05-14", now).state, "ok");
  assert.equal(judgePostgres("Postgres 18.4", "2025-11-13", now).state, "warning");
  const [missing] = await lookAtPostgres({ postgresBin: dataDir });
  assert.equal(missing?.state, "wrong");
  assert.match(missing?.says ?? "", /where postgres is missing/);
  assert.deepEqual(await lookAtPostgres({ databaseUrl: "postgres://x@127.0.0.1/x" }), []);
});

test("udp: a server that answers is found behind one that does not, and none at all is a warning", async () => {
  const mute = createSocket("udp4").bind(0, "127.0.0.1");
  const talker = createSocket("udp4").bind(0, "127.0.0.1");
  await Promise.all([once(mute, "listening"), once(talker, "listening")]);
  talker.on("message", (question, from) => talker.send(question, from.port, from.address));
  const [first, second] = [mute, talker].map((socket) => `127.0.0.1:${socket.address().port}`) as [string, string];
  assert.equal((await lookAtUdp([first, second], 200)).state, "ok");
  assert.equal((await lookAtUdp([first], 200)).state, "warning");
  assert.equal((await lookAtUdp([], 200)).state, "warning");
  mute.close();
  talker.close();
});
