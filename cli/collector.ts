/** `spawnpoint collector`: watches the game servers until it is told to stop. */
import { startCollector } from "#collector/start.ts";
import { readConfig } from "#config";
import { createLog } from "./log.ts";
import { runService } from "./run-service.ts";

export async function run(): Promise<number> {
  const config = readConfig();
  const log = createLog(config, "collector");
  return runService(config, log, async () => startCollector(config, { log }));
}
