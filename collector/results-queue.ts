/** Batches poll results into Postgres every 50 ms; buffers them during outages; drops stale ones. */
import type { Sql } from "#db/sql.ts";
import type { Result } from "./write-results.ts";
import { listWritten, writeResults } from "./write-results.ts";

const FLUSH_MS = 50;
const SHORTEST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

export type ResultsQueue = {
  /** Adds a result; only the latest of each server is stored, so the queue is no longer than the list of servers. */
  add(result: Result, gatheredAt: number): void;
  /** Removes a waiting result: the server was claimed again. */
  drop(serverId: number): void;
  /** Number of waiting results. */
  size(): number;
  /** Writes at once, since nothing else comes for now. */
  writeSoon(): void;
  /** Writes all waiting results, and waits for it. */
  flush(): Promise<void>;
  stop(): void;
};

export type ResultsQueueOptions = {
  sql: Sql;
  collectorId: string;
  /** Greatest age (ms) of a result when it is written; older ones only release the claim, for another poll. */
  keepMs: (result: Result) => number;
  /** Builds what to write instead of a result that is too old: the state before it, at the present time. */
  asReleased: (result: Result) => Result | null;
  /** The result is done: written, or (`written` false) dropped because the claim had expired. */
  onSettled: (result: Result, written: boolean) => void;
  /** The database refused the result for good. */
  onRefused: (result: Result, error: unknown) => void;
  /** The database became unavailable, or available again. */
  onAway: (error: unknown) => void;
  onBack: (awayMs: number) => void;
  /** Called before a batch is retried because a day has no partition. */
  makePartitions: () => Promise<void>;
};

/** `inDoubt`: an attempt to write it failed, but may have been committed. */
type Waiting = { result: Result; gatheredAt: number; inDoubt?: true };

/** Starts the timer that writes. `flush` and `stop` end it cleanly. */
export function createResultsQueue(options: ResultsQueueOptions): ResultsQueue {
  const { sql, collectorId } = options;
  const waiting = new Map<number, Waiting>();
  let writing: Promise<void> | null = null;
  let awaySince: number | null = null;
  let pauseMs = 0;
  let pausedUntil = 0;

  /** Writes a batch's results; if the database refuses some, all others. Removes finished ones from the batch. */
  async function write(batch: Map<number, Waiting>, results: Result[], partitionsMade = false): Promise<void> {
    try {
      const written = new Set(await writeResults(sql, collectorId, results));
      for (const result of results) {
        if (!written.has(result.serverId)) continue;
        batch.delete(result.serverId);
        options.onSettled(result, true);
      }
      await settleLapsed(
        batch,
        results.filter(({ serverId }) => !written.has(serverId)),
      );
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (!partitionsMade && /no partition/.test(String(error))) {
        await options.makePartitions();
        return write(batch, results, true);
      }
      if (results.length > 1) {
        const half = Math.ceil(results.length / 2);
        await write(batch, results.slice(0, half), partitionsMade);
        return write(batch, results.slice(half), partitionsMade);
      }
      for (const result of results) {
        batch.delete(result.serverId);
        options.onRefused(result, error);
      }
    }
  }

  /** Settles results whose claims had expired: written by an attempt whose answer was lost, or dropped. */
  async function settleLapsed(batch: Map<number, Waiting>, results: Result[]): Promise<void> {
    const inDoubt = results.flatMap(({ serverId }) => {
      const one = batch.get(serverId);
      return one?.inDoubt ? [one.result] : [];
    });
    const written = new Map((await listWritten(sql, inDoubt)).map((result) => [result.serverId, result]));
    for (const result of results) {
      const before = written.get(result.serverId);
      batch.delete(result.serverId);
      options.onSettled(before ?? result, before !== undefined);
    }
  }

  async function writeAll(): Promise<void> {
    const batch = new Map(waiting);
    if (batch.size === 0) return;
    waiting.clear();
    const now = performance.now();
    const results = [...batch.values()].flatMap(({ result, gatheredAt }) =>
      now - gatheredAt <= options.keepMs(result) ? [result] : (options.asReleased(result) ?? []),
    );
    try {
      await write(batch, results);
      if (awaySince !== null) options.onBack(performance.now() - awaySince);
      awaySince = null;
      pauseMs = 0;
    } catch (error) {
      if (awaySince === null) options.onAway(error);
      awaySince ??= now;
      pauseMs = Math.min(Math.max(pauseMs * 2, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
      pausedUntil = performance.now() + pauseMs;
      for (const [id, one] of batch) if (!waiting.has(id)) waiting.set(id, { ...one, inDoubt: true });
    }
  }

  function flush(): Promise<void> {
    writing ??= writeAll().finally(() => {
      writing = null;
    });
    return writing;
  }

  let timer: NodeJS.Timeout | null = null;
  let stopped = false;

  function tick(): void {
    if (waiting.size > 0 && performance.now() >= pausedUntil) void flush();
  }

  /** No timer while nothing waits. */
  function tickLater(): void {
    if (stopped) return;
    timer ??= setTimeout(() => {
      timer = null;
      tick();
      if (waiting.size > 0 || writing !== null) tickLater();
    }, FLUSH_MS);
  }

  return {
    add(result, gatheredAt) {
      waiting.set(result.serverId, { result, gatheredAt });
      tickLater();
    },
    drop: (serverId) => void waiting.delete(serverId),
    size: () => waiting.size,
    writeSoon: () => void (writing ?? Promise.resolve()).then(tick),
    flush: async () => {
      await writing;
      await flush();
    },
    stop() {
      stopped = true;
      clearTimeout(timer ?? undefined);
    },
  };
}

function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}

/** SQLSTATE classes 22 and 23: this content is refused for good. Other errors may pass. */
function isRefusal(error: unknown): boolean {
  return /^2[23]...$/.test(codeOf(error));
}
