// The site as this process last read it, kept fresh by NOTIFY: every visitor's page and every stream is made from it, so
// that neither needs the database and both agree.
import { createHash, randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { Database } from "#db/client.ts";
import { findCollectorPulse } from "#domain/collector-processes.ts";
import { type GameServer, listPublicGameServers } from "#domain/game-servers.ts";
import { type Game, listPublishedGames } from "#domain/games.ts";
import { type LiveMetrics, type LiveRow, listAskedAt, listLiveMetrics, presentLiveRow } from "#domain/live-metrics.ts";
import { readSiteSettings, type SiteSettings } from "#domain/site-settings.ts";

/** Where a page or a stream stands: numbers count up within an epoch, and an epoch is one run of one web process. */
export type LivePosition = { epoch: string; seq: number; catalog: string };

/** Everything that a visitor's page can show. */
export type SiteSnapshot = LivePosition & {
  games: Game[];
  gameServers: GameServer[];
  /** In the order of gameServers. */
  live: LiveRow[];
  /** When each game server was last asked, and how long the answer took. */
  asked: Map<number, { at: string | null; latency_ms: number | null }>;
  settings: SiteSettings;
  /** Since when figures are held back because the fault is ours; null: they are current. */
  delayed_since: string | null;
  demo: boolean;
  site_url: string;
  poll_interval_s: number;
};

export type SiteReader = { read(): SiteSnapshot };

/** What changed: the rows with a new face. `whole` when the catalog changed too and only a full snapshot says it. */
export type LiveChange = { seq: number; rows: LiveRow[]; whole: boolean };

export type LiveHub = SiteReader & {
  /** Calls back after each change, in order. Returns the function that ends it. */
  subscribe(listener: (change: LiveChange) => void): () => void;
  /** Whether the last read of the database succeeded and notifications arrive. */
  connected(): boolean;
  stop(): Promise<void>;
};

const FRESHNESS_EVERY_MS = 5_000;
const RETRY_MS = 1_000;

/** Reads the site once, then follows it. Rejects if the first read fails. */
export async function startLiveHub(
  database: Database,
  options: { pollIntervalS: number; demo: boolean; siteUrl: string; log: Logger },
): Promise<LiveHub> {
  const { db, sql } = database;
  const epoch = randomBytes(6).toString("base64url");
  const listeners = new Set<(change: LiveChange) => void>();
  let seq = 0;
  let catalog = "";
  let games: Game[] = [];
  let gameServers: GameServer[] = [];
  let serversById = new Map<number, GameServer>();
  let measured = new Map<number, LiveMetrics>();
  const shown = new Map<number, LiveRow>();
  let settings = {} as SiteSettings;
  let delayedSince: string | null = null;
  let snapshot: SiteSnapshot | null = null;
  let connected = false;
  let stopped = false;

  const waiting = { ids: new Set<number>(), catalog: false, everything: false, freshness: false };
  let reading: Promise<void> | null = null;

  function publish(rows: LiveRow[], whole: boolean) {
    seq += 1;
    snapshot = null;
    for (const listener of listeners) listener({ seq, rows, whole });
  }

  /** Presents rows again and returns those whose face changed. */
  function present(ids: Iterable<number>): LiveRow[] {
    const changed: LiveRow[] = [];
    const now = Date.now();
    for (const id of ids) {
      const server = serversById.get(id);
      const metrics = measured.get(id);
      if (!server || !metrics) continue;
      const row = presentLiveRow(metrics, server, options.pollIntervalS, now);
      if (JSON.stringify(row) === JSON.stringify(shown.get(id))) continue;
      shown.set(id, row);
      changed.push(row);
    }
    return changed;
  }

  async function readEverything() {
    const [newGames, newServers, rows, newSettings, pulse] = await Promise.all([
      listPublishedGames(db),
      listPublicGameServers(db),
      listLiveMetrics(db),
      readSiteSettings(db),
      findCollectorPulse(db),
    ]);
    games = newGames;
    gameServers = newServers;
    settings = newSettings;
    serversById = new Map(gameServers.map((server) => [server.server_id, server]));
    measured = new Map(rows.filter((row) => serversById.has(row.server_id)).map((row) => [row.server_id, row]));
    const before = catalog;
    catalog = createHash("sha256")
      .update(JSON.stringify([games, gameServers, settings]))
      .digest("base64url")
      .slice(0, 12);
    const delayedBefore = delayedSince;
    delayedSince = pulse.delayed_since?.toISOString() ?? null;
    for (const id of shown.keys()) if (!serversById.has(id)) shown.delete(id);
    const changed = present(serversById.keys());
    const whole = before !== catalog || delayedBefore !== delayedSince;
    if (whole || changed.length > 0) publish(changed, whole);
  }

  async function readRows(ids: number[]) {
    const rows = await listLiveMetrics(db, ids);
    for (const row of rows) if (serversById.has(row.server_id)) measured.set(row.server_id, row);
    const changed = present(ids);
    if (changed.length > 0) publish(changed, false);
  }

  /** Times of asking are not announced one by one; they are read together, and rows that went stale show it. */
  async function readFreshness() {
    const [asked, pulse] = await Promise.all([listAskedAt(db), findCollectorPulse(db)]);
    for (const row of asked) {
      const metrics = measured.get(row.server_id);
      if (metrics)
        measured.set(row.server_id, { ...metrics, last_asked_at: row.last_asked_at, latency_ms: row.latency_ms });
    }
    snapshot = null;
    const delayed = pulse.delayed_since?.toISOString() ?? null;
    const changed = present(serversById.keys());
    if (delayed !== delayedSince) {
      delayedSince = delayed;
      publish(changed, true);
    } else if (changed.length > 0) publish(changed, false);
  }

  /** One read at a time; what arrives meanwhile is read together afterwards. */
  function wake() {
    reading ??= (async () => {
      while (!stopped && (waiting.everything || waiting.catalog || waiting.freshness || waiting.ids.size > 0)) {
        const job = { ...waiting, ids: [...waiting.ids] };
        Object.assign(waiting, { catalog: false, everything: false, freshness: false, ids: new Set<number>() });
        try {
          if (job.everything || job.catalog) await readEverything();
          else {
            if (job.ids.length > 0) await readRows(job.ids);
            if (job.freshness) await readFreshness();
          }
          if (!connected) options.log.info("the database answers again; figures are current");
          connected = true;
        } catch (error) {
          if (connected)
            options.log.warn({ err: error }, "the database does not answer; pages show what was read last");
          connected = false;
          waiting.everything = true;
          // Age goes on without the database: what nobody can vouch for any longer turns to unknown.
          const changed = present(serversById.keys());
          if (changed.length > 0) publish(changed, false);
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
        }
      }
      reading = null;
    })();
    return reading;
  }

  // Subscribe before reading: what changes in between is read twice, never missed. The driver subscribes anew after a lost
  // connection and says so, and everything is read again, because notifications of that time are gone.
  const subscriptions = await Promise.all([
    sql.listen(
      "live_metrics",
      (ids) => {
        for (const id of ids.split(",")) waiting.ids.add(Number(id));
        wake();
      },
      () => {
        waiting.everything = true;
        if (snapshot || connected) wake();
      },
    ),
    sql.listen("catalog", () => {
      waiting.catalog = true;
      wake();
    }),
    sql.listen("collector", () => {
      waiting.freshness = true;
      wake();
    }),
  ]);
  await readEverything();
  connected = true;
  waiting.everything = false;
  const timer = setInterval(() => {
    waiting.freshness = true;
    wake();
  }, FRESHNESS_EVERY_MS);
  timer.unref();

  return {
    read() {
      snapshot ??= {
        epoch,
        seq,
        catalog,
        games,
        gameServers,
        live: gameServers.flatMap((server) => shown.get(server.server_id) ?? []),
        asked: new Map(
          [...measured.values()].map((row) => [
            row.server_id,
            { at: row.last_asked_at?.toISOString() ?? null, latency_ms: row.latency_ms },
          ]),
        ),
        settings,
        delayed_since: delayedSince,
        demo: options.demo,
        site_url: options.siteUrl,
        poll_interval_s: options.pollIntervalS,
      };
      return snapshot;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    connected: () => connected,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await Promise.allSettled(subscriptions.map((subscription) => subscription.unlisten()));
    },
  };
}
