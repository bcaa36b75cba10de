/** A program of others that a bench holds ours against, as Debian ships it, on loopback and gone when the bench ends. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { canInstallPackages, installPackage } from "#tests/helpers/chromium.ts";
import { findFreePort } from "#tests/helpers/network/free-port.ts";

export type Peer = { url: string; port: number; pid: number; stop(): Promise<void> };

/**
 * Installs the package where it is missing and may be installed, runs the program and waits until its port takes connections.
 * Rejects with what it wrote where it cannot be had or does not start.
 * @param options.args are given a free port and a folder of its own, which is removed at the end
 */
export async function startPeer(options: {
  debian: string;
  program: string;
  args: (port: number, folder: string) => string[] | Promise<string[]>;
}): Promise<Peer> {
  const { debian, program, args } = options;
  const isThere = () => spawnSync("which", [program]).status === 0;
  if (!isThere() && canInstallPackages()) installPackage(debian);
  if (!isThere()) throw new Error(`${program} is not here (Debian's ${debian})`);
  const folder = await mkdtemp(path.join(tmpdir(), "peer-"));
  const port = await findFreePort();
  const child = spawn(program, await args(port, folder), { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part) => {
      said = (said + part).slice(-2000);
    });
  const ended = once(child, "exit");
  const url = `http://127.0.0.1:${port}`;
  async function stop() {
    child.kill("SIGTERM");
    await Promise.race([ended, pause(5_000, undefined, { ref: false })]);
    child.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
  for (let tries = 0; tries < 200 && child.exitCode === null; tries += 1) {
    const answers = await fetch(url).then(
      (answer) => answer.arrayBuffer().then(() => true),
      () => false,
    );
    if (answers) return { url, port, pid: child.pid ?? 0, stop };
    await pause(50);
  }
  await stop();
  throw new Error(`${program} did not start: ${said}`);
}
