/** Runs several web processes on one port: start, supervise, replace one by one, stop together. */
import { type Config, environmentFor } from "#config";
import { startChild } from "./child-process.ts";
import { createLinePrinter, type Log } from "./log.ts";
import { type RunningPart, type Supervised, supervise } from "./supervise.ts";

export type WebWorkers = {
  port: number;
  /** Settles, with the reason, when a worker was given up: the site then has fewer than requested. */
  givenUp: Promise<string>;
  stop(): Promise<void>;
};

/** Starts a worker. `joins`: others already serve. */
type StartWorker = (worker: number, joins: boolean) => RunningPart;

/** Whether several processes can listen on one port here, with connections distributed by the kernel. */
export const portsCanBeShared = process.platform === "linux" || process.platform === "freebsd";

/**
 * Runs `count` web processes as one part of the site, ready as soon as the first is; the others follow. A crashed worker loses only
 * its own connections.
 */
export function superviseWebWorkers({ count, start }: { count: number; start: StartWorker }, log: Log): Supervised {
  const workers: Supervised[] = [];
  const ready = Promise.withResolvers<void>();
  const givenUp = Promise.withResolvers<string>();
  let answered = false;
  let retired = false;
  const add = () => {
    const number = workers.length + 1;
    const worker = supervise(
      // A worker that listens before it is ready would refuse visitors whom another could serve.
      { name: `web worker ${number}`, start: async () => start(number, answered) },
      log,
    );
    worker.givenUp.then(givenUp.resolve);
    workers.push(worker);
    return worker;
  };
  add().ready.then(async () => {
    answered = true;
    ready.resolve();
    while (workers.length < count && !retired) add();
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
 * @returns the reason, if one was given up before.
 */
export async function startWebWorkers(config: Config, log: Log): Promise<WebWorkers | string> {
  const printLine = createLinePrinter();
  let { port } = config;
  const workers = superviseWebWorkers(
    {
      count: config.webWorkers,
      start: (worker, joins) =>
        startChild({
          args: ["web", "--worker", ...(joins ? ["--join"] : [])],
          env: environmentFor({ ...config, port, worker, supervised: true, startedBy: undefined }),
          printLine,
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
