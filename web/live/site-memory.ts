// Reads the site from the database into memory and finds the changes after each read.
import type { Db } from "#db/client.ts";
import { createDatabaseClock } from "#db/database-clock.ts";
import { type GameServer, listVisibleGameServers } from "#domain/game-servers/game-servers.ts";
import { listAskedAt, listLiveMetrics, presentLiveRow } from "#domain/game-servers/live-metrics.ts";
import { listPublishedGames } from "#domain/games/games.ts";
import { begunBy, listPublishedNews, type PublishedNews } from "#domain/news/news.ts";
import { listSights, type Sight } from "#domain/outposts/sights.ts";
import { listShownIncidents, listShownPlans } from "#domain/plans/shown-status.ts";
import { findCollectorPulse } from "#domain/site/collector-processes.ts";
import { readSiteSettings, type SiteSettings } from "#domain/site/settings.ts";
import type { LiveRow } from "#shared/live-row.ts";
import type { SiteState } from "../pages/site-snapshot.ts";

/** A row that is shown differently now, and its previous form. */
export type RowChange = { now: LiveRow; before: LiveRow | undefined };

/** The changes of a read. `catalog`: it may have changed; `delayed`: figures are now withheld, or no longer. */
export type News = { rows: RowChange[]; catalog: boolean; delayed: boolean };

export type SiteMemory = ReturnType<typeof createSiteMemory>;

/** Makes an empty memory: `readEverything` fills it. */
export function createSiteMemory(db: Db, pollIntervalS: number, clock = createDatabaseClock()) {
  const state: SiteState = {
    games: [],
    gameServers: [],
    settings: {} as SiteSettings,
    measured: new Map(),
    sights: new Map(),
    shown: new Map(),
    news: [],
    plans: [],
    incidents: [],
    delayedSince: null,
  };
  let serversById = new Map<number, GameServer>();
  let publishedNews: PublishedNews[] = [];

  /** The moment, in ms, that ages are counted to: now, or the start of a fault on our side, which freezes the last figures. */
  const agedTo = () => (state.delayedSince === null ? clock.now() : Date.parse(state.delayedSince));

  /** Presents rows again and returns those that changed. */
  function present(ids: Iterable<number>): RowChange[] {
    const changed: RowChange[] = [];
    const now = agedTo();
    for (const id of ids) {
      const server = serversById.get(id);
      const measured = state.measured.get(id);
      if (!server || !measured) continue;
      const row = presentLiveRow(measured, server, pollIntervalS, now, state.sights.get(id));
      const before = state.shown.get(id);
      if (JSON.stringify(row) === JSON.stringify(before)) continue;
      state.shown.set(id, row);
      changed.push({ now: row, before });
    }
    return changed;
  }

  /** True if it changes whether figures are withheld. */
  function setDelayed(since: string | null): boolean {
    const changed = since !== state.delayedSince;
    state.delayedSince = since;
    return changed;
  }

  /** True if news have begun or ended since, which only the clock shows. */
  function turnNews(): boolean {
    const before = namesOf(state.news);
    state.news = begunBy(clock.now(), publishedNews);
    return before !== namesOf(state.news);
  }

  /** Reads since when figures are withheld. Their age is judged by the clock that wrote them. */
  async function readPulse(): Promise<string | null> {
    const began = performance.now();
    const pulse = await findCollectorPulse(db);
    clock.set(pulse.now.getTime(), began, performance.now());
    return pulse.delayed_since?.toISOString() ?? null;
  }

  return {
    state,
    async readEverything(): Promise<News> {
      const [games, gameServers, rows, settings, sights, news, plans, incidents, delayedSince] = await Promise.all([
        listPublishedGames(db),
        listVisibleGameServers(db),
        listLiveMetrics(db),
        readSiteSettings(db),
        listSights(db, pollIntervalS),
        listPublishedNews(db),
        listShownPlans(db),
        listShownIncidents(db),
        readPulse(),
      ]);
      publishedNews = news;
      turnNews();
      serversById = new Map(gameServers.map((server) => [server.server_id, server]));
      const measured = new Map(rows.filter((row) => serversById.has(row.server_id)).map((row) => [row.server_id, row]));
      Object.assign(state, { games, gameServers, settings, measured, sights: byServer(sights), plans, incidents });
      for (const id of state.shown.keys()) if (!serversById.has(id)) state.shown.delete(id);
      const delayed = setDelayed(delayedSince);
      return { rows: present(serversById.keys()), catalog: true, delayed };
    },
    async readRows(ids: number[]): Promise<News> {
      const [rows, sights] = await Promise.all([listLiveMetrics(db, ids), listSights(db, pollIntervalS, ids)]);
      const seen = byServer(sights);
      for (const id of ids) state.sights.set(id, seen.get(id) ?? []);
      for (const row of rows) if (serversById.has(row.server_id)) state.measured.set(row.server_id, row);
      return { rows: present(ids), catalog: false, delayed: false };
    },
    /** Reads all poll times, which have no notifications of their own, and presents rows that went stale. */
    async readFreshness(): Promise<News> {
      const [asked, sights, delayedSince] = await Promise.all([
        listAskedAt(db),
        listSights(db, pollIntervalS),
        readPulse(),
      ]);
      state.sights = byServer(sights);
      for (const { server_id, last_asked_at, latency_ms } of asked) {
        const measured = state.measured.get(server_id);
        if (measured) state.measured.set(server_id, { ...measured, last_asked_at, latency_ms });
      }
      const delayed = setDelayed(delayedSince);
      const turned = turnNews();
      return { rows: present(serversById.keys()), catalog: turned, delayed };
    },
    /** Freezes the last figures while the database is unavailable, and records since when; news begin and end meanwhile. */
    keepLast(): News {
      const delayed = setDelayed(state.delayedSince ?? new Date(clock.now()).toISOString());
      const turned = turnNews();
      return { rows: present(serversById.keys()), catalog: turned, delayed };
    },
  };
}

const namesOf = (news: SiteState["news"]) => news.map(({ news_id, holds }) => `${news_id}${holds}`).join();
const byServer = (sights: Sight[]) => Map.groupBy(sights, ({ server_id }) => server_id);
