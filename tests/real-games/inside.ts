/** Run in a network of its own: starts a real game server, has the doctor name it, and follows its live row to the end. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createGameDoctor } from "#domain/game-servers/doctor/doctor.ts";
import { ADAPTER_FACTS } from "#shared/adapters.ts";
import type { createBed } from "#tests/helpers/test-bed.ts";
import { pause, until } from "#tests/helpers/until.ts";
import { REAL_GAMES, type RealGame } from "./games.ts";

type Bed = Awaited<ReturnType<typeof createBed>>;
const doctor = createGameDoctor({ allowCidrs: ["127.0.0.0/8"] });

/** Until it is named, or for half a minute: while it starts, its TCP port may be open before it answers over UDP. */
async function examine({ port, found }: RealGame) {
  for (let tries = 0; ; tries += 1) {
    const diagnosis = await doctor.examine(`127.0.0.1:${port}`);
    if (diagnosis.findings.some(({ adapter }) => adapter === found.adapter) || tries === 60) return diagnosis;
    await pause(500);
  }
}

async function follow(bed: Bed, game: RealGame, folder: string, signal: (name: NodeJS.Signals) => void) {
  const { findings, causes } = await examine(game);
  const nobody = ADAPTER_FACTS[game.found.adapter].tells.players ? 0 : null;
  const [first, ...others] = findings;
  assert.ok(first && others.length === 0, JSON.stringify({ findings, causes }));
  assert.deepEqual(
    [first.adapter, first.game, first.players, first.max_players, first.game_port, first.query_port],
    [game.found.adapter, game.found.game, nobody, game.found.max, game.port, null],
  );
  if (game.found.name !== undefined) assert.equal(first.name, game.found.name);

  const { adapter, adapter_options, host, game_port } = first;
  const id = await bed.addServer({ adapter, adapter_options, host, game_port });
  await bed.start();
  const shows = async (what: string, is: Partial<Awaited<ReturnType<Bed["row"]>>>) => {
    let row: Record<string, unknown> = {};
    const holds = async () => {
      row = await bed.row(id);
      return Object.entries(is).every(([name, value]) => row[name] === value);
    };
    await until(what, holds).catch(() => assert.deepEqual(row, { ...row, ...is }, what));
  };
  await shows("online, with nobody in it", { status: "online", user_online: nobody });
  if (game.join) {
    let ada = await game.join(game.port, folder);
    // A game gives up where the machine is too busy for it, and its player tries again.
    const isSeen = () => until("Ada", async () => (await bed.row(id)).user_online === 1).catch(() => false);
    for (let tries = 0; tries < 3 && !(await isSeen()); tries += 1) {
      await ada.leave();
      ada = await game.join(game.port, folder);
    }
    await shows("Ada is in it", { status: "online", user_online: 1 });
    await ada.leave();
    await shows("Ada has left", { status: "online", user_online: nobody });
  }
  signal("SIGSTOP");
  await shows("it hangs", { status: "offline" });
  signal("SIGCONT");
  await shows("it is back", { status: "online", user_online: nobody });
  signal("SIGTERM");
  await shows("it was stopped", { status: "offline" });
}

const game = REAL_GAMES.find((one) => one.game === process.argv[2]);
assert.ok(game, "no such game");
assert.equal(spawnSync("ip", ["link", "set", "lo", "up"]).status, 0);
// It connects to its database over a socket of the file system, which reaches into this network.
const { createBed: makeBed } = await import("#tests/helpers/test-bed.ts");
const bed = await makeBed();
const folder = mkdtempSync(path.join(os.tmpdir(), "spawnpoint-real-game-"));
const env = { HOME: folder, PATH: "/usr/bin:/bin:/usr/games:/usr/sbin" };
const server = spawn(game.program, game.args(folder), { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
let said = "";
for (const stream of [server.stdout, server.stderr]) stream.on("data", (part) => (said = (said + part).slice(-2000)));
const ended = once(server, "exit");
try {
  await follow(bed, game, folder, (name) => void server.kill(name));
} catch (error) {
  console.error(`${game.game} said last:\n${said}`);
  throw error;
} finally {
  server.kill("SIGKILL");
  await ended;
  await bed.clear();
  await bed.end();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
