/** `spawnpoint web`: answers visitors until it is told to stop. */
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { type Config, readConfig } from "#config";
import { requestFields } from "#web/request-id.ts";
import { startWeb, type Web } from "#web/server.ts";
import { createLog, type Log } from "./log.ts";
import { metricsPortOf, startMetricsEndpoint } from "./metrics-endpoint.ts";
import { runService } from "./run-service.ts";
import { MEND_FIRST, StartError } from "./start-error.ts";

export async function run(): Promise<number> {
  const config = readConfig();
  const log = createLog(config, "web", requestFields);
  try {
    return await runService(config, log, async () => {
      await untilPortIsFree(config);
      return startMeasured(config, log);
    });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    log.error(error.message);
    return MEND_FIRST;
  }
}

async function startMeasured(config: Config, log: Log): Promise<Web> {
  if (!config.metrics) return startWeb(config, { log });
  const { createWebMetrics } = await import("#web/metrics.ts");
  const metrics = createWebMetrics();
  const web = await startWeb(config, { log, metrics });
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
  const deadline = Date.now() + 3000;
  for (;;) {
    const code = await tryPort(port, host);
    if (code === null) return;
    if (code !== "EADDRINUSE") {
      throw new StartError(`HOST ${host} and PORT ${port} cannot be listened on (${code}).`);
    }
    if (Date.now() > deadline) {
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
