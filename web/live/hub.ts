// Holds the site as this process last read it, refreshed by NOTIFY: all visitors' pages and streams use it, so neither needs
// the database and both agree.
import type { Logger } from "pino";
import type { Database } from "#db/client.ts";
import type { Audience } from "#domain/game-servers/game-servers.ts";
import { beforePages } from "../pages/render-turns.ts";
import type { SiteSnapshot } from "../pages/site-snapshot.ts";
import { createSiteMemory, type News, type SiteMemory } from "./site-memory.ts";
import { createSiteView, type LiveChange } from "./site-view.ts";

export type LiveHub = {
  /** The site as an audience may see it. */
  read(audience: Audience): SiteSnapshot;
  /** Calls back after each change visible to an audience, in order. Returns the function that ends the subscription. */
  subscribe(audience: Audience, listener: (change: LiveChange) => void): () => void;
  /** Whether the last read of the database succeeded. */
  connected(): boolean;
  stop(): Promise<void>;
};

type HubOptions = { pollIntervalS: number; demo: boolean; siteUrl: string; log: Logger };

const FRESHNESS_EVERY_MS = 5_000;
const RETRY_MS = 1_000;

/** Reads the site, then follows changes. Rejects if the first read fails. */
export async function startLiveHub(
  { db, listen }: Pick<Database, "db" | "listen">,
  options: HubOptions,
): Promise<LiveHub> {
  const memory = createSiteMemory(db, options.pollIntervalS);
  const { demo, siteUrl, pollIntervalS } = options;
  const site = { demo, site_url: siteUrl, poll_interval_s: pollIntervalS };
  const views = {
    public: createSiteView("public", memory, site),
    members: createSiteView("members", memory, site),
  };
  const all = Object.values(views);
  const reader = createReader(
    memory,
    {
      publish: (news) => {
        for (const view of all) view.take(news);
      },
      renew: () => {
        for (const view of all) view.renew();
      },
    },
    options.log,
  );
  // Subscribe before reading: changes in between are read twice, never missed. After a reconnect everything is reread, because
  // notifications were lost meanwhile.
  const subscriptions = await Promise.all([
    listen("live_metrics", (ids) => reader.readSoon({ ids: ids.split(",").map(Number) }), reader.readAnew),
    listen("catalog", () => reader.readSoon({ everything: true })),
    listen("collector", () => reader.readSoon({ freshness: true })),
  ]);
  await reader.readFirst();
  const timer = setInterval(() => reader.readSoon({ freshness: true }), FRESHNESS_EVERY_MS).unref();
  return {
    read: (audience) => views[audience].read(),
    subscribe: (audience, listener) => views[audience].subscribe(listener),
    connected: reader.connected,
    async stop() {
      reader.stop();
      clearInterval(timer);
      for (const view of all) view.stop();
      await Promise.allSettled(subscriptions.map((subscription) => subscription.unlisten()));
    },
  };
}

/** Receives the results of a read; `renew`: something without a notification has changed. */
type Publisher = { publish(news: News): void; renew(): void };

/** Reads what notifications name, one read at a time; those that arrive meanwhile are combined in the next one. */
function createReader(memory: SiteMemory, { publish, renew }: Publisher, log: Logger) {
  const nothing = () => ({ ids: new Set<number>(), everything: false, freshness: false });
  let waiting = nothing();
  let reading = false;
  let connected = false;
  let stopped = false;

  async function readWaiting() {
    const job = waiting;
    waiting = nothing();
    try {
      if (job.everything) publish(await memory.readEverything());
      else {
        if (job.ids.size > 0) await beforePages(async () => publish(await memory.readRows([...job.ids])));
        if (job.freshness) await readFreshness();
      }
      if (!connected) log.info("the database answers again; figures are current");
      connected = true;
    } catch (error) {
      if (connected) log.warn({ err: error }, "the database does not answer; pages show what was read last");
      connected = false;
      waiting.everything = true;
      publish(memory.keepLast());
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
    }
  }

  async function readFreshness() {
    const news = await memory.readFreshness();
    renew();
    publish(news);
  }

  async function wake() {
    if (reading) return;
    reading = true;
    while (!stopped && (waiting.everything || waiting.freshness || waiting.ids.size > 0)) await readWaiting();
    reading = false;
  }

  return {
    connected: () => connected,
    /** Rejects if the database does not answer. */
    async readFirst() {
      publish(await memory.readEverything());
      connected = true;
    },
    readSoon({
      ids = [],
      everything = false,
      freshness = false,
    }: Partial<{ ids: number[] } & Omit<typeof waiting, "ids">>) {
      for (const id of ids) waiting.ids.add(id);
      waiting.everything ||= everything;
      waiting.freshness ||= freshness;
      void wake();
    },
    /** Notifications may be lost. Before the first read none are. */
    readAnew() {
      waiting.everything = true;
      if (connected) void wake();
    },
    stop() {
      stopped = true;
    },
  };
}
