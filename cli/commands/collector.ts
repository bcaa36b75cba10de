/** `spawnpoint collector`: polls the game servers until it is stopped. */
import { startCollector } from "#collector/start.ts";
import { type Config, metricsPortOf, readConfig } from "#config";
import { refuseUnfinishedRestore } from "../backup/unfinished-restore.ts";
import { createLog, type Log } from "../process/log.ts";
import { startMetricsEndpoint } from "../process/metrics-endpoint.ts";
import { runService, type Service } from "../process/run-service.ts";
import { admitService, endOfService } from "../site/admit-service.ts";

export async function run(): Promise<number> {
  const config = readConfig();
  const log = createLog(config, "collector");
  refuseUnfinishedRestore(config.dataDir);
  try {
    return await runService(config, log, async (told) => {
      if (!(await admitService(config, log, { told }))) return null;
      return startMeasured(config, log);
    });
  } catch (error) {
    return endOfService(error, config, log);
  }
}

/** Runs the collector until `stop`, with metrics if configured. The database must have been admitted. */
export async function startMeasured(config: Config, log: Log): Promise<Service> {
  if (!config.metrics) return startCollector(config, { log });
  const { createCollectorMetrics } = await import("#collector/metrics.ts");
  const { registry, metrics } = createCollectorMetrics();
  const collector = await startCollector(config, { log, metrics });
  const at = { host: config.metrics.host, port: metricsPortOf(config.metrics, "collector") };
  const endpoint = startMetricsEndpoint(at, registry, log);
  return {
    stop() {
      endpoint.stop();
      return collector.stop();
    },
  };
}
