/** Restarts the running site: migrates by the new version, then replaces the processes one by one. */
import { existsSync } from "node:fs";
import path from "node:path";
import installed from "../../package.json" with { type: "json" };
import { runProgram } from "../process/child-process.ts";
import type { Log } from "../process/log.ts";
import type { Supervised } from "../process/supervise.ts";
import type { RestartOutcome } from "../site/restart-outcome.ts";

/**
 * Version of the protocol between `spawnpoint start` and its processes: arguments, environment, messages. Raised when a newer
 * version's processes can't run below an older start; a restart is refused then, and needs a stop and a start.
 */
export const SUPERVISION = 2;

/** Where the site's processes are started from. */
export type Origin = { node: string; program: string };

/**
 * Returns the folder by the name this program was started with: if it is a link, the operator may have pointed it to another
 * version.
 */
function originByName(typed = process.argv[1] ?? ""): Origin {
  const folder = path.join(path.dirname(path.resolve(typed)), "..");
  return {
    node: path.join(folder, "node_modules/node/bin/node"),
    program: path.join(folder, "cli/spawnpoint.ts"),
  };
}

/**
 * Replaces every part; a failure before the first has taken over leaves the site unchanged.
 * @param site.parts in order; `startFrom` sets where their next processes come from
 */
export async function replaceProcesses(
  site: {
    env: NodeJS.ProcessEnv;
    demo: boolean;
    web: Supervised;
    others: Supervised[];
    startFrom(origin: Origin): void;
    before: Origin;
    log: Log;
  },
  next: Origin = originByName(),
): Promise<RestartOutcome> {
  const { env, demo, web, others, log } = site;
  for (const file of [next.node, next.program]) {
    if (!existsSync(file)) return refused(`${file} is not there`);
  }
  const version = await runProgram(next, ["--version"], env);
  if (version.code !== 0) return refused(lastLine(version.said));
  const args = ["migrate", "--supervision", String(SUPERVISION), ...(demo ? ["--demo"] : [])];
  const tables = await runProgram(next, args, env);
  if (tables.code !== 0) return refused(lastLine(tables.said));
  site.startFrom(next);
  const failed = await web.replace("beside");
  if (failed !== null) {
    site.startFrom(site.before);
    return refused(failed);
  }
  for (const part of others) {
    const trouble = await part.replace("after");
    if (trouble !== null) return { done: false, text: `The pages are restarted; another part is not: ${trouble}` };
  }
  const text = `Restarted, without a refused request: ${lastLine(version.said)} (before: Spawnpoint ${installed.version}).`;
  log.info(text);
  return { done: true, text };

  function refused(reason: string): RestartOutcome {
    const text = `Not restarted, and the site goes on as it was: ${reason}`;
    log.error(text);
    return { done: false, text };
  }
}

const lastLine = (said: string): string => said.trim().split("\n").at(-1) ?? "";
