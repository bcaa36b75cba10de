/** Lists this version's migrations and those applied to a database, and runs the missing ones. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { findBeforeBaseline, TOO_EARLY } from "./before-baseline.ts";
import type { Queryable } from "./sql.ts";

/** `hash` is the SHA-256 of the file, `folderMillis` its place in the order. */
export type Migration = ReturnType<typeof readMigrationFiles>[number] & { name: string };

/**
 * A database's level compared with this version: `steps` of our migrations are applied. `newer`: those and unknown ones, as after
 * going back a version. `foreign`: not ours; `why`, a clause, if they are ours and too old.
 */
export type MigrationLevel = { kind: "known" | "newer"; steps: number } | { kind: "foreign"; why: string | null };

/** In order. @param folder another version's */
export function listMigrations(folder = fileURLToPath(new URL("./migrations", import.meta.url))): Migration[] {
  const journal: { entries: { tag: string }[] } = JSON.parse(
    readFileSync(path.join(folder, "meta", "_journal.json"), "utf8"),
  );
  return readMigrationFiles({ migrationsFolder: folder }).map((migration, at) => ({
    ...migration,
    name: journal.entries[at]?.tag ?? "",
  }));
}

/**
 * True if a migration may remove what the previous version reads or writes, or require what it doesn't provide. Our own rule delays
 * such changes by a version, so a match here spans two versions. Ignores functions and triggers: they are replaced as a whole.
 */
export function takesAway({ sql }: Migration): boolean {
  return sql.some((statement) =>
    /\bDROP\s+(?:TABLE|COLUMN|TYPE|SCHEMA)\b|\bRENAME\s+(?:TO|COLUMN)\b|\bSET\s+DATA\s+TYPE\b|\bALTER\s+COLUMN\s+\S+\s+(?:TYPE|SET\s+NOT\s+NULL)\b/i.test(
      statement,
    ),
  );
}

/** Reads the hashes of the applied migrations in order; none in an empty database. */
export async function readAppliedMigrations(sql: Queryable): Promise<string[]> {
  const [table] = await sql<{ there: boolean }[]>`
    SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS there`;
  if (!table?.there) return [];
  const rows = await sql<{ hash: string }[]>`SELECT hash FROM drizzle.__drizzle_migrations ORDER BY created_at, id`;
  return rows.map(({ hash }) => hash);
}

/**
 * Compares a database's migrations with ours; all migrations before the baseline count as the baseline. @param applied hashes, in
 * order, of its applied migrations
 */
export function compareMigrations(applied: readonly string[], known: readonly Migration[]): MigrationLevel {
  const shared = Math.min(applied.length, known.length);
  if (known.slice(0, shared).some(({ hash }, at) => hash !== applied[at])) {
    const before = findBeforeBaseline(applied);
    if (before === "all") return { kind: "known", steps: 1 };
    return { kind: "foreign", why: before === "some" ? TOO_EARLY : null };
  }
  return { kind: applied.length > known.length ? "newer" : "known", steps: shared };
}

/** Runs migrations in order, and records each in the table that `readAppliedMigrations` reads. Call it in one transaction. */
export async function runMigrations(transaction: Queryable, migrations: readonly Migration[]): Promise<void> {
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
