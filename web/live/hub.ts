// The site as this process last read it, kept fresh by NOTIFY: every visitor's page and every stream is made from it, so
// that neither needs the database and both agree.
import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { Database } from "#db/client.ts";
import { createDatabaseClock } from "#db/database-clock.ts";
import {
  type Audience,
  type GameServer,
  listVisibleGameServers,
  mayBeSeen,
} from "#domain/game-servers/game-servers.ts";
import { listAskedAt, listLiveMetrics, presentLiveRow } from "#domain/game-servers/live-metrics.ts";
import { listPublishedGames } from "#domain/games/games.ts";
import { findCollectorPulse } from "#domain/site/collector-processes.ts";
import { readSiteSettings, type SiteSettings } from "#domain/site/settings.ts";
import type { LiveRow } from "#shared/live-row.ts";
import { catalogOf, type SiteSnapshot, type SiteState, snapshotFor } from "../pages/site-snapshot.ts";

/**
 * What changed: the rows with a new face, as far as an audience may see them. `whole` when the catalog changed too and only
 * a full snapshot says it.
 */
export type LiveChange = { seq: number; whole: boolean; rowsFor: (audience: Audience) => LiveRow[] };

export type LiveHub = {
  /** The site as an audience may see it. */
  read(audience: Audience): SiteSnapshot;
  /** Calls back after each change, in order. Returns the function that ends it. */
  subscribe(listener: (change: LiveChange) => void): () => void;
  /** Whether the last read of the database succeeded. */
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
  const { log } = options;
  const epoch = randomBytes(6).toString("base64url");
  const listeners = new Set<(change: LiveChange) => void>();
  const snapshots = new Map<Audience, SiteSnapshot>();
  const state: SiteState = {
    games: [],
    gameServers: [],
    settings: {} as SiteSettings,
    measured: new Map(),
    shown: new Map(),
    delayedSince: null,
  };
  const clock = createDatabaseClock();
  let serversById = new Map<number, GameServer>();
  let seq = 0;
  let connected = false;
  let stopped = false;

  const nothing = () => ({ ids: new Set<number>(), everything: false, freshness: false });
  let waiting = nothing();
  let reading = false;

  function publish(rows: LiveRow[], whole: boolean) {
    if (rows.length === 0 && !whole) return;
    seq += 1;
    snapshots.clear();
    const rowsFor = (audience: Audience) =>
      rows.filter(({ server_id }) => {
        const server = serversById.get(server_id);
        return server !== undefined && mayBeSeen(server, audience);
      });
    for (const listener of listeners) listener({ seq, whole, rowsFor });
  }

  /** Presents rows again and returns those whose face changed. */
  function present(ids: Iterable<number>): LiveRow[] {
    const changed: LiveRow[] = [];
    const now = clock.now();
    for (const id of ids) {
      const server = serversById.get(id);
      const measured = state.measured.get(id);
      if (!server || !measured) continue;
      const row = presentLiveRow(measured, server, options.pollIntervalS, now);
      if (JSON.stringify(row) === JSON.stringify(state.shown.get(id))) continue;
      state.shown.set(id, row);
      changed.push(row);
    }
    return changed;
  }

  /** True when it is news that figures are held back, or no longer. */
  function setDelayed(since: string | null): boolean {
    const changed = since !== state.delayedSince;
    state.delayedSince = since;
    return changed;
  }

  const catalogs = () => catalogOf("public", state) + catalogOf("members", state);

  /** Since when figures are held back. How old they are is judged by the clock that they were written by. */
  async function readPulse(): Promise<string | null> {
    const began = performance.now();
    const pulse = await findCollectorPulse(db);
    clock.set(pulse.now.getTime(), began, performance.now());
    return pulse.delayed_since?.toISOString() ?? null;
  }

  async function readEverything() {
    const [games, gameServers, rows, settings, delayedSince] = await Promise.all([
      listPublishedGames(db),
      listVisibleGameServers(db),
      listLiveMetrics(db),
      readSiteSettings(db),
      readPulse(),
    ]);
    const before = catalogs();
    serversById = new Map(gameServers.map((server) => [server.server_id, server]));
    const measured = new Map(rows.filter((row) => serversById.has(row.server_id)).map((row) => [row.server_id, row]));
    Object.assign(state, { games, gameServers, settings, measured });
    for (const id of state.shown.keys()) if (!serversById.has(id)) state.shown.delete(id);
    const delayed = setDelayed(delayedSince);
    const changed = present(serversById.keys());
    publish(changed, delayed || before !== catalogs());
  }

  async function readRows(ids: number[]) {
    const rows = await listLiveMetrics(db, ids);
    for (const row of rows) if (serversById.has(row.server_id)) state.measured.set(row.server_id, row);
    publish(present(ids), false);
  }

  /** Times of asking are not announced one by one; they are read together, and rows that went stale show it. */
  async function readFreshness() {
    const [asked, delayedSince] = await Promise.all([listAskedAt(db), readPulse()]);
    for (const { server_id, last_asked_at, latency_ms } of asked) {
      const measured = state.measured.get(server_id);
      if (measured) state.measured.set(server_id, { ...measured, last_asked_at, latency_ms });
    }
    snapshots.clear();
    const delayed = setDelayed(delayedSince);
    publish(present(serversById.keys()), delayed);
  }

  async function readWaiting() {
    const job = waiting;
    waiting = nothing();
    try {
      if (job.everything) await readEverything();
      else {
        if (job.ids.size > 0) await readRows([...job.ids]);
        if (job.freshness) await readFreshness();
      }
      if (!connected) log.info("the database answers again; figures are current");
      connected = true;
    } catch (error) {
      if (connected) log.warn({ err: error }, "the database does not answer; pages show what was read last");
      connected = false;
      waiting.everything = true;
      // Age goes on without the database: what nobody can vouch for any longer turns to unknown.
      const delayed = setDelayed(state.delayedSince ?? new Date(clock.now()).toISOString());
      publish(present(serversById.keys()), delayed);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
    }
  }

  /** One read at a time; what arrives meanwhile is read together afterwards. */
  async function wake() {
    if (reading) return;
    reading = true;
    while (!stopped && (waiting.everything || waiting.freshness || waiting.ids.size > 0)) await readWaiting();
    reading = false;
  }

  function everythingAnew() {
    waiting.everything = true;
    if (connected) wake();
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
      everythingAnew,
    ),
    sql.listen("catalog", () => {
      waiting.everything = true;
      wake();
    }),
    sql.listen("collector", () => {
      waiting.freshness = true;
      wake();
    }),
  ]);
  await readEverything();
  connected = true;
  const timer = setInterval(() => {
    waiting.freshness = true;
    wake();
  }, FRESHNESS_EVERY_MS);
  timer.unref();

  return {
    read(audience) {
      let snapshot = snapshots.get(audience);
      if (!snapshot) {
        const { demo, siteUrl, pollIntervalS } = options;
        snapshot = snapshotFor(audience, state, {
          epoch,
          seq,
          demo,
          site_url: siteUrl,
          poll_interval_s: pollIntervalS,
        });
        snapshots.set(audience, snapshot);
      }
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
