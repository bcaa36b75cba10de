// The site as this process last read it, kept fresh by NOTIFY: every visitor's page and every stream is made from it, so
// that neither needs the database and both agree.
import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { Database } from "#db/client.ts";
import { type Audience, mayBeSeen } from "#domain/game-servers/game-servers.ts";
import type { LiveRow } from "#shared/live-row.ts";
import { beforePages } from "../pages/render-turns.ts";
import { type SiteSnapshot, snapshotFor } from "../pages/site-snapshot.ts";
import { createSiteMemory, type News, type SiteMemory } from "./site-memory.ts";

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

type HubOptions = { pollIntervalS: number; demo: boolean; siteUrl: string; log: Logger };

const FRESHNESS_EVERY_MS = 5_000;
const RETRY_MS = 1_000;

/** Reads the site once, then follows it. Rejects if the first read fails. */
export async function startLiveHub({ db, sql }: Database, options: HubOptions): Promise<LiveHub> {
  const memory = createSiteMemory(db, options.pollIntervalS);
  const publisher = createPublisher(memory, options);
  const reader = createReader(memory, publisher, options.log);
  // Subscribe before reading: what changes in between is read twice, never missed. The driver subscribes anew after a lost
  // connection and says so, and everything is read again, because notifications of that time are gone.
  const subscriptions = await Promise.all([
    sql.listen("live_metrics", (ids) => reader.readSoon({ ids: ids.split(",").map(Number) }), reader.readAnew),
    sql.listen("catalog", () => reader.readSoon({ everything: true })),
    sql.listen("collector", () => reader.readSoon({ freshness: true })),
  ]);
  await reader.readFirst();
  const timer = setInterval(() => reader.readSoon({ freshness: true }), FRESHNESS_EVERY_MS).unref();
  return {
    read: publisher.read,
    subscribe: publisher.subscribe,
    connected: reader.connected,
    async stop() {
      reader.stop();
      clearInterval(timer);
      await Promise.allSettled(subscriptions.map((subscription) => subscription.unlisten()));
    },
  };
}

type Publisher = ReturnType<typeof createPublisher>;

/** What pages and streams see of the memory: one snapshot for each audience between two changes, and the changes in order. */
function createPublisher(memory: SiteMemory, { demo, siteUrl, pollIntervalS }: HubOptions) {
  const epoch = randomBytes(6).toString("base64url");
  const listeners = new Set<(change: LiveChange) => void>();
  const snapshots = new Map<Audience, SiteSnapshot>();
  let seq = 0;
  return {
    read(audience: Audience): SiteSnapshot {
      let snapshot = snapshots.get(audience);
      if (!snapshot) {
        const position = { epoch, seq, demo, site_url: siteUrl, poll_interval_s: pollIntervalS };
        snapshot = snapshotFor(audience, memory.state, position);
        snapshots.set(audience, snapshot);
      }
      return snapshot;
    },
    subscribe(listener: (change: LiveChange) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** What is not announced has changed: the next who reads sees it. */
    renew: () => snapshots.clear(),
    publish({ rows, whole }: News) {
      if (rows.length === 0 && !whole) return;
      seq += 1;
      snapshots.clear();
      const rowsFor = (audience: Audience) =>
        rows.filter(({ server_id }) => {
          const server = memory.findServer(server_id);
          return server !== undefined && mayBeSeen(server, audience);
        });
      for (const listener of listeners) listener({ seq, whole, rowsFor });
    },
  };
}

/** Reads what it is told of, one read at a time; what arrives meanwhile is read together afterwards. */
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
      publish(memory.growOld());
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
    /** Notifications may be gone. Before the first reading nothing is lost. */
    readAnew() {
      waiting.everything = true;
      if (connected) void wake();
    },
    stop() {
      stopped = true;
    },
  };
}
