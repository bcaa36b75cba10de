/** Statements do not wait for a Postgres that has fallen silent: it is asked for a sign of life on a connection of its own. */
import type { Options, PostgresType, Sql, TransactionSql } from "postgres";
import { postgres } from "./postgres.ts";

/** How often it is looked whether a statement waits, and if so, asked for a sign of life. */
const LOOK_MS = 250;
/** So long without a sign, and every waiting statement is given up. */
const SILENT_MS = 2000;
/** What the time between two looks counts at most: a standstill of our own is no silence of Postgres. */
const LOOK_COUNTS_MS = 2 * LOOK_MS;
/** The connection for it is closed when nothing has been slow for so long. */
const IDLE_S = 20;

/** Postgres gave no sign of life; whether a statement that was under way has been done is not known. */
class QueryTimeoutError extends Error {
  override name = "SilenceError";
  code = "CONNECTION_SILENT";
}

type Connect = { url: string; options: Options<Record<string, PostgresType>> };

/**
 * `sql` as Drizzle uses it (`unsafe` and `begin`), but whatever waits is rejected once Postgres has been silent for two
 * seconds, and new statements at once until it speaks again. A slow statement of a living Postgres is waited for.
 */
export function giveUpOnSilence(sql: Sql, { url, options }: Connect): { sql: Sql; stop(): Promise<void> } {
  const pulse = postgres(url, { ...options, max: 1, fetch_types: false, idle_timeout: IDLE_S });
  const waiting = new Set<(error: Error) => void>();
  let asking = false;
  let lookedAt = performance.now();
  /** How long statements have waited since the last sign of life, in ms; null while none waits. */
  let unheardMs: number | null = null;
  let silent = false;

  function ask() {
    asking = true;
    pulse`SELECT 1`
      .then(() => {
        unheardMs = null;
        silent = false;
      })
      .catch(() => {})
      .finally(() => {
        asking = false;
      });
  }

  let timer: NodeJS.Timeout | null = null;

  /** Looks from now on for as long as there is something to look at. */
  function watch() {
    if (timer !== null) return;
    lookedAt = performance.now();
    timer = setInterval(look, LOOK_MS).unref();
  }

  function look() {
    const sinceLook = Math.min(performance.now() - lookedAt, LOOK_COUNTS_MS);
    lookedAt = performance.now();
    if (waiting.size === 0 && !silent) {
      unheardMs = null;
      clearInterval(timer ?? undefined);
      timer = null;
      return;
    }
    unheardMs = unheardMs === null ? 0 : unheardMs + sinceLook;
    if (!asking) ask();
    if (unheardMs < SILENT_MS) return;
    silent = true;
    for (const giveUp of waiting) giveUp(new QueryTimeoutError("Postgres does not answer"));
    waiting.clear();
  }

  function whileItSpeaks<T>(work: () => PromiseLike<T>): Promise<T> {
    if (silent) return Promise.reject(new QueryTimeoutError("Postgres does not answer"));
    return new Promise((resolve, reject) => {
      waiting.add(reject);
      watch();
      work()
        .then(resolve, reject)
        .then(() => waiting.delete(reject));
    });
  }

  /** Of a pending query Drizzle wants two things: to be awaited, or its rows as lists. */
  const unsafe = (...args: Parameters<Sql["unsafe"]>) => ({
    // biome-ignore lint/suspicious/noThenProperty: a pending query of the driver is a promise, too.
    then: (...next: Parameters<Promise<unknown>["then"]>) => whileItSpeaks(() => sql.unsafe(...args)).then(...next),
    values: () => whileItSpeaks(() => sql.unsafe(...args).values()),
  });
  const begin = (work: (transaction: TransactionSql) => unknown) => whileItSpeaks(() => sql.begin(work));

  return {
    sql: new Proxy(sql, {
      get: (target, name) => (name === "unsafe" ? unsafe : name === "begin" ? begin : Reflect.get(target, name)),
    }),
    async stop() {
      clearInterval(timer ?? undefined);
      await pulse.end({ timeout: 0 });
    },
  };
}
