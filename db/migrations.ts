/** The migrations that this version knows, those that a database has been through, and running what lies between. */
import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type { ISql } from "postgres";

/** As Drizzle reads them: `hash` is the SHA-256 of the file, `folderMillis` its place in the order. */
export type Migration = ReturnType<typeof readMigrationFiles>[number];

/**
 * How a database stands to this version: `steps` of our migrations are behind it. `newer`: those and some that we do not
 * know, as after going back a version. `foreign`: others than ours.
 */
export type MigrationLevel = { kind: "known" | "newer"; steps: number } | { kind: "foreign" };

/** In their order. */
export const listMigrations = (): Migration[] =>
  readMigrationFiles({ migrationsFolder: fileURLToPath(new URL("./migrations", import.meta.url)) });

/** The hashes of the migrations that a database has been through, in their order; none in an empty database. */
export async function readAppliedMigrations(sql: ISql): Promise<string[]> {
  const [table] = await sql<{ there: boolean }[]>`
    SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS there`;
  if (!table?.there) return [];
  const rows = await sql<{ hash: string }[]>`SELECT hash FROM drizzle.__drizzle_migrations ORDER BY created_at, id`;
  return rows.map(({ hash }) => hash);
}

export function compareMigrations(applied: readonly string[], known: readonly Migration[]): MigrationLevel {
  const shared = Math.min(applied.length, known.length);
  if (known.slice(0, shared).some(({ hash }, at) => hash !== applied[at])) return { kind: "foreign" };
  return { kind: applied.length > known.length ? "newer" : "known", steps: shared };
}

/** Runs migrations one after the other, and remembers each as Drizzle does. Meant for one transaction of the caller. */
export async function runMigrations(transaction: ISql, migrations: readonly Migration[]): Promise<void> {
  await transaction.unsafe("CREATE SCHEMA IF NOT EXISTS drizzle");
  await transaction.unsafe(
    "CREATE TABLE IF NOT EXISTS drizzle.__drizzle_migrations (id serial PRIMARY KEY, hash text NOT NULL, created_at bigint)",
  );
  for (const migration of migrations) {
    for (const statement of migration.sql) await transaction.unsafe(statement);
    await transaction`
      INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES (${migration.hash}, ${migration.folderMillis})`;
  }
}
