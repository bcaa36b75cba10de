/** `spawnpoint restart`: makes the running site replace its processes without refusing a request. */
import { setTimeout as pause } from "node:timers/promises";
import { readConfig } from "#config";
import { findRunningStart } from "../site/data-folder-lock.ts";
import { forgetOutcome, readOutcome } from "../site/restart-outcome.ts";
import { StartError } from "../start-error.ts";

/** Migrations may wait five minutes for a backup, and then run. */
const PATIENCE_MS = 20 * 60_000;

export async function run(): Promise<number> {
  const { dataDir } = readConfig();
  const holder = findRunningStart(dataDir);
  if (holder === null) throw new StartError(`No site runs on ${dataDir}. Start it: \`spawnpoint start\`.`);
  if (!holder.restarts) {
    throw new StartError(
      "The site that runs was started by a version that cannot do this yet. This once stop it and start it; from then on `spawnpoint restart` is enough.",
    );
  }
  forgetOutcome(dataDir);
  process.kill(holder.pid, "SIGUSR2");
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const outcome = readOutcome(dataDir);
    if (outcome?.done) {
      console.log(outcome.text);
      return 0;
    }
    if (outcome) throw new StartError(outcome.text);
    if (findRunningStart(dataDir)?.pid !== holder.pid) {
      throw new StartError("The site ended meanwhile; its log says why.");
    }
    await pause(100);
  }
  throw new StartError(
    `Nothing was heard of it for ${PATIENCE_MS / 60_000} minutes; the log of the site says what it does.`,
  );
}
