/** Migrates the tables once, however many processes try. */

import { LOCKS } from "./advisory-locks.ts";
import { replaceByBaseline } from "./before-baseline.ts";
import { connectDatabase } from "./client.ts";
import {
  compareMigrations,
  listMigrations,
  type Migration,
  readAppliedMigrations,
  runMigrations,
} from "./migrations.ts";
import type { Sql } from "./sql.ts";
import { listRelations } from "./table-catalog.ts";
import { findTooOld, markTables } from "./tables-version.ts";

/** The tables can't be migrated; the message is one line for the operator. */
export class MigrationError extends Error {
  override name = "MigrationError";
}

/** SQLSTATE of a statement timeout. */
const TIMED_OUT = "57014";

/**
 * Runs pending migrations in one transaction: killed half-way, the next run starts over. A second caller waits for the first (up to
 * 5 minutes) and then finds nothing to do. Leaves tables changed by a newer version as they are: each version works with the next
 * one's.
 * @throws {MigrationError} for another application's tables, for those of a version too far ahead, or when another migration or a
 * backup takes too long.
 */
export async function migrateDatabase(databaseUrl: string): Promise<void> {
  const { sql, close } = connectDatabase({ databaseUrl }, { max: 1, applicationName: "spawnpoint migrate" });
  try {
    // Usually nothing is pending, and then no lock is needed.
    if ((await listMissing(sql)).length === 0) return;
    await sql`SET statement_timeout = '5min'`;
    await sql`SET idle_in_transaction_session_timeout = 0`;
    await sql`SELECT pg_advisory_lock(${LOCKS.migration})`.catch((error) => {
      if (error.code !== TIMED_OUT) throw error;
      throw new MigrationError("Another migration or a backup has kept the database for 5 minutes. Start again later.");
    });
    const missing = await listMissing(sql);
    await sql.begin(async (transaction) => {
      await replaceByBaseline(transaction, await readAppliedMigrations(transaction), listMigrations()[0]);
      await runMigrations(transaction, missing);
      if (missing.length > 0) await markTables(transaction);
    });
  } finally {
    await close();
  }
}

/** Lists this version's migrations that a database lacks. @throws {MigrationError} as `migrateDatabase` does */
export async function listMissingMigrations(databaseUrl: string): Promise<Migration[]> {
  const { sql, close } = connectDatabase({ databaseUrl }, { max: 1, applicationName: "spawnpoint migrate" });
  try {
    return await listMissing(sql);
  } finally {
    await close();
  }
}

async function listMissing(sql: Sql): Promise<Migration[]> {
  const known = listMigrations();
  const level = compareMigrations(await readAppliedMigrations(sql), known);
  if (level.kind === "foreign") {
    throw new MigrationError(
      level.why === null
        ? "The database was migrated by something else than Spawnpoint, or a migration was edited."
        : `The database can't be brought up to date: ${level.why}.`,
    );
  }
  if (level.kind === "newer") {
    const tooOld = await findTooOld(sql);
    if (tooOld !== null) throw new MigrationError(tooOld);
  }
  if (level.steps === 0) await refuseForeignTables(sql);
  return known.slice(level.steps);
}

/** Don't write to another application's database: our tables beside its own would be in no backup. */
async function refuseForeignTables(sql: Sql): Promise<void> {
  const tables = await listRelations(sql);
  if (tables.length === 0) return;
  const named = tables.slice(0, 3).join(", ") + (tables.length > 3 ? ` and ${tables.length - 3} more` : "");
  throw new MigrationError(
    `The database holds tables of something else than Spawnpoint (${named}), and nothing was changed: give the site a database of its own (\`CREATE DATABASE spawnpoint\`) and name it in DATABASE_URL.`,
  );
}
