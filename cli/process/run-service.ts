/** The life of a service process: says that it is ready, stops when told to or when its starter is gone. */
import type { Config } from "#config";
import { giveWhenAsked, type ListeningSocket } from "./listening-socket.ts";
import type { Log } from "./log.ts";
import { tidyAfterStart } from "./tidy-memory.ts";

export type Service = {
  port?: number;
  /** What it listens on, for a process that is to take its place; none where it cannot be handed on. */
  sockets?(): Promise<ListeningSocket[]>;
  /** `handedOn`: its sockets were asked for, and whoever has them is ready. */
  stop(handedOn?: boolean): Promise<void>;
};

const STOP_WITHIN_MS = 15_000;

/**
 * Runs a service until SIGTERM, the end of the process that started it, or, started by hand, Ctrl-C; settles with the
 * exit code. `start` is handed a signal by which it ends what it waits for, and settles with null then. Under `spawnpoint start` Ctrl-C is left to the starter, which ends the services in their order.
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
