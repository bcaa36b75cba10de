/** Runs several web processes on one port: start, supervise, replace one by one, stop together. */
import { type Config, environmentFor } from "#config";
import { startChild } from "./child-process.ts";
import type { ListeningSocket } from "./listening-socket.ts";
import { createLinePrinter, type Log } from "./log.ts";
import { type RunningPart, type Supervised, supervise } from "./supervise.ts";

export type WebWorkers = {
  port: number;
  /** Settles, with the reason, when a worker was given up: the site then has fewer than requested. */
  givenUp: Promise<string>;
  /** Sockets of all workers. */
  sockets(): Promise<ListeningSocket[]>;
  stop(): Promise<void>;
};

/** Starts a worker. `joins`: others already serve. `sockets`: from the process it replaces. */
type StartWorker = (worker: number, joins: boolean, sockets: ListeningSocket[] | undefined) => RunningPart;

/** Whether several processes can listen on one port here, with connections distributed by the kernel. */
export const portsCanBeShared = process.platform === "linux" || process.platform === "freebsd";

/**
 * Runs `count` web processes as one part of the site, ready as soon as the first is; the others follow. A crashed worker loses only
 * its own connections.
 * @param options.inherits they replace others, which serve until then; ready when all are
 */
export function superviseWebWorkers(
  { count, inherits = false, start }: { count: number; inherits?: boolean; start: StartWorker },
  log: Log,
): Supervised {
  const workers: Supervised[] = [];
  const ready = Promise.withResolvers<void>();
  const givenUp = Promise.withResolvers<string>();
  let answered = inherits;
  let retired = false;
  const add = () => {
    const number = workers.length + 1;
    const worker = supervise(
      // A worker that listens before it is ready would refuse visitors whom another could serve.
      { name: `web worker ${number}`, start: async (sockets) => start(number, answered, sockets) },
      log,
    );
    worker.givenUp.then(givenUp.resolve);
    workers.push(worker);
    return worker;
  };
  add().ready.then(async () => {
    answered = true;
    if (!inherits) ready.resolve();
    while (workers.length < count && !retired) add();
    await Promise.all(workers.map((worker) => worker.ready));
    ready.resolve();
  });
  const retire = () => {
    retired = true;
    for (const worker of workers) worker.retire();
  };
  return {
    ready: ready.promise,
    givenUp: givenUp.promise,
    async replace(how) {
      for (const [before, worker] of workers.entries()) {
        const trouble = await worker.replace(how);
        if (trouble !== null) return before === 0 ? trouble : `${trouble} (web workers before it are replaced)`;
      }
      return null;
    },
    sockets: async () => (await Promise.all(workers.map((worker) => worker.sockets()))).flat(),
    retire,
    async stop() {
      retire();
      await Promise.all(workers.map((worker) => worker.stop()));
    },
    kill() {
      retired = true;
      for (const worker of workers) worker.kill();
    },
  };
}

/**
 * Starts `config.webWorkers` processes of `spawnpoint web` for a supervising process, and settles when the first is ready.
 * @param given sockets of the workers to replace; then settles when all are ready
 * @returns the reason, if one was given up before.
 */
export async function startWebWorkers(
  config: Config,
  log: Log,
  given: ListeningSocket[] = [],
): Promise<WebWorkers | string> {
  const printLine = createLinePrinter();
  let { port } = config;
  const left = [...given];
  const workers = superviseWebWorkers(
    {
      count: config.webWorkers,
      inherits: given.length > 0,
      start: (worker, joins) =>
        startChild({
          args: ["web", "--worker", ...(joins ? ["--join"] : [])],
          env: environmentFor({ ...config, port, worker, supervised: true, startedBy: undefined }),
          printLine,
          // For its first process only: later ones open their own.
          sockets: left.splice(0, 1),
          onBehalf: true,
          // If any free port will do, the first to start chooses it for all.
          onReady: (found) => {
            port = found ?? port;
          },
        }),
    },
    log,
  );
  const failed = await Promise.race([workers.ready, workers.givenUp]);
  return typeof failed === "string" ? failed : { ...workers, port };
}
