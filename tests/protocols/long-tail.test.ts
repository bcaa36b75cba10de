/** gamedig's long tail against real game servers of Debian's packages, on loopback. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { createGamedigProcess } from "#outside/gamedig-process.ts";

const address = "127.0.0.1";
const murmurd = "/usr/sbin/murmurd";
const openttd = "/usr/games/openttd";

/** A port that is free for TCP and UDP alike. */
async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer();
    server.listen(0, address);
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const socket = createSocket("udp4");
    const isFree = await new Promise<boolean>((resolve) => {
      socket.once("error", () => resolve(false));
      socket.bind(port, address, () => resolve(true));
    });
    if (isFree) socket.close();
    server.close();
    await once(server, "close");
    if (isFree) return port;
  }
}

async function folderFor(context: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "spawnpoint-long-tail-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o777);
  return folder;
}

/** Ends with the test. */
function run(context: TestContext, program: string, args: string[], folder: string): ChildProcess {
  const child = spawn(program, args, { stdio: "ignore", env: { HOME: folder, PATH: "/usr/bin:/bin" }, cwd: folder });
  const ended = once(child, "exit");
  context.after(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return child;
}

async function firstAnswer(context: TestContext, port: number, type: string) {
  const gamedig = createGamedigProcess();
  context.after(() => gamedig.stop());
  const until = performance.now() + 20_000;
  for (;;) {
    const result = await gamedig.query({ address, port }, { type, deadlineMs: 1000 });
    if (result.ok) return result.answer;
    assert.ok(performance.now() < until, result.failure);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test("a real Mumble server", {
  timeout: 40_000,
  skip: !existsSync(murmurd) && "mumble-server is not installed",
}, async (context) => {
  const folder = await folderFor(context);
  const port = await freePort();
  const settings = {
    host: address,
    port,
    users: 23,
    allowping: true,
    database: `${folder}/m.sqlite`,
    pidfile: "",
    logfile: `${folder}/m.log`,
    dbus: "",
    bonjour: false,
    uname: "",
  };
  const ini = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  await writeFile(`${folder}/m.ini`, `${ini.join("\n")}\n`);
  run(context, murmurd, ["-fg", "-ini", `${folder}/m.ini`], folder);
  const answer = await firstAnswer(context, port, "mumble");
  assert.equal(answer.players, 0);
  assert.equal(answer.maxPlayers, 23);
  assert.match(answer.version ?? "", /^1\.\d+\.\d+$/);
});

test("a real OpenTTD server", {
  timeout: 40_000,
  skip: !existsSync(openttd) && "openttd is not installed",
}, async (context) => {
  const folder = await folderFor(context);
  const port = await freePort();
  const network = `[network]\nserver_name = Trains\nmax_clients = 11\nserver_game_type = local\nserver_advertise = false\n`;
  await writeFile(`${folder}/srv.cfg`, network);
  const args = ["-D", `${address}:${port}`, "-c", `${folder}/srv.cfg`, "-b", "8bpp-simple", "-x", "-s", "null"];
  run(context, openttd, [...args, "-m", "null", "-g"], folder);
  const answer = await firstAnswer(context, port, "openttd");
  assert.equal(answer.name, "Trains");
  assert.equal(answer.players, 0);
  assert.equal(answer.maxPlayers, 11);
  assert.match(answer.version ?? "", /^\d+\.\d+/);
});
