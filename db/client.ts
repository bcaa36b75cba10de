/** The only way to open Postgres: a pool with timeouts, Drizzle on top of it, and LISTEN. */
import { drizzle, type NodePgClient, type NodePgQueryResultHKT } from "drizzle-orm/node-postgres";
import type { PgDatabase } from "drizzle-orm/pg-core";
import type pg from "pg";
import { ConfigError } from "#config";
import { readDatabaseAddress } from "./database-address.ts";
import { type Listen, Listener } from "./listener.ts";
import { type Connection, ConnectionPool, ofTransaction, type Run } from "./pool.ts";
import { createSql, type Sql } from "./sql.ts";

/** The database handle for `domain/`: the pool or one of its transactions. */
export type Db = PgDatabase<NodePgQueryResultHKT>;

export type Database = {
  db: Db;
  /** For statements that Drizzle can't write. */
  sql: Sql;
  listen: Listen;
  /** Checks out one connection for uses bound to its session: COPY, session locks. Return it with `release`. */
  connect(): Promise<Connection>;
  /** Lets running statements finish for at most `graceMs` (5,000), then cuts the connections. */
  close(graceMs?: number): Promise<void>;
};

/** Timeout for opening a connection, or waiting for one of a busy pool. */
const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 10_000;
/** TCP probes an idle connection after this and drops it ten seconds later: LISTEN is idle for hours. */
const KEEP_ALIVE_MS = 5_000;
/** Each idle connection takes some 5 MB of Postgres' memory, so a pool shrinks after a busy time. */
const IDLE_MS = 30_000;
/** How long Postgres may be silent before statements are aborted. */
const SILENCE_MS = { impatient: 2_000, patient: 15_000 };

/**
 * Opens a pool; sends nothing before the first statement. While Postgres is unavailable each statement fails (see
 * `isDatabaseAway`); after its return the next one succeeds.
 * @param config `databaseUrl` may name a socket folder and TLS as in libpq: see `readDatabaseAddress`.
 * @param opts `max`: most connections (10). `impatient`: aborts statements within 3 s when Postgres falls silent, instead of 15 s;
 * for processes that people wait for.
 * @throws {ConfigError} when the address is missing or invalid.
 */
export function connectDatabase(
  config: { databaseUrl?: string | undefined },
  opts: { max?: number; applicationName?: string; impatient?: boolean } = {},
): Database {
  if (!config.databaseUrl) {
    throw new ConfigError("DATABASE_URL must be set here: only `spawnpoint start` brings a Postgres of its own");
  }
  const settings: pg.ClientConfig = {
    ...readDatabaseAddress(config.databaseUrl),
    application_name: opts.applicationName ?? "spawnpoint",
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 60_000,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
  const pool = new ConnectionPool(
    { ...settings, max: opts.max ?? 10, idleTimeoutMillis: IDLE_MS },
    opts.impatient ? SILENCE_MS.impatient : SILENCE_MS.patient,
  );
  const listener = new Listener(settings);
  return {
    db: createDb(pool),
    sql: createSql(pool),
    listen: listener.listen,
    connect: () => pool.connect(),
    async close(graceMs = 5_000) {
      await Promise.all([listener.close(), pool.close(graceMs)]);
    },
  };
}

/** Drizzle over the pool. It only calls the client's `query`; a transaction has one connection, returned however it ends. */
function createDb(pool: ConnectionPool): Db {
  const over = (query: Run): Db => drizzle({ client: { query } as unknown as NodePgClient });
  const transaction: Db["transaction"] = async (work, config) => {
    const connection = await pool.connect();
    try {
      return await over(ofTransaction(connection.query)).transaction(work, config);
    } finally {
      connection.release();
    }
  };
  return Object.assign(over(pool.query), { transaction });
}
