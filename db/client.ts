/** The one way to open Postgres: a pool with time limits, and Drizzle on top of it. */

import type { PgDatabase } from "drizzle-orm/pg-core";
import { drizzle, type PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import { ConfigError } from "#config";
import { readDatabaseAddress } from "./database-address.ts";
import { createSockets } from "./driver/early-close.ts";
import { postgres } from "./driver/postgres.ts";
import { prepareWhatReturns } from "./driver/prepared-statements.ts";
import { giveUpOnSilence } from "./driver/query-timeout.ts";

/** What `domain/` works with: the pool or a transaction of it. */
export type Db = PgDatabase<PostgresJsQueryResultHKT>;

export type Database = {
  db: Db;
  /**
   * The driver itself, for LISTEN and for statements that Drizzle cannot write. Drizzle has set this client to hand
   * times over as text in both directions: give `date.toISOString()`, read with `new Date(text)`.
   */
  sql: Sql;
  /** Lets running statements end for at most 5 s, then cuts the connections. */
  close(): Promise<void>;
};

const CONNECT_TIMEOUT_S = 3;
const STATEMENT_TIMEOUT_MS = 10_000;
const LONGEST_RECONNECT_PAUSE_S = 1;
/** A silent connection is asked for a sign of life this soon, and given up ten seconds after: LISTEN is silent for hours. */
const KEEP_ALIVE_S = 5;
/**
 * A connection is closed after so long, and opened again only where so many are wanted at once: so a pool that was busy shrinks to
 * what a quiet site needs. Each takes some 5 MB of Postgres' memory.
 */
const LIFETIME_S = 90;

/**
 * Opens a pool; nothing is sent before the first statement. While Postgres is away each statement fails within about
 * 4 s, and after its return the next one succeeds.
 * @param config `databaseUrl` may name a socket folder and TLS in libpq's way: see `readDatabaseAddress`.
 * @param opts `max`: connections at most (10). `impatient`: what `db` waits for is given up within 3 s when Postgres is
 *   there but silent (hung, or cut off without a word), by one more connection; for processes that people wait for.
 * @throws {ConfigError} when there is no address, or one that makes no sense.
 */
export function connectDatabase(
  config: { databaseUrl?: string | undefined },
  opts: { max?: number; applicationName?: string; impatient?: boolean } = {},
): Database {
  if (!config.databaseUrl) {
    throw new ConfigError("DATABASE_URL must be set here: only `spawnpoint start` brings a Postgres of its own");
  }
  const { url, options } = readDatabaseAddress(config.databaseUrl);
  const max = opts.max ?? 10;
  const settings = {
    ...options,
    max,
    connect_timeout: CONNECT_TIMEOUT_S,
    keep_alive: KEEP_ALIVE_S,
    max_lifetime: LIFETIME_S,
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, LONGEST_RECONNECT_PAUSE_S),
    connection: {
      application_name: opts.applicationName ?? "spawnpoint",
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: 60_000,
    },
    onnotice: () => {},
    socket: createSockets(max),
  };
  const sql = postgres(url, settings);
  const forDrizzle = prepareWhatReturns(sql);
  if (!opts.impatient) return { db: drizzle(forDrizzle), sql, close: () => sql.end({ timeout: 5 }) };
  const impatient = giveUpOnSilence(forDrizzle, { url, options: settings });
  return {
    db: drizzle(impatient.sql),
    sql,
    close: async () => {
      await Promise.all([impatient.stop(), sql.end({ timeout: 5 })]);
    },
  };
}
