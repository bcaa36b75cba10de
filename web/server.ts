// Starts and stops one web process.
import { once } from "node:events";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Logger } from "pino";
import type { ServerBuild } from "react-router";
import type { Config } from "#config";
import { connectDatabase } from "#db/client.ts";
import { LIVE_POOL, webPoolSize } from "#db/driver/connection-budget.ts";
import { confirmSiteSecret, openSiteSecret } from "#domain/site/secret.ts";
import { SCHEDULE } from "#jobs/schedule.ts";
import { startJobs } from "#jobs/start-jobs.ts";
import { createMailer } from "#outside/mail.ts";
import { createObjectStorage } from "#outside/object-storage.ts";
import { spokenAt } from "#shared/spoken.ts";
import { createAuths } from "./accounts/auth.ts";
import { createMembers } from "./accounts/members.ts";
import { createApp } from "./app.ts";
import { watchCertificate } from "./certificate-watch.ts";
import type { AppParts } from "./context.ts";
import { createWriteCheck } from "./health.ts";
import { startLiveHub } from "./live/hub.ts";
import { MAX_STREAMS_OF_ADDRESS, startLiveStream } from "./live/stream.ts";
import { limitStreams } from "./live/streams-of-address.ts";
import { message } from "./messages.ts";
import type { WebMetrics } from "./metrics.ts";
import { followDayCurves } from "./pages/day-curves.ts";
import { startDevPages } from "./pages/dev-pages.ts";
import { createHistories } from "./pages/histories.ts";
import { createPageRenderer } from "./pages/page-renderer.ts";
import { readRouteMap } from "./pages/route-facts.ts";
import { completeRefusal, refuseUnreadable } from "./request/bare-answers.ts";
import { stopListening, watchConnections } from "./request/connections.ts";
import { startIpGate } from "./request/ip-gate.ts";
import { createRateLimits } from "./request/rate-limits.ts";
import { NamedResponse } from "./request/request-id.ts";
import { securityHeaders } from "./request/security-headers.ts";
import { createShares } from "./request/shares.ts";
import { createSiteAddresses } from "./request/site-addresses.ts";
import { readVisit } from "./request/visit.ts";
import { nameWithCheck, refuseOtherSecret } from "./shared-secret.ts";

const STOP_LIMIT_MS = 8_000;
/** After the site has stopped listening: how long a connection may take to ask. */
const CLOSE_IDLE_MS = 250;
/** Turns of the event loop in which whatever has arrived is read, however long they take. */
const TURNS_TO_READ = 5;
const KNOCKING_MS = 3_000;
/** So long these turns take at most where nothing is done in them. */
const QUIET_TURNS_MS = 1;
const buildDir = path.join(import.meta.dirname, "..", "build");

export type Web = { port: number; stop(): Promise<void> };

/**
 * Starts the site on config.host and config.port (0: any free port). Rejects with an error whose message is for the
 * operator when the port is taken. With `sharePort` other processes may listen there too, and the kernel shares the
 * connections out; `joins`: others answer there already, so that this one begins to listen once it can answer as well.
 * `stop` fails readiness first, lets accepted requests end, and sends streams away.
 */
export async function startWeb(
  config: Config,
  options: { log: Logger; metrics?: WebMetrics | undefined; sharePort?: boolean; joins?: boolean },
): Promise<Web> {
  const { log, metrics, sharePort = false, joins = false } = options;
  const secret = await findSecret(config);
  const database = connectDatabase(config, {
    applicationName: nameWithCheck(secret),
    max: config.databasePool ?? webPoolSize(config.webWorkers),
    impatient: true,
  });
  let stopping = false;
  /** Whoever is answered while we stop comes back over a new connection: this one is about to be closed. */
  class Answer extends NamedResponse {
    override writeHead(...head: Parameters<NamedResponse["writeHead"]>): this {
      if (stopping) this.shouldKeepAlive = false;
      completeRefusal(this, head, headers);
      return super.writeHead(...head);
    }
  }
  const server = createServer({
    requestTimeout: 30_000,
    headersTimeout: 10_000,
    // How long somebody may take is looked at so often; whoever connects and says nothing is among them.
    connectionsCheckingInterval: 5_000,
    maxHeaderSize: 16 * 1024,
    ServerResponse: Answer,
  });
  const connections = watchConnections(server, {
    trustProxy: config.trustProxy,
    processes: sharePort ? config.webWorkers : 1,
  });
  const open = () => listen(server, { host: config.host, port: config.port, reusePort: sharePort });
  const port = joins
    ? config.port
    : await open().catch(async (error) => {
        await database.close();
        throw error;
      });
  // Port 0 is only known now.
  const siteUrl = config.siteUrl.replace(/:0$/, `:${port}`);
  const { host, trustProxy } = config;
  const addresses = createSiteAddresses({ siteUrl, any: config.anyAddress, host, port, trustProxy });
  const headers = config.dev ? {} : securityHeaders(siteUrl);
  const starting: RequestListener = (request, response) => {
    response
      .writeHead(503, {
        "Retry-After": "1",
        "X-Relay-Error": "true",
        "Cache-Control": "no-store",
        "Content-Type": "text/plain; charset=utf-8",
      })
      .end(`${message(spokenAt(request.url ?? "/"), "bare_starting")}\n`);
  };
  server.on("clientError", refuseUnreadable(headers));
  server.on("request", starting);
  await refuseOtherSecret(database.sql, secret)
    .then(() => confirmSiteSecret(database.db, secret, config))
    .catch(async (error) => {
      server.close();
      await database.close();
      throw error;
    });
  // Connections of its own: what changed is read and sent on whatever pages ask of the database.
  const following = connectDatabase(config, {
    applicationName: nameWithCheck(secret),
    max: LIVE_POOL,
    impatient: true,
  });
  const hub = await startLiveHub(following, { pollIntervalS: config.pollIntervalS, demo: config.demo, siteUrl, log });
  const { db, sql } = database;
  const limits = createRateLimits(db);
  const live = startLiveStream(
    hub,
    headers,
    (request) => readVisit(request, config.trustProxy).ip,
    limitStreams(MAX_STREAMS_OF_ADDRESS, { name: "streams", limits, log }),
  );
  const siteName = hub.read("public").settings.site_name;
  const auths = createAuths({ db, siteUrl, secret, siteName, discord: config.discord, log });
  const parts: AppParts = {
    db,
    auth: auths.auth,
    authAt: auths.at,
    addresses,
    limits,
    shares: createShares(),
    histories: createHistories(db),
    dayCurves: followDayCurves(db, log),
    storage: createObjectStorage(config),
    siteUrl,
    secret,
    discord: config.discord !== undefined,
    dataDir: config.dataDir,
    canWrite: createWriteCheck(database),
    certificate: watchCertificate(siteUrl),
    mailsGoOut: config.smtpUrl !== undefined,
    addressRule: { allowCidrs: config.probeAllowCidrs, deniedPorts: [config.port] },
    log,
  };
  // What was said while the connection was lost is gone: members' streams begin again, each asked for its session.
  const endedSessions = await sql.listen(
    "sessions",
    (ids) => live.endSessions(new Set(ids.split(","))),
    () => live.renewMembers(),
  );
  const gate = await startIpGate(database, log, (refuses) => {
    live.cut((request) => refuses(() => readVisit(request, config.trustProxy).ip));
    connections.cut((ip) => refuses(() => ip));
  });
  const site = {
    site: { public: { read: () => hub.read("public") }, members: { read: () => hub.read("members") } },
    parts,
    siteUrl,
    headers,
    log,
    dev: config.dev,
  };
  const dev = config.dev ? await startDevPages(server) : null;
  const build = dev ? dev.build : ((await import(path.join(buildDir, "server", "index.js"))) as ServerBuild);
  const map = readRouteMap((typeof build === "function" ? await build() : build).routes);
  const { render, refusals } = createPageRenderer(build, site);
  const app = createApp({
    database,
    hub,
    live,
    parts,
    members: createMembers(db, { siteUrl, secret, trustProxy: config.trustProxy }),
    gate,
    trustProxy: config.trustProxy,
    map,
    render,
    refusals,
    headers,
    assetsDir: dev ? null : path.join(buildDir, "client"),
    onCached: metrics?.cached,
    stopping: () => stopping,
  });
  const mailSite = () => ({ name: hub.read("public").settings.site_name, url: siteUrl });
  const jobs = await startJobs(
    SCHEDULE.web,
    { ...parts, mailer: createMailer(config), mailSite, config },
    { database, log, watch: metrics?.jobs },
  );
  metrics?.watch({
    hub,
    live,
    database,
    canWrite: parts.canWrite,
    certificate: parts.certificate,
    dataDir: config.dataDir,
  });
  const patterns = [...app.patterns, ...map.addresses.map(({ pattern }) => pattern)];
  const listener = metrics ? metrics.measure(app.listen, patterns) : app.listen;
  server.off("request", starting);
  server.on("request", dev ? dev.wrap(listener) : listener);

  const web: Web = {
    port,
    async stop() {
      stopping = true;
      await new Promise((resolve) => setTimeout(resolve, config.drainMs));
      live.stop();
      const jobsStopped = jobs.stop();
      const answerHeld = holdRequests(server);
      await untilNobodyKnocks(server, connections.answers());
      const closed = stopListening(server);
      answerHeld();
      const idle = setInterval(() => turnLoop(TURNS_TO_READ).then(() => server.closeIdleConnections()), CLOSE_IDLE_MS);
      const cut = setTimeout(() => server.closeAllConnections(), STOP_LIMIT_MS);
      await closed;
      clearTimeout(cut);
      clearInterval(idle);
      server.close(() => {});
      app.stop();
      await dev?.stop();
      await jobsStopped;
      await hub.stop();
      await following.close();
      parts.dayCurves.stop();
      await endedSessions.unlisten().catch(() => {});
      await gate.stop();
      await database.close();
    },
  };
  if (joins) {
    await open().catch(async (error) => {
      await web.stop();
      throw error;
    });
  }
  return web;
}

/** By a connection of its own: that of the others shows a check of the secret. */
async function findSecret(config: Config): Promise<string> {
  const { db, close } = connectDatabase(config, { max: 1, applicationName: "spawnpoint-web" });
  try {
    return await openSiteSecret(db, config);
  } finally {
    await close();
  }
}

/**
 * Puts requests that arrive aside; the answer of this function has them answered as ever. Whoever is answered while the site
 * stops comes again over a new connection, so that on a busy site somebody would knock for as long as anybody is answered.
 */
function holdRequests(server: Server): () => void {
  const held: Parameters<RequestListener>[] = [];
  const hold: RequestListener = (...exchange) => held.push(exchange);
  const listeners = server.listeners("request") as RequestListener[];
  server.removeAllListeners("request").on("request", hold);
  return () => {
    server.off("request", hold);
    for (const listener of listeners) server.on("request", listener);
    for (const exchange of held) server.emit("request", ...exchange);
  };
}

/**
 * Settles when these answers are given and nobody waits to be let in, or after three seconds: each turn of the event loop lets
 * one in, and who still waits when listening ends is sent away unheard. A turn that took long lets others come.
 */
async function untilNobodyKnocks(server: Server, answers: ServerResponse[]): Promise<void> {
  const patience = AbortSignal.timeout(KNOCKING_MS);
  await Promise.allSettled(answers.map((answer) => once(answer, "close", { signal: patience })));
  let knocked = true;
  const onKnock = () => {
    knocked = true;
  };
  server.on("connection", onKnock);
  while (knocked && !patience.aborted) {
    const began = performance.now();
    knocked = false;
    await turnLoop(TURNS_TO_READ);
    if (performance.now() - began > QUIET_TURNS_MS) knocked = true;
  }
  server.off("connection", onKnock);
}

async function turnLoop(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function listen(server: Server, at: { host: string; port: number; reusePort: boolean }): Promise<number> {
  const { host, port } = at;
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === "EADDRINUSE"
          ? `Port ${port} on ${host} is taken by another program. Stop it, or set PORT to another port.`
          : error.code === "EACCES"
            ? `Port ${port} on ${host} may not be opened by this user. Set PORT to 1024 or more.`
            : `${host}:${port} cannot be listened on: ${error.message}`;
      reject(new Error(reason, { cause: error }));
    });
    server.listen(at, () => resolve((server.address() as AddressInfo).port));
  });
}
