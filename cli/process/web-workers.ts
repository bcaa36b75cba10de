/** Several web processes that share one port: started, kept alive, replaced one by one, stopped together. */
import { type Config, environmentFor } from "#config";
import { startChild } from "./child-process.ts";
import type { ListeningSocket } from "./listening-socket.ts";
import { createLinePrinter, type Log } from "./log.ts";
import { type RunningPart, type Supervised, supervise } from "./supervise.ts";

export type WebWorkers = {
  port: number;
  /** Settles, with the reason, when a worker has been given up: the site is then not what it was asked to be. */
  givenUp: Promise<string>;
  /** What they listen on, all of them. */
  sockets(): Promise<ListeningSocket[]>;
  stop(): Promise<void>;
};

/** One life of a worker. `joins`: others answer already. `sockets`: of the life whose place it takes. */
type StartWorker = (worker: number, joins: boolean, sockets: ListeningSocket[] | undefined) => RunningPart;

/** Whether several processes may listen on one port here, so that the kernel shares the connections out among them. */
export const portsCanBeShared = process.platform === "linux" || process.platform === "freebsd";

/**
 * So many web processes as one part of the site, ready as soon as the first of them is; the others follow. A worker that dies
 * takes its own connections along, and nobody else's.
 * @param options.inherits they take the place of others, which answer until then; it is ready when all of them are
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
      // One that listens before it can answer would turn visitors away whom another could have served.
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
 * Starts `config.webWorkers` processes of `spawnpoint web` for a process that does nothing else, and settles when the first of
 * them can be asked.
 * @param given what the workers listen on whose place they take; these settle when all can be asked
 * @returns the reason in words, when one was given up before.
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
          // Of its first life: whoever follows on that opens a port of its own.
          sockets: left.splice(0, 1),
          onBehalf: true,
          // Where any free port would do, the first to come up has chosen it for all.
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
