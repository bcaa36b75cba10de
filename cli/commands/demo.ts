/** `spawnpoint demo`: runs mock game servers on this machine until it is stopped. */

import { readConfig } from "#config";
import { startDemoFleet } from "#demo/fleet.ts";
import { createLog } from "../process/log.ts";
import { runService } from "../process/run-service.ts";
import { StartError } from "../start-error.ts";

export async function run(): Promise<number> {
  const config = readConfig();
  const log = createLog(config, "demo");
  return runService(config, log, async () => {
    // The fleet itself waits for a database, but must never get a real site's.
    if (!config.demo) throw new StartError("Pretend game servers are the demo's: start them by `npm start`.");
    return startDemoFleet(config, { log });
  });
}
