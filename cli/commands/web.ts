/** `spawnpoint web`: serves visitors until it is stopped. */
import { type Config, metricsPortOf, readConfig } from "#config";
import { requestFields } from "#web/request/request-id.ts";
import { refuseUnfinishedRestore } from "../backup/unfinished-restore.ts";
import { sendConsoleTo } from "../process/console-to-log.ts";
import { SITE_DESCRIPTOR, WAITING_DESCRIPTOR } from "../process/held-port.ts";
import { createLog, type Log } from "../process/log.ts";
import { startMetricsEndpoint } from "../process/metrics-endpoint.ts";
import { runService, type Service } from "../process/run-service.ts";
import { portsCanBeShared, startWebWorkers } from "../process/web-workers.ts";
import { warnWithoutAdmin } from "../site/admin-missing.ts";
import { admitService, endOfService } from "../site/admit-service.ts";
import { untilPortIsFree } from "../site/port.ts";
import { visitorsOf } from "../site/wait-for-database.ts";
import { StartError } from "../start-error.ts";

/**
 * `--with-collector`: this process also runs the collector.
 * `--worker`: one of several that share the port, which its parent has found free. `--join`: others already serve there.
 * `--inherit`: its parent holds the port (`HeldPort`). `--again`: connections wait there since the only web process crashed.
 */
export async function run(args: string[]): Promise<number> {
  const config = readConfig();
  const log = createLog(config, "web", requestFields);
  const isWorker = args.includes("--worker");
  try {
    refuseUnfinishedRestore(config.dataDir);
    const inherits = args.includes("--inherit");
    if (!isWorker && hasWorkers(config, log)) return await runWorkers(config, log);
    const joins = args.includes("--join");
    return await runService(config, log, async (told) => {
      if (!isWorker && !inherits) await untilPortIsFree(config);
      // No waiting page if others already serve.
      const visitors = joins ? undefined : visitorsOf(config, isWorker);
      const descriptor = inherits ? WAITING_DESCRIPTOR : undefined;
      if (!(await admitService(config, log, { told, visitors, descriptor }))) return null;
      const web = await startMeasured(config, log, {
        sharePort: isWorker,
        joins: joins || args.includes("--again"),
        descriptor: inherits ? SITE_DESCRIPTOR : undefined,
      });
      if (!isWorker && !config.supervised) void warnWithoutAdmin(config, log);
      // Only now: the operator must see why a start failed. In development the console stays with the developer.
      if (!config.dev) sendConsoleTo(log);
      return args.includes("--with-collector") ? withCollector(web, config, told) : web;
    });
  } catch (error) {
    return endOfService(error, config, log);
  }
}

/** Starts the collector after the first page is ready. If it fails, this process ends, so that its supervisor restarts both. */
function withCollector(web: Service, config: Config, told: AbortSignal): Service {
  const log = createLog(config, "collector");
  const collector = import("./collector.ts")
    .then(({ startMeasured: start }) => (told.aborted ? null : start(config, log)))
    .catch((error: unknown) => {
      log.fatal({ err: error }, "the collector could not be started");
      process.exit(1);
    });
  return {
    ...web,
    async stop(replaced) {
      await Promise.all([web.stop(replaced), collector.then((started) => started?.stop())]);
    },
  };
}

/** Hot reload needs a single process, for one open page. */
function hasWorkers({ webWorkers, dev }: Config, log: Log): boolean {
  if (webWorkers === 1 || dev) return false;
  if (!portsCanBeShared) log.info("one web process answers: on this system several cannot share a port");
  return portsCanBeShared;
}

/** Supervises the workers; doesn't serve itself. */
async function runWorkers(config: Config, log: Log): Promise<number> {
  let failed = false;
  const code = await runService(config, log, async (told) => {
    await untilPortIsFree(config);
    if (!(await admitService(config, log, { told, visitors: visitorsOf(config) }))) return null;
    const workers = await startWebWorkers(config, log);
    if (typeof workers === "string") throw new StartError(workers);
    if (!config.supervised) void warnWithoutAdmin(config, log);
    workers.givenUp.then((reason) => {
      log.error(reason);
      failed = true;
      process.kill(process.pid, "SIGTERM");
    });
    return workers;
  });
  return failed ? 1 : code;
}

async function startMeasured(
  config: Config,
  log: Log,
  sharing: { sharePort: boolean; joins: boolean; descriptor: number | undefined },
): Promise<Service> {
  // Loaded here, so that a process that only supervises workers doesn't load it.
  const { startWeb } = await import("#web/server.ts");
  if (!config.metrics) {
    return startWeb(config, { log, ...sharing });
  }
  const { createWebMetrics } = await import("#web/metrics.ts");
  const metrics = createWebMetrics();
  const web = await startWeb(config, { log, metrics, ...sharing });
  const at = { host: config.metrics.host, port: metricsPortOf(config.metrics, config.worker) };
  const endpoint = startMetricsEndpoint(at, metrics.registry, log, sharing.joins);
  return {
    port: web.port,
    stop(replaced) {
      endpoint.stop();
      return web.stop(replaced);
    },
  };
}
