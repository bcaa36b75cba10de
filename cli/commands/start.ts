/** `spawnpoint start`: starts, supervises and stops the whole site on one machine. */
import { statfs } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { type Config, DEMO_DATA_DIR, environmentFor, readConfig, SMALL_MACHINE, usableMemory } from "#config";
import { connectionsNeeded } from "#db/connection-budget.ts";
import { startEmbeddedPostgres } from "#db/postgres/embedded-postgres.ts";
import { listOwnAddresses } from "#web/request/site-addresses.ts";
import { pointToBackup } from "../backup/kept-backups.ts";
import { refuseUnfinishedRestore } from "../backup/unfinished-restore.ts";
import { OWN_ORIGIN, startChild } from "../process/child-process.ts";
import type { HeldPort } from "../process/held-port.ts";
import { createLinePrinter, createLog, type Log } from "../process/log.ts";
import { type Part, type Supervised, supervise } from "../process/supervise.ts";
import { tidyAfterStart } from "../process/tidy-memory.ts";
import { portsCanBeShared, superviseWebWorkers } from "../process/web-workers.ts";
import { lockDataFolder } from "../site/data-folder-lock.ts";
import { admitFolder, markDemoFolder } from "../site/demo-folder.ts";
import { describeTakenFigures, holdPort, untilPortIsFree } from "../site/port.ts";
import { tellOutcome } from "../site/restart-outcome.ts";
import { describeBackupFolder, readMachine, startNotes } from "../site/start-notes.ts";
import { runStartStep } from "../site/start-step.ts";
import { StartError } from "../start-error.ts";
import { type Origin, replaceProcesses } from "../update/replace-processes.ts";

const REST_STARTS_AFTER_MS = 3000;
/** Two segments of its write-ahead log; with less space it may stop, and not start again. */
const POSTGRES_NEEDS_BYTES = 32 * 1024 ** 2;

export async function run(args: string[]): Promise<number> {
  const unknown = args.find((arg) => arg !== "--demo" && arg !== "--dev");
  if (unknown !== undefined) throw new StartError(`\`spawnpoint start\` knows --demo and --dev, not "${unknown}".`);
  const config = readStartConfig(args);
  const log = createLog(config, "start");
  const told = listenForTheEnd(config.startedBy);
  admitFolder(config);
  // Before the folder shows that this process accepts requests.
  let restart = async (): Promise<void> =>
    tellOutcome(config.dataDir, { done: false, text: "It is still starting; ask again when it runs." });
  process.on("SIGUSR2", () => void restart());
  const lock = lockDataFolder(config.dataDir, { restarts: true });
  refuseUnfinishedRestore(config.dataDir);
  await untilPortIsFree(config);
  // Before our own processes listen there. Neither prevents the start.
  for (const text of [...(await describeTakenFigures(config)), await describeBackupFolder(config)])
    text && log.error(text);

  // In start order; stopped in the order web, collector, demo, Postgres.
  const parts: { [name in "postgres" | "web" | "collector" | "demo"]?: Supervised } = {};
  let held: HeldPort | undefined;
  let ending = false;
  told.again.then(() => {
    log.warn("stopping at once");
    for (const part of [parts.web, parts.collector, parts.demo, parts.postgres]) part?.kill();
  });

  try {
    if (config.demo && config.databaseUrl === undefined) await markDemoFolder(config.dataDir);
    const databaseUrl = await openDatabase(config, log, parts, told.once);
    if (databaseUrl === null) return 0;
    await runStartStep({ step: "prepare", config, databaseUrl });
    const env = environmentOf(config, databaseUrl);
    const printLine = createLinePrinter();
    const web = Promise.withResolvers<number | undefined>();
    let origin: Origin = OWN_ORIGIN;
    held = await holdPort(config, config.webWorkers > 1);
    let webPort = held?.port;
    let wasReady = false;
    const onWebReady = (port: number | undefined) => {
      webPort = port;
      wasReady = true;
      web.resolve(port);
    };
    const running = new Map<number, object>();
    const startWeb = (args: string[], worker = 0) => {
      const child = startChild({
        args: ["web", ...args],
        env: atPort(worker ? environmentOf({ ...config, worker }, databaseUrl) : env, webPort),
        origin,
        descriptors: held?.descriptors(worker),
        printLine,
        onReady: onWebReady,
        // Other workers answer; those of a single process wait for the next one.
        onExit: () => worker > 0 && running.get(worker) === child && held?.drop(worker),
      });
      running.set(worker, child);
      return child;
    };
    // The mock game servers send heartbeats to the site, so they need its port if any free one was used.
    const demo: Part = {
      name: "demo",
      start: async () => {
        const known = Promise.race([web.promise, parts.web?.givenUp, told.once]);
        const port = config.port === 0 ? await known : config.port;
        return startChild({ args: ["demo"], env: { ...env, PORT: String(Number(port) || 0) }, origin, printLine });
      },
    };
    const together = config.oneProcess === true;
    parts.web =
      config.webWorkers > 1
        ? superviseWebWorkers(
            {
              count: config.webWorkers,
              start: (worker, joins) => startWeb(joins ? ["--worker", "--join"] : ["--worker"], worker),
            },
            log,
          )
        : supervise(
            {
              name: "web",
              start: async (beside) =>
                startWeb([
                  ...(together ? ["--with-collector"] : []),
                  ...(beside ? ["--join"] : wasReady ? ["--again"] : []),
                ]),
            },
            log,
          );
    tidyAfterStart();
    web.promise
      .then(async (port) => {
        const [siteUrl, ...others] = addressesOf(config, port);
        console.log(`Spawnpoint is at ${siteUrl}`);
        for (const address of others) console.log(`          and at ${address}`);
        const place = { ...config, port: port ?? config.port, oneProcess: together };
        for (const note of startNotes(place, await readMachine(config.dataDir))) console.log(note);
        await runStartStep({ step: "banner", config, databaseUrl, siteUrl });
      })
      .catch((error) => {
        // Stopping in the first moments closes the database under the banner, which is no longer needed.
        if (!ending) log.error({ err: error }, "nobody could be told how to sign in");
      });
    // The first visitor gets the whole machine for a moment: the rest starts after the first page is ready.
    const ended = await Promise.race([parts.web.ready, pause(REST_STARTS_AFTER_MS), parts.web.givenUp, told.once]);
    if (ended === undefined) {
      if (!together) {
        const start = async () => startChild({ args: ["collector"], env: atPort(env, webPort), origin, printLine });
        parts.collector = supervise({ name: "collector", start }, log);
      }
      if (config.demo) parts.demo = supervise(demo, log);
    }
    let restarting = false;
    restart = async () => {
      if (restarting || ending || !parts.web) return;
      restarting = true;
      const outcome = config.dev
        ? { done: false, text: "With --dev every change is loaded by itself; there is nothing to restart." }
        : await replaceProcesses({
            env: atPort(env, webPort),
            demo: config.demo,
            web: parts.web,
            others: [parts.collector, parts.demo].filter((part) => part !== undefined),
            before: origin,
            startFrom(next) {
              origin = next;
            },
            log,
          });
      tellOutcome(config.dataDir, outcome);
      restarting = false;
    };
    const lost = await Promise.race([told.once, ...Object.values(parts).map((part) => part.givenUp)]);
    if (lost === null) return 0;
    throw new StartError(lost);
  } finally {
    ending = true;
    // The machine's supervisor, or the terminal, may have signalled all of them at once.
    for (const part of Object.values(parts)) part.retire();
    held?.close();
    for (const part of [parts.web, parts.collector, parts.demo, parts.postgres]) await part?.stop();
    lock.release();
  }
}

/** Removes settings that a demo must not use: a real site's backups and pictures. */
function readStartConfig(args: string[]): Config {
  const demo = args.includes("--demo");
  const set = { ...readConfig(process.env, demo ? DEMO_DATA_DIR : undefined), demo, dev: args.includes("--dev") };
  // Several web processes, or hot reload, imply a larger machine.
  const oneProcess = set.oneProcess ?? (usableMemory() < SMALL_MACHINE && set.webWorkers === 1 && !set.dev);
  // Hot reload needs a single process, for one open page.
  const single = oneProcess || set.dev || !portsCanBeShared;
  const config = { ...set, oneProcess, webWorkers: single ? 1 : set.webWorkers };
  return demo ? { ...config, backups: undefined, s3: undefined } : config;
}

/** Returns the database's address, once usable; null if stopped meanwhile. */
async function openDatabase(
  config: Config,
  log: Log,
  parts: { postgres?: Supervised },
  told: Promise<null>,
): Promise<string | null> {
  const { databaseUrl } = config;
  if (!databaseUrl) return startPostgres(config, log, parts, told);
  return (await runStartStep({ step: "wait", config, databaseUrl }, told)) ? databaseUrl : null;
}

/** Returns null if stopped meanwhile. */
async function startPostgres(
  config: Config,
  log: Log,
  parts: { postgres?: Supervised },
  told: Promise<null>,
): Promise<string | null> {
  const started = Promise.withResolvers<string>();
  const postgres = supervise(
    {
      name: "postgres",
      async start() {
        const settings = { max_connections: String(connectionsNeeded(config.webWorkers)) };
        const server = await startEmbeddedPostgres({
          dataDir: config.dataDir,
          bin: config.postgresBin,
          log,
          settings,
        }).catch(async (error) => {
          throw await pointToBackup(error, config);
        });
        started.resolve(server.url);
        return {
          ready: Promise.resolve(),
          ended: server.exited.then(({ code, signal, lastLines }) => ({
            reason: `${signal ? `signal ${signal}` : `exit code ${code}`}; ${lastLines.at(-1) ?? "it said nothing"}`,
          })),
          stop: (how) => server.stop(how === "killed"),
        };
      },
      excused: async () => {
        const disk = await statfs(config.dataDir).catch(() => null);
        return disk !== null && disk.bavail * disk.bsize < POSTGRES_NEEDS_BYTES;
      },
    },
    log,
  );
  parts.postgres = postgres;
  const refused = postgres.givenUp.then((reason) => {
    throw new StartError(reason.replace(/^postgres ended: /, ""));
  });
  refused.catch(() => {});
  return Promise.race([started.promise, refused, told]);
}

function environmentOf(config: Config, databaseUrl: string): NodeJS.ProcessEnv {
  // Mock game servers are on loopback, which is otherwise never polled.
  const ranges = config.demo ? [...new Set([...config.probeAllowCidrs, "127.0.0.0/8"])] : config.probeAllowCidrs;
  return environmentFor({ ...config, databaseUrl, probeAllowCidrs: ranges, supervised: true, startedBy: undefined });
}

/** Passes the chosen port on, where any free one was used. */
function atPort(env: NodeJS.ProcessEnv, port: number | undefined): NodeJS.ProcessEnv {
  return env.PORT === "0" && port !== undefined ? { ...env, PORT: String(port) } : env;
}

/** Addresses of the site, with that for mails first. With PORT=0 the port is known only now. */
function addressesOf(config: Config, port = config.port): [string, ...string[]] {
  const siteUrl = config.siteUrl.replace(/:0$/, `:${port}`);
  const own = config.anyAddress ? listOwnAddresses(config.host, port) : [];
  return [siteUrl, ...own.filter((address) => address !== siteUrl)];
}

/**
 * `once`: a request to stop. `again`: a second Ctrl-C, to stop at once. npm and our launcher pass on the signal that the terminal
 * has already sent, so signals within a second count as one. The parent's end counts as well: npm and its shell may be killed
 * without passing anything on.
 */
function listenForTheEnd(startedBy: number | undefined): { once: Promise<null>; again: Promise<void> } {
  const once = Promise.withResolvers<null>();
  const again = Promise.withResolvers<void>();
  let firstAt: number | null = null;
  const onSignal = () => {
    firstAt ??= performance.now();
    if (performance.now() - firstAt > 1000) again.resolve();
    once.resolve(null);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
  process.on("disconnect", () => once.resolve(null));
  if (startedBy !== undefined) setInterval(() => process.ppid !== startedBy && once.resolve(null), 500).unref();
  return { once: once.promise, again: again.promise };
}
