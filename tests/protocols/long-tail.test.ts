/** gamedig's long tail against real game servers of Debian's packages, on loopback. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { type TestContext, test } from "node:test";
import { createGamedigProcess } from "#outside/gamedig-process.ts";
import { findFreePort, firstAnswer, folderFor, runUntilOver } from "./real-game-server.ts";

const address = "127.0.0.1";
const murmurd = "/usr/sbin/murmurd";
const openttd = "/usr/games/openttd";

const firstAnswerBy = (context: TestContext, port: number, type: string) => {
  const gamedig = createGamedigProcess();
  context.after(() => gamedig.stop());
  return firstAnswer(() => gamedig.query({ address, port }, { type, deadlineMs: 1000 }));
};

test("a real Mumble server", { skip: !existsSync(murmurd) && "mumble-server is not installed" }, async (context) => {
  const folder = await folderFor(context);
  const port = await findFreePort();
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
  runUntilOver(context, murmurd, ["-fg", "-ini", `${folder}/m.ini`], folder);
  const answer = await firstAnswerBy(context, port, "mumble");
  assert.equal(answer.players, 0);
  assert.equal(answer.maxPlayers, 23);
  assert.match(answer.version ?? "", /^1\.\d+\.\d+$/);
});

test("a real OpenTTD server", { skip: !existsSync(openttd) && "openttd is not installed" }, async (context) => {
  const folder = await folderFor(context);
  const port = await findFreePort();
  const network = `[network]\nserver_name = Trains\nmax_clients = 11\nserver_game_type = local\nserver_advertise = false\n`;
  await writeFile(`${folder}/srv.cfg`, network);
  const args = ["-D", `${address}:${port}`, "-c", `${folder}/srv.cfg`, "-b", "8bpp-simple", "-x", "-s", "null"];
  runUntilOver(context, openttd, [...args, "-m", "null", "-g"], folder);
  const answer = await firstAnswerBy(context, port, "openttd");
  assert.equal(answer.name, "Trains");
  assert.equal(answer.players, 0);
  assert.equal(answer.maxPlayers, 11);
  assert.match(answer.version ?? "", /^\d+\.\d+/);
});
