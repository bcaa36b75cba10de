// Counts and measures this web process for Prometheus. Loaded only if metrics are served.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Database } from "#db/client.ts";
import { listDisks } from "#domain/site/health.ts";
import { readSiteLoad, type SiteLoad } from "#domain/site/load.ts";
import { measureJobs } from "#jobs/job-metrics.ts";
import type { JobMetrics } from "#jobs/start-jobs.ts";
import { WEB_JOBS } from "#jobs/web-schedule.ts";
import { API_LIVE_PATH } from "./api/live-operation.ts";
import type { CertificateWatch } from "./certificate-watch.ts";
import type { WriteCheck } from "./health.ts";
import { LIVE_PATH } from "./live/endpoint.ts";
import type { LiveHub } from "./live/hub.ts";
import type { LiveStream } from "./live/stream.ts";
import type { ResponseCacheResult } from "./pages/response-cache.ts";
import { createRoutePatterns, NO_PATTERN } from "./request/route-patterns.ts";

/** Open for hours; their duration is meaningless. */
const STREAMS = new Set([LIVE_PATH, API_LIVE_PATH]);
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** The figures are cached this long, so that scrapes can't flood the database. */
const SITE_LOAD_KEPT_MS = 5_000;
const SITE_LOAD_LIMIT_MS = 2_000;
/** The client disconnected before the response; the number is nginx's. */
const CLIENT_GONE = 499;

export type WebMetrics = {
  registry: Registry;
  /** Measures every request that `listen` answers. `patterns`: every address, as the routers know them. */
  measure(listen: RequestListener, patterns: string[]): RequestListener;
  /** Called for each request that the page cache answered. */
  cached(result: ResponseCacheResult): void;
  jobs: JobMetrics;
  /** Sets the sources of the gauges. */
  watch(parts: {
    hub: LiveHub;
    live: LiveStream;
    database: Database;
    canWrite: WriteCheck;
    certificate: CertificateWatch;
    dataDir: string;
  }): void;
};

/** Makes the registry of a web process, including Node's own figures (event loop, memory, collections). */
export function createWebMetrics(): WebMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: "spawnpoint_http_request_duration_seconds",
    help: "Requests by method, route pattern and status, from their head to the last byte of the answer. 499: went away.",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers,
  });
  const pages = new Counter({
    name: "spawnpoint_page_cache_requests_total",
    help: "Visitors' pages by where they came from: fresh from memory, stale from memory while a new one is made, or made.",
    labelNames: ["result"],
    registers,
  });
  const ended = new Counter({
    name: "spawnpoint_live_streams_ended_total",
    help: "Live streams that ended, on whichever side.",
    registers,
  });
  const cached = { fresh: pages.labels("fresh"), stale: pages.labels("stale"), made: pages.labels("made") };

  function observe(
    request: IncomingMessage,
    response: ServerResponse,
    patternOf: (path: string) => string,
    began: number,
  ) {
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    const route = patternOf(path);
    if (STREAMS.has(route) && response.statusCode === 200) return ended.inc();
    const method = METHODS.has(request.method ?? "") ? (request.method ?? "") : NO_PATTERN;
    const status = response.writableFinished ? response.statusCode : CLIENT_GONE;
    duration.labels(method, route, String(status)).observe((performance.now() - began) / 1000);
  }

  return {
    registry,
    measure(listen, patterns) {
      const patternOf = createRoutePatterns(patterns);
      return (request, response) => {
        const began = performance.now();
        response.once("close", () => observe(request, response, patternOf, began));
        listen(request, response);
      };
    },
    cached: (result) => cached[result].inc(),
    jobs: measureJobs(registry, Object.keys(WEB_JOBS)),
    watch: ({ hub, live, database, canWrite, certificate, dataDir }) => {
      watchSite(registers, hub, live);
      watchDatabase(registers, database, canWrite);
      watchMachine(registers, dataDir, certificate);
    },
  };
}

/** Registers the gauges of this process's memory of the site. */
function watchSite(registers: Registry[], hub: LiveHub, live: LiveStream) {
  new Gauge({
    name: "spawnpoint_live_streams",
    help: "Live streams that are open now.",
    registers,
    collect() {
      this.set(live.count());
    },
  });
  const changes = new Counter({
    name: "spawnpoint_live_changes_total",
    help: "Changes published to the live streams.",
    registers,
  });
  hub.subscribe("members", () => changes.inc());
  new Gauge({
    name: "spawnpoint_game_servers",
    help: "Published game servers by the status that people are shown.",
    labelNames: ["status"],
    registers,
    collect() {
      this.reset();
      for (const { status } of hub.read("members").live) this.inc({ status });
    },
  });
}

/** Registers the machine's and certificate's gauges. */
function watchMachine(registers: Registry[], dataDir: string, certificate: CertificateWatch) {
  const disks = (name: string, help: string, value: (disk: { free: number; total: number }) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["disk"],
      registers,
      async collect() {
        this.reset();
        for (const found of await listDisks(dataDir)) this.set({ disk: found.disk }, value(found));
      },
    });
  disks("spawnpoint_disk_free_bytes", "Free on the disk of DATA_DIR, and of the embedded database.", (d) => d.free);
  disks("spawnpoint_disk_bytes", "Size of the disk of DATA_DIR, and of the embedded database.", (d) => d.total);
  new Gauge({
    name: "spawnpoint_certificate_days_left",
    help: "Whole days that the certificate at SITE_URL is good for; absent without https, or while it is not known.",
    registers,
    collect() {
      const days = certificate();
      if (days === null) this.remove();
      else this.set(days);
    },
  });
}

/** Registers gauges shared by all processes, from the database; absent while it is unavailable. */
function watchDatabase(registers: Registry[], { db }: Database, canWrite: WriteCheck) {
  let last: { at: number; load: Promise<{ load: SiteLoad; seconds: number } | null> } | null = null;
  const read = () => {
    if (last === null || performance.now() - last.at > SITE_LOAD_KEPT_MS) {
      const began = performance.now();
      const limit = new Promise<null>((resolve) => setTimeout(resolve, SITE_LOAD_LIMIT_MS, null).unref());
      const asked = readSiteLoad(db).then(
        (load) => ({ load, seconds: (performance.now() - began) / 1000 }),
        () => null,
      );
      last = { at: began, load: Promise.race([asked, limit]) };
    }
    return last.load;
  };
  const gauge = (name: string, help: string, value: (load: SiteLoad, seconds: number) => number) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const answer = await read();
        if (answer === null) this.remove();
        else this.set(value(answer.load, answer.seconds));
      },
    });
  new Gauge({
    name: "spawnpoint_database_up",
    help: "Whether the database answered this process's question within two seconds.",
    registers,
    async collect() {
      this.set((await read()) === null ? 0 : 1);
    },
  });
  new Gauge({
    name: "spawnpoint_database_takes_writes",
    help: "Whether a write that was just tried was taken; 0: read-only, a standby, its disk full, or no answer.",
    registers,
    async collect() {
      this.set((await canWrite()) === null ? 1 : 0);
    },
  });
  gauge(
    "spawnpoint_backup_age_seconds",
    "Since the newest backup; +Inf: there is none.",
    (load) => load.backup_age_s ?? Infinity,
  );
  gauge(
    "spawnpoint_backup_proof_age_seconds",
    "Since a backup was last restored and found the same; +Inf: never.",
    (load) => load.backup_proof_age_s ?? Infinity,
  );
  gauge("spawnpoint_backup_failed", "Whether the newest attempt at a backup went wrong.", (l) =>
    Number(l.backup_failed),
  );
  gauge(
    "spawnpoint_database_answer_seconds",
    "What one question took, waiting for a free connection included.",
    (_, s) => s,
  );
  gauge(
    "spawnpoint_database_connections_max",
    "Connections that the database takes at most.",
    (l) => l.connections_max,
  );
  gauge("spawnpoint_collectors", "Collectors with a pulse in the last minute.", (load) => load.collectors);
  gauge("spawnpoint_overdue_game_servers", "Game servers that should have been asked over 5 s ago.", (l) => l.overdue);
  gauge("spawnpoint_lag_seconds", "How late the most overdue game server is.", (load) => load.lag_s);
  labelled(
    "spawnpoint_mails",
    "Mails that wait, wait after a failure, or were given up in 30 days.",
    "state",
    (l) => l.mails,
  );
  gauge(
    "spawnpoint_events_waiting",
    "Events whose time has come, and that nobody has made deliveries of.",
    (load) => load.events_waiting,
  );
  new Gauge({
    name: "spawnpoint_deliveries",
    help: "What is told, by channel: what waits, waits after a failure, or came to nothing within a day.",
    labelNames: ["channel", "state"],
    registers,
    async collect() {
      this.reset();
      const answer = await read();
      for (const { channel, ...counts } of answer?.load.deliveries ?? []) {
        for (const [state, count] of Object.entries(counts)) this.set({ channel, state }, count);
      }
    },
  });
  new Gauge({
    name: "spawnpoint_database_connections",
    help: "Connections to the site's database by program and state: the pools as the database sees them.",
    labelNames: ["program", "state"],
    registers,
    async collect() {
      this.reset();
      const answer = await read();
      for (const { program, state, count } of answer?.load.connections ?? []) this.set({ program, state }, count);
    },
  });

  function labelled(name: string, help: string, label: string, values: (load: SiteLoad) => Record<string, number>) {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers,
      async collect() {
        this.reset();
        const answer = await read();
        for (const [key, value] of Object.entries(answer ? values(answer.load) : {})) this.set({ [label]: key }, value);
      },
    });
  }
}
