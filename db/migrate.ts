/** Brings the tables up to date, once, however many processes try. */
import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import { connectDatabase } from "./client.ts";

const MIGRATIONS = fileURLToPath(new URL("./migrations", import.meta.url));

/** Any fixed number; it names this lock among the advisory locks of the database. */
const MIGRATION_LOCK = 5_773_100;

/**
 * Runs the migrations that have not run yet, all in one transaction: killed half-way, the next run starts over.
 * A second caller waits for the first (up to 5 minutes) and then finds nothing to do.
 */
export async function migrateDatabase(databaseUrl: string): Promise<void> {
  const { sql, close } = connectDatabase({ databaseUrl }, { max: 1, applicationName: "spawnpoint migrate" });
  try {
    await sql`SET statement_timeout = '5min'`;
    await sql`SET idle_in_transaction_session_timeout = 0`;
    await sql`SELECT pg_advisory_lock(${MIGRATION_LOCK})`;
    await migrate(drizzle(sql), { migrationsFolder: MIGRATIONS });
  } finally {
    await close();
  }
}
