/** Runs a service process: reports readiness, stops on a signal or when its parent is gone. */
import type { Config } from "#config";
import type { Log } from "./log.ts";
import { tidyAfterStart } from "./tidy-memory.ts";

export type Service = {
  port?: number;
  /** `replaced`: its successor listens on the same socket, and is ready. */
  stop(replaced?: boolean): Promise<void>;
};

/** The parent's message that the successor is ready: stops the service. */
export const REPLACED = "spawnpoint:replaced";

const STOP_WITHIN_MS = 15_000;

/**
 * Runs a service until SIGTERM, `REPLACED`, its parent's end or, started by hand, Ctrl-C; returns the exit code. `start` gets a signal that
 * aborts its waiting (it returns null then). Under `spawnpoint start` the parent handles Ctrl-C and stops the services in order.
 */
export async function runService(
  { supervised }: Pick<Config, "supervised">,
  log: Log,
  start: (told: AbortSignal) => Promise<Service | null>,
): Promise<number> {
  const told = Promise.withResolvers<string>();
  process.on("SIGTERM", () => told.resolve("SIGTERM"));
  process.on("SIGHUP", () => !supervised && told.resolve("SIGHUP"));
  process.on("SIGINT", () => !supervised && told.resolve("SIGINT"));
  process.on("message", (message) => message === REPLACED && told.resolve(REPLACED));
  process.on("disconnect", () => told.resolve("the process that started it is gone"));
  const stop = new AbortController();
  told.promise.then(() => stop.abort());
  const service = await start(stop.signal);
  if (service === null) return 0;
  process.send?.({ ready: true, port: service.port });
  tidyAfterStart();
  const reason = await told.promise;
  log.debug(`stopping: ${reason}`);
  const stopped = await Promise.race([
    service.stop(reason === REPLACED).then(() => true),
    new Promise<false>((resolve) => void setTimeout(resolve, STOP_WITHIN_MS, false).unref()),
  ]);
  if (!stopped) log.warn(`not stopped within ${STOP_WITHIN_MS / 1000} s; ending all the same`);
  return stopped ? 0 : 1;
}
