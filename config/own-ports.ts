/** Lists the ports of this machine that the site's own processes listen on. */
import type { Config } from "./config.ts";

/**
 * Gets a process's port for metrics: the collector has METRICS_PORT itself, web worker 1 the next port, worker 2 the one
 * after. So one setting serves all processes of a machine.
 * @param who "collector", or the number of a web worker, from 1
 */
export function metricsPortOf(metrics: { port: number }, who: "collector" | number): number {
  return who === "collector" ? metrics.port : metrics.port + who;
}

/** Lists the ports that no address of a game server or webhook may have: the site's, and those of its metrics. */
export const ownPorts = ({ port, metrics, webWorkers }: Pick<Config, "port" | "metrics" | "webWorkers">): number[] =>
  metrics
    ? [
        port,
        metricsPortOf(metrics, "collector"),
        ...workers(webWorkers).map((worker) => metricsPortOf(metrics, worker)),
      ]
    : [port];

const workers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
