// Starts and stops one web process: starts its parts in order, stops them in reverse.
import type { RequestListener, Server } from "node:http";
import path from "node:path";
import type { Logger } from "pino";
import type { ServerBuild } from "react-router";
import { type Config, ownPorts } from "#config";
import { connectDatabase, type Database } from "#db/client.ts";
import { LIVE_POOL, webPoolSize } from "#db/connection-budget.ts";
import { confirmSiteSecret, openSiteSecret } from "#domain/site/secret.ts";
import { type RunningJobs, startJobs } from "#jobs/start-jobs.ts";
import { WEB_JOBS } from "#jobs/web-schedule.ts";
import { createDiscord } from "#outside/discord.ts";
import { createDiscordProvider, createOidcProvider } from "#outside/identity-provider.ts";
import { createMailer } from "#outside/mail.ts";
import { createObjectStorage } from "#outside/object-storage.ts";
import { createMembers } from "./accounts/members.ts";
import { createApp } from "./app.ts";
import { watchCertificate } from "./certificate-watch.ts";
import type { AppParts } from "./context.ts";
import { createWriteCheck } from "./health.ts";
import { createHttpServer, type HttpServer } from "./http-server.ts";
import { type LiveHub, startLiveHub } from "./live/hub.ts";
import { followShows } from "./live/shows-endpoint.ts";
import { type LiveStream, MAX_STREAMS_OF_CLIENT, startLiveStream } from "./live/stream.ts";
import { streamMemoryOf } from "./live/stream-memory.ts";
import { limitStreams } from "./live/streams-of-address.ts";
import type { WebMetrics } from "./metrics.ts";
import { followDayCurves } from "./pages/day-curves.ts";
import { startDevPages } from "./pages/dev-pages.ts";
import { doctorOf } from "./pages/game-doctor.ts";
import { createHistories } from "./pages/histories.ts";
import { createPageRenderer } from "./pages/page-renderer.ts";
import { readRouteMap } from "./pages/route-facts.ts";
import { createToldDetails } from "./pages/told-details.ts";
import { startIpBlocklist } from "./request/ip-blocklist.ts";
import { createRateLimits, type RateLimits } from "./request/rate-limits.ts";
import { securityHeaders } from "./request/security-headers.ts";
import { createShares } from "./request/shares.ts";
import { createSiteAddresses } from "./request/site-addresses.ts";
import { readVisit } from "./request/visit.ts";
import { nameWithCheck, refuseOtherSecret } from "./shared-secret.ts";

const buildDir = path.join(import.meta.dirname, "..", "build");

export type Web = {
  port: number;
  /** `replaced`: another process listens on the same socket, and is ready. */
  stop(replaced?: boolean): Promise<void>;
};

type WebOptions = {
  log: Logger;
  metrics?: WebMetrics | undefined;
  sharePort?: boolean;
  joins?: boolean;
  /** A bound socket to listen on, instead of host and port. */
  descriptor?: number | undefined;
};

/**
 * Starts the site on config.host and config.port (0: any free port). Rejects with an error whose message is for the operator
 * when the port is taken. With `sharePort` other processes may listen there too, and the kernel distributes the connections;
 * `joins`: others answer there already, so this one starts listening only when it can answer. `stop` fails readiness first, lets
 * accepted requests end, and closes streams.
 */
export async function startWeb(config: Config, options: WebOptions): Promise<Web> {
  const started = new AsyncDisposableStack();
  try {
    const end = { replaced: false };
    const port = await startParts(config, options, started, end);
    return {
      port,
      stop(replaced = false) {
        end.replaced = replaced;
        return started.disposeAsync();
      },
    };
  } catch (error) {
    // The operator gets the original error, whatever fails during the cleanup.
    await started.disposeAsync().catch(() => {});
    throw error;
  }
}

async function startParts(
  config: Config,
  options: WebOptions,
  started: AsyncDisposableStack,
  end: { replaced: boolean },
): Promise<number> {
  const { log, metrics, sharePort = false, joins = false, descriptor } = options;
  const secret = await findSecret(config);
  const connect = (max: number) => {
    const database = connectDatabase(config, { applicationName: nameWithCheck(secret), max, impatient: true });
    return started.adopt(database, ({ close }) => close());
  };
  const database = connect(config.databasePool ?? webPoolSize(config.webWorkers));
  const sharing = { sharePort, processes: sharePort ? config.webWorkers : 1, descriptor };
  const http = started.adopt(createHttpServer(config, sharing), ({ cut }) => cut());
  const port = joins ? config.port : await http.listen();
  // Port 0 is only known now.
  const siteUrl = config.siteUrl.replace(/:0$/, `:${port}`);
  const headers = config.dev ? {} : securityHeaders({ ...config, siteUrl });
  http.beginWith(headers);
  await refuseOtherSecret(database.sql, secret);
  await confirmSiteSecret(database.db, secret, config);

  const { demo, pollIntervalS } = config;
  // A pool of its own: changes are read and sent however busy the pages' pool is.
  const hub = started.adopt(await startLiveHub(connect(LIVE_POOL), { pollIntervalS, demo, siteUrl, log }), (each) =>
    each.stop(),
  );
  const limits = createRateLimits(database.db);
  const live = startStream(hub, headers, limits, config, log);
  const parts = createParts({ config, database, limits, port, siteUrl, secret, log });
  started.defer(() => parts.dayCurves.stop());
  started.adopt(await endStreamsWithSessions(database, live), ({ unlisten }) => unlisten());
  started.adopt(await followShows(database, live), ({ unlisten }) => unlisten());
  const gate = await startIpBlocklist(database, log, (refuses) => {
    live.cut((request) => refuses(() => readVisit(request, config.trustProxy).ip));
    http.connections.cut((ip) => refuses(() => ip));
  });
  started.defer(() => gate.stop());

  const pages = await openPages(config, http.server, started);
  const site = { public: { read: () => hub.read("public") }, members: { read: () => hub.read("members") } };
  const { render, refusals } = createPageRenderer(pages.build, {
    site,
    parts,
    map: pages.map,
    siteUrl,
    headers,
    log,
    dev: config.dev,
  });
  const app = createApp({
    database,
    hub,
    live,
    parts,
    members: createMembers(database.db, { siteUrl, secret, trustProxy: config.trustProxy }),
    gate,
    trustProxy: config.trustProxy,
    pushHosts: config.pushHosts,
    map: pages.map,
    render,
    refusals,
    headers,
    assetsDir: pages.assetsDir,
    onCached: metrics?.cached,
    stopping: http.stopping,
  });
  started.defer(() => app.stop());
  const mailSite = () => ({ name: hub.read("public").settings.site_name, url: siteUrl });
  const jobs = await startJobs(
    WEB_JOBS,
    { ...parts, mailSite, publicSite: site.public.read, config, doctor: doctorOf(parts) },
    { database, log, metrics: metrics?.jobs },
  );
  started.defer(() => endAnswering(http, live, jobs, { drainMs: config.drainMs, ...end }));
  const { canWrite, certificate, dataDir } = parts;
  metrics?.watch({ hub, live, database, canWrite, certificate, dataDir });
  const patterns = [...app.patterns, ...pages.map.addresses.map(({ pattern }) => pattern)];
  const listener = metrics ? metrics.measure(app.listen, patterns) : app.listen;
  http.answerBy(pages.wrap(listener));
  if (joins) await http.listen();
  return port;
}

/** A connection of its own: the names of the others contain a check of the secret. */
async function findSecret(config: Config): Promise<string> {
  const { db, close } = connectDatabase(config, { max: 1, applicationName: "spawnpoint-web" });
  try {
    return await openSiteSecret(db, config);
  } finally {
    await close();
  }
}

function startStream(
  hub: LiveHub,
  headers: Record<string, string>,
  limits: RateLimits,
  { trustProxy, webWorkers }: Config,
  log: Logger,
): LiveStream {
  const places = limitStreams(MAX_STREAMS_OF_CLIENT, { name: "streams", limits, log });
  return startLiveStream(
    hub,
    headers,
    (request) => readVisit(request, trustProxy).ip,
    places,
    streamMemoryOf(webWorkers),
  );
}

/** Makes the actions' services. */
function createParts(given: {
  config: Config;
  database: Database;
  limits: RateLimits;
  port: number;
  siteUrl: string;
  secret: string;
  log: Logger;
}): AppParts {
  const { config, database, limits, port, siteUrl, secret, log } = given;
  const { db } = database;
  const { host, trustProxy, discord, oidc } = config;
  return {
    db,
    addresses: createSiteAddresses({ siteUrl, any: config.anyAddress, host, port, trustProxy }),
    limits,
    shares: createShares(),
    histories: createHistories(db, config.optionalPartMs),
    toldDetails: createToldDetails(db, config.optionalPartMs),
    optionalPartMs: config.optionalPartMs,
    dayCurves: followDayCurves(db, log),
    storage: createObjectStorage(config),
    siteUrl,
    secret,
    providers: [...(discord ? [createDiscordProvider(discord)] : []), ...(oidc ? [createOidcProvider(oidc)] : [])],
    discordPublicKey: config.discordPublicKey ?? null,
    discordCalls: createDiscord({ base: config.discordApi, siteUrl }),
    discordApp: discord ?? null,
    dataDir: config.dataDir,
    canWrite: createWriteCheck(database),
    certificate: watchCertificate(siteUrl),
    mailsGoOut: config.smtpUrl !== undefined,
    mailer: createMailer(config),
    outside: {
      mailServer: config.smtpUrl === undefined ? null : new URL(config.smtpUrl).host,
      mailFrom: config.mailFrom,
      backups: config.backups ?? null,
    },
    addressRule: { allowCidrs: config.probeAllowCidrs, deniedPorts: ownPorts(config) },
    log,
  };
}

/** Notifications sent while the connection was lost are missing: members' streams reconnect, and each checks its session. */
function endStreamsWithSessions({ listen }: Database, live: LiveStream) {
  return listen(
    "sessions",
    (ids) => live.endSessions(new Set(ids.split(","))),
    () => live.renewMembers(),
  );
}

/** Opens the built pages, or in development the sources in app/. */
async function openPages(config: Config, server: Server, started: AsyncDisposableStack) {
  if (config.dev) {
    const dev = started.adopt(await startDevPages(server), (each) => each.stop());
    const map = readRouteMap((await dev.build()).routes);
    return { build: dev.build, map, assetsDir: null, wrap: dev.wrap };
  }
  const build: ServerBuild = await import(path.join(buildDir, "server", "index.js"));
  const wrap = (listener: RequestListener) => listener;
  const map = readRouteMap(build.routes);
  return { build, map, assetsDir: path.join(buildDir, "client"), wrap };
}

/** Fails readiness; then, after `drainMs`, closes streams, stops jobs, and waits for accepted requests. */
async function endAnswering(
  http: HttpServer,
  live: LiveStream,
  jobs: RunningJobs,
  { drainMs, replaced }: { drainMs: number; replaced: boolean },
): Promise<void> {
  http.beginStop(replaced);
  await new Promise((resolve) => setTimeout(resolve, drainMs));
  live.stop();
  const jobsStopped = jobs.stop();
  await http.close();
  await jobsStopped;
}
