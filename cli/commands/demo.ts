/** `spawnpoint demo`: pretend game servers on this machine until it is told to stop. */

import { readConfig } from "#config";
import { startDemoFleet } from "#demo/fleet.ts";
import { createLog } from "../process/log.ts";
import { runService } from "../process/run-service.ts";
import { StartError } from "../start-error.ts";

export async function run(): Promise<number> {
  const config = readConfig();
  const log = createLog(config, "demo");
  return runService(config, log, async () => {
    // The fleet waits for a database by itself; what is a real site's it is never given.
    if (!config.demo) throw new StartError("Pretend game servers are the demo's: start them by `npm start`.");
    return startDemoFleet(config, { log });
  });
}
