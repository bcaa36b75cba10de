/** A restart of the running site: the tables by the new version, then fresh processes in the place of the old ones, one by one. */
import { existsSync } from "node:fs";
import path from "node:path";
import installed from "../../package.json" with { type: "json" };
import { runProgram } from "../process/child-process.ts";
import type { Log } from "../process/log.ts";
import type { Supervised } from "../process/supervise.ts";
import type { RestartOutcome } from "../site/restart-outcome.ts";

/**
 * What `spawnpoint start` and the processes below it say to each other: arguments, environment, messages. Raised when a newer
 * version's processes can no longer live below an older one's start; a restart is then refused, and stopping and starting does it.
 */
export const SUPERVISION = 1;

/** Where processes of the site are started from. */
export type Origin = { node: string; program: string };

/**
 * The folder by the name under which this program was started: a link leads to another version by now, where the operator has
 * pointed it there.
 */
function originByName(typed = process.argv[1] ?? ""): Origin {
  const folder = path.join(path.dirname(path.resolve(typed)), "..");
  return {
    node: path.join(folder, "node_modules/node/bin/node"),
    program: path.join(folder, "cli/spawnpoint.ts"),
  };
}

/**
 * Replaces every part; whatever fails before the first of them has taken over leaves the site as it was.
 * @param site.parts in the order of their turn; `startFrom` is told where their next lives begin
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
