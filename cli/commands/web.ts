/** `spawnpoint web`: serves visitors until it is stopped. */
import type { Server } from "node:http";
import { type Config, metricsPortOf, readConfig } from "#config";
import { requestFields } from "#web/request/request-id.ts";
import { refuseUnfinishedRestore } from "../backup/unfinished-restore.ts";
import { sendConsoleTo } from "../process/console-to-log.ts";
import { type ListeningSocket, socketOf, takeGiven } from "../process/listening-socket.ts";
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
 * `--inherit`: replaces another process, which serves until then and passes its socket on.
 * `--again`: that one crashed, and the socket is given twice.
 */
export async function run(args: string[]): Promise<number> {
  const config = readConfig();
  const log = createLog(config, "web", requestFields);
  const isWorker = args.includes("--worker");
  try {
    refuseUnfinishedRestore(config.dataDir);
    const given = args.includes("--inherit") ? await takeGiven() : [];
    const spare = args.includes("--again") ? given[1] : undefined;
    if (!isWorker && hasWorkers(config, log)) return await runWorkers(config, log, given);
    const joins = given.length > 0 || (isWorker && args.includes("--join"));
    return await runService(config, log, async (told) => {
      if (!isWorker && !joins) await untilPortIsFree(config);
      // No waiting page if others already serve.
      const visitors = spare || !joins ? visitorsOf(config, isWorker) : undefined;
      if (!(await admitService(config, log, { told, visitors: visitors && { ...visitors, socket: spare } })))
        return null;
      spare?.close();
      const web = await startMeasured(config, log, {
        sharePort: isWorker,
        joins,
        socket: given[0],
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
    async stop(handedOn) {
      await Promise.all([web.stop(handedOn), collector.then((started) => started?.stop())]);
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
async function runWorkers(config: Config, log: Log, given: ListeningSocket[]): Promise<number> {
  let failed = false;
  const code = await runService(config, log, async (told) => {
    const joins = given.length > 0;
    if (!joins) await untilPortIsFree(config);
    const visitors = joins ? undefined : visitorsOf(config);
    if (!(await admitService(config, log, { told, visitors }))) return null;
    const workers = await startWebWorkers(config, log, given);
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
  sharing: { sharePort: boolean; joins: boolean; socket: ListeningSocket | undefined },
): Promise<Service> {
  // Loaded here, so that a process that only supervises workers doesn't load it.
  const { startWeb } = await import("#web/server.ts");
  if (!config.metrics) {
    const { port, server, stop } = await startWeb(config, { log, ...sharing });
    return { port, sockets: () => listSockets(server), stop };
  }
  const { createWebMetrics } = await import("#web/metrics.ts");
  const metrics = createWebMetrics();
  const web = await startWeb(config, { log, metrics, ...sharing });
  const at = { host: config.metrics.host, port: metricsPortOf(config.metrics, config.worker) };
  const endpoint = startMetricsEndpoint(at, metrics.registry, log, sharing.socket !== undefined);
  return {
    port: web.port,
    sockets: () => listSockets(web.server),
    stop(handedOn) {
      endpoint.stop();
      return web.stop(handedOn);
    },
  };
}

async function listSockets(server: Server): Promise<ListeningSocket[]> {
  const socket = socketOf(server);
  return socket ? [socket] : [];
}
