// Caches histories of game servers for a minute, so that a busy page queries the database once.
import type { Db } from "#db/client.ts";
import { readDatabaseNow } from "#db/database-clock.ts";
import {
  findHistorySummary,
  type HistoryRange,
  type HistorySummary,
  listHistory,
} from "#domain/game-servers/history.ts";
import { tagOf } from "../request/etag.ts";
import { inTime } from "./in-time.ts";

const KEPT_MS = 60_000;
const MOST_KEPT = 1_000;
export type Histories = {
  /** The summary of the ranges; null when the database doesn't answer in time and nothing is cached. Never rejects. */
  findSummary(serverId: number): Promise<HistorySummary | null>;
  /** A range as JSON with its ETag. Rejects when the database fails. */
  chart(serverId: number, range: HistoryRange): Promise<{ body: string; etag: string }>;
};

/**
 * Makes the cache. The caller checks whether the client may see the game server.
 * @param optionalPartMs how long a page waits for a summary
 */
export function createHistories(db: Db, optionalPartMs: number): Histories {
  const keep = createShelf();
  return {
    findSummary: (serverId) =>
      inTime(
        keep(`${serverId}`, () => findHistorySummary(db, serverId)),
        optionalPartMs,
      ),
    chart: (serverId, range) =>
      keep(`${serverId} ${range}`, async () => {
        const body = JSON.stringify(await listHistory(db, serverId, range, await readDatabaseNow(db)));
        return { body, etag: tagOf(body) };
      }),
  };
}

function createShelf(): <T>(name: string, read: () => Promise<T>) => Promise<T> {
  const kept = new Map<string, { until: number; value: Promise<unknown> }>();
  return <T>(name: string, read: () => Promise<T>) => {
    const found = kept.get(name);
    if (found && found.until > performance.now()) return found.value as Promise<T>;
    const value = read();
    kept.delete(name);
    kept.set(name, { until: performance.now() + KEPT_MS, value });
    // Failed reads are retried immediately.
    value.catch(() => kept.get(name)?.value === value && kept.delete(name));
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return value;
  };
}
