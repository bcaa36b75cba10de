/** `spawnpoint web`: answers visitors until it is told to stop. */
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { type Config, readConfig } from "#config";
import { requestFields } from "#web/request-id.ts";
import type { Web } from "#web/server.ts";
import { warnWithoutAdmin } from "./admin-missing.ts";
import { refuseUnfinishedRestore } from "./backup/unfinished-restore.ts";
import { sendConsoleTo } from "./console-to-log.ts";
import { createLog, type Log } from "./log.ts";
import { metricsPortOf, startMetricsEndpoint } from "./metrics-endpoint.ts";
import { runService } from "./run-service.ts";
import { MEND_FIRST, StartError } from "./start-error.ts";
import { portsCanBeShared, startWebWorkers } from "./web-workers.ts";

/**
 * `--worker`: one of several that share the port; the process that started it has found the port to be free. `--join`: others
 * of them answer there already.
 */
export async function run(args: string[]): Promise<number> {
  const config = readConfig();
  const log = createLog(config, "web", requestFields);
  const isWorker = args.includes("--worker");
  try {
    refuseUnfinishedRestore(config.dataDir);
    if (!isWorker && hasWorkers(config, log)) return await runWorkers(config, log);
    return await runService(config, log, async () => {
      if (!isWorker) await untilPortIsFree(config);
      const web = await startMeasured(config, log, {
        sharePort: isWorker,
        joins: isWorker && args.includes("--join"),
      });
      if (!isWorker && !config.supervised) void warnWithoutAdmin(config, log);
      // Only now: why a start failed is for the operator to read. In development the console is for whoever works here.
      if (!config.dev) sendConsoleTo(log);
      return web;
    });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    log.error(error.message);
    return MEND_FIRST;
  }
}

/** Hot reload is for one process, which has one page open. */
function hasWorkers({ webWorkers, dev }: Config, log: Log): boolean {
  if (webWorkers === 1 || dev) return false;
  if (!portsCanBeShared) log.info("one web process answers: on this system several cannot share a port");
  return portsCanBeShared;
}

/** This process answers nobody; it looks after those that do. */
async function runWorkers(config: Config, log: Log): Promise<number> {
  let failed = false;
  const code = await runService(config, log, async () => {
    await untilPortIsFree(config);
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

async function startMeasured(config: Config, log: Log, sharing: { sharePort: boolean; joins: boolean }): Promise<Web> {
  // Only here, so that a process that looks after workers carries none of it.
  const { startWeb } = await import("#web/server.ts");
  if (!config.metrics) return startWeb(config, { log, ...sharing });
  const { createWebMetrics } = await import("#web/metrics.ts");
  const metrics = createWebMetrics();
  const web = await startWeb(config, { log, metrics, ...sharing });
  const at = { host: config.metrics.host, port: metricsPortOf(config.metrics, config.worker) };
  const endpoint = startMetricsEndpoint(at, metrics.registry, log);
  return {
    ...web,
    stop() {
      endpoint.stop();
      return web.stop();
    },
  };
}

/** A web process that was just killed may hold the port for a moment longer; anybody else is named as the reason. */
async function untilPortIsFree({ port, host }: Config): Promise<void> {
  const deadline = performance.now() + 3000;
  for (;;) {
    const code = await tryPort(port, host);
    if (code === null) return;
    if (code !== "EADDRINUSE") {
      throw new StartError(`HOST ${host} and PORT ${port} cannot be listened on (${code}).`);
    }
    if (performance.now() > deadline) {
      throw new StartError(`PORT ${port} on ${host} is taken by another program. Stop it, or set another PORT.`);
    }
    await pause(100);
  }
}

function tryPort(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen({ port, host }, () => probe.close(() => resolve(null)));
  });
}
