/** Runs a service process: reports readiness, stops on a signal or when its parent is gone. */
import type { Config } from "#config";
import { giveWhenAsked, type ListeningSocket } from "./listening-socket.ts";
import type { Log } from "./log.ts";
import { tidyAfterStart } from "./tidy-memory.ts";

export type Service = {
  port?: number;
  /** Its sockets, for a successor; none if they can't be passed on. */
  sockets?(): Promise<ListeningSocket[]>;
  /** `handedOn`: its sockets were requested, and the successor is ready. */
  stop(handedOn?: boolean): Promise<void>;
};

const STOP_WITHIN_MS = 15_000;

/**
 * Runs a service until SIGTERM, its parent's end or, started by hand, Ctrl-C; returns the exit code. `start` gets a signal that
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
  process.on("disconnect", () => told.resolve("the process that started it is gone"));
  const stop = new AbortController();
  told.promise.then(() => stop.abort());
  const service = await start(stop.signal);
  if (service === null) return 0;
  let handedOn = false;
  giveWhenAsked(
    async () => (await service.sockets?.()) ?? [],
    () => {
      handedOn = true;
    },
  );
  process.send?.({ ready: true, port: service.port });
  tidyAfterStart();
  log.debug(`stopping: ${await told.promise}`);
  const stopped = await Promise.race([
    service.stop(handedOn).then(() => true),
    new Promise<false>((resolve) => void setTimeout(resolve, STOP_WITHIN_MS, false).unref()),
  ]);
  if (!stopped) log.warn(`not stopped within ${STOP_WITHIN_MS / 1000} s; ending all the same`);
  return stopped ? 0 : 1;
}
