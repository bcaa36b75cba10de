/** Several web processes that share one port: started, kept alive, stopped together. */
import { type Config, environmentFor } from "#config";
import { startChild } from "./child-process.ts";
import type { ListeningSocket } from "./listening-socket.ts";
import { createLinePrinter, type Log } from "./log.ts";
import { type Supervised, supervise } from "./supervise.ts";

export type WebWorkers = {
  port: number;
  /** Settles, with the reason, when a worker has been given up: the site is then not what it was asked to be. */
  givenUp: Promise<string>;
  /** What they listen on, all of them. */
  sockets(): Promise<ListeningSocket[]>;
  stop(): Promise<void>;
};

/** Whether several processes may listen on one port here, so that the kernel shares the connections out among them. */
export const portsCanBeShared = process.platform === "linux" || process.platform === "freebsd";

/**
 * Starts `config.webWorkers` processes of `spawnpoint web` and settles when the first of them can be asked; the others
 * follow. A worker that dies takes its own connections along, and nobody else's.
 * @param given what the workers listen on whose place they take; these settle when all can be asked
 * @returns the reason in words, when the first was given up before it could be asked.
 */
export async function startWebWorkers(
  config: Config,
  log: Log,
  given: ListeningSocket[] = [],
): Promise<WebWorkers | string> {
  const printLine = createLinePrinter();
  const first = Promise.withResolvers<number>();
  let { port } = config;
  const inherits = given.length > 0;
  const left = [...given];
  let answered = inherits;
  const startWorker = (worker: number): Supervised =>
    supervise(
      {
        name: `web worker ${worker}`,
        start: async () =>
          startChild({
            // One that listens before it can answer would turn visitors away whom another could have served.
            args: answered ? ["web", "--worker", "--join"] : ["web", "--worker"],
            env: environmentFor({ ...config, port, worker, supervised: true, startedBy: undefined }),
            printLine,
            // Of its first life: whoever follows on that opens a port of its own.
            sockets: left.splice(0, 1),
            onBehalf: true,
            // Where any free port would do, the first to come up has chosen it for all.
            onReady: (found) => {
              port = found ?? port;
              answered = true;
              first.resolve(port);
            },
          }),
      },
      log,
    );
  const workers = [startWorker(1)];
  const started = await Promise.race([first.promise, workers[0]?.givenUp ?? "no worker was asked for"]);
  if (typeof started === "string") return started;
  for (let worker = 2; worker <= config.webWorkers; worker += 1) workers.push(startWorker(worker));
  const allReady = Promise.all(workers.map(({ ready }) => ready));
  const failed = inherits ? await Promise.race([allReady, ...workers.map(({ givenUp }) => givenUp)]) : null;
  if (typeof failed === "string") return failed;
  return {
    port: started,
    sockets: async () => (await Promise.all(workers.map((worker) => worker.sockets()))).flat(),
    givenUp: Promise.race(workers.map((worker) => worker.givenUp)),
    async stop() {
      for (const worker of workers) worker.retire();
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}
