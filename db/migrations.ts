/** The migrations that this version knows, those that a database has been through, and running what lies between. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { findBeforeBaseline, TOO_EARLY } from "./before-baseline.ts";
import type { Queryable } from "./sql.ts";

/** As Drizzle reads them: `hash` is the SHA-256 of the file, `folderMillis` its place in the order; and the name of the file. */
export type Migration = ReturnType<typeof readMigrationFiles>[number] & { name: string };

/**
 * How a database stands to this version: `steps` of our migrations are behind it. `newer`: those and some that we do not
 * know, as after going back a version. `foreign`: others than ours; `why`, a clause, where they are ours and too old.
 */
export type MigrationLevel = { kind: "known" | "newer"; steps: number } | { kind: "foreign"; why: string | null };

/** In their order. @param folder those of another version */
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
 * Whether a migration may take away what the version before reads or writes, or ask for what it does not give. Our own rule keeps
 * such ones a version back, so what is found here is of two versions at once. Functions and triggers count as nothing: they are
 * replaced as a whole.
 */
export function takesAway({ sql }: Migration): boolean {
  return sql.some((statement) =>
    /\bDROP\s+(?:TABLE|COLUMN|TYPE|SCHEMA)\b|\bRENAME\s+(?:TO|COLUMN)\b|\bSET\s+DATA\s+TYPE\b|\bALTER\s+COLUMN\s+\S+\s+(?:TYPE|SET\s+NOT\s+NULL)\b/i.test(
      statement,
    ),
  );
}

/** The hashes of the migrations that a database has been through, in their order; none in an empty database. */
export async function readAppliedMigrations(sql: Queryable): Promise<string[]> {
  const [table] = await sql<{ there: boolean }[]>`
    SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS there`;
  if (!table?.there) return [];
  const rows = await sql<{ hash: string }[]>`SELECT hash FROM drizzle.__drizzle_migrations ORDER BY created_at, id`;
  return rows.map(({ hash }) => hash);
}

/** How a database stands; one with all migrations before the baseline counts as one with the baseline. @param applied hashes, in their order, of those that it has been through */
export function compareMigrations(applied: readonly string[], known: readonly Migration[]): MigrationLevel {
  const shared = Math.min(applied.length, known.length);
  if (known.slice(0, shared).some(({ hash }, at) => hash !== applied[at])) {
    const before = findBeforeBaseline(applied);
    if (before === "all") return { kind: "known", steps: 1 };
    return { kind: "foreign", why: before === "some" ? TOO_EARLY : null };
  }
  return { kind: applied.length > known.length ? "newer" : "known", steps: shared };
}

/** Runs migrations one after the other, and remembers each as Drizzle does. Meant for one transaction of the caller. */
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
