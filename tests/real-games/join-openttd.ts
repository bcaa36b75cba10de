/** Joins an OpenTTD server as a person does: by the game itself, without picture and sound. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Guest } from "./games.ts";

/** Without a picture it draws as fast as it can, and would end after so many. */
const FOREVER = 2_000_000_000;

/** Starts the game, which comes in by itself as soon as it has the map. Its files are kept in `folder`. */
export async function joinOpenttd(port: number, folder: string): Promise<Guest> {
  const home = path.join(folder, "ada");
  mkdirSync(home, { recursive: true });
  const config = path.join(home, "openttd.cfg");
  writeFileSync(config, "[misc]\n[network]\nclient_name = Ada\n");
  const silent = ["-v", `null:ticks=${FOREVER}`, "-s", "null", "-m", "null", "-b", "8bpp-simple"];
  const game = spawn("/usr/games/openttd", [...silent, "-c", config, "-x", "-n", `127.0.0.1:${port}`], {
    cwd: home,
    env: { HOME: home, PATH: "/usr/bin:/bin" },
    stdio: "ignore",
  });
  const ended = once(game, "exit");
  return {
    async leave() {
      game.kill("SIGKILL");
      await ended;
    },
  };
}
