/** `spawnpoint demo`: pretend game servers on this machine until it is told to stop. */

import { readConfig } from "#config";
import { startDemoFleet } from "#demo/fleet.ts";
import { createLog } from "./log.ts";
import { runService } from "./run-service.ts";

export async function run(): Promise<number> {
  const config = readConfig();
  const log = createLog(config, "demo");
  return runService(config, log, async () => startDemoFleet(config, { log }));
}
