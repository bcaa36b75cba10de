/**
 * Databases and backups with the tables of the 53 migrations before the baseline, the last of them by version 0.2.0. The baseline
 * creates equal tables, so its row replaces theirs. Remove this file with version 1.0.
 */
import { createHash } from "node:crypto";
import type { Queryable } from "./sql.ts";

/** The version that added the baseline: older ones don't know its tables. */
export const BASELINE_VERSION = "0.3.0";

const COUNT = 53;
/** SHA-256 of the first one, and of all their hashes, joined by commas. */
const FIRST = "104b31d9a5d2f694b4a3f401a74a8d90b2bfa60d38498a38c3ab94b765334b89";
const ALL = "1a5dd6d43ef232e7c420d78d9a8ceb29e673d9b190bd89eabe0f78d6851b692d";

/** Why a database or a backup with only some of them can't be migrated, as a clause. */
export const TOO_EARLY =
  "its tables are older than the last ones of 0.2.0: update to 0.2.0 first (commit b107dd09), then to this version";

/**
 * Compares the hashes of applied migrations with those before the baseline: `all` of them and no other, `some` that begin the list,
 * or null for anything else.
 */
export function findBeforeBaseline(applied: readonly string[]): "all" | "some" | null {
  if (applied[0] !== FIRST || applied.length > COUNT) return null;
  if (applied.length < COUNT) return "some";
  return createHash("sha256").update(applied.join()).digest("hex") === ALL ? "all" : null;
}

/** Replaces the rows of all migrations before the baseline by the baseline's. Call it in the transaction that migrates. */
export async function replaceByBaseline(
  transaction: Queryable,
  applied: readonly string[],
  baseline: { hash: string; folderMillis: number } | undefined,
): Promise<void> {
  if (!baseline || findBeforeBaseline(applied) !== "all") return;
  await transaction.unsafe("DELETE FROM drizzle.__drizzle_migrations");
  await transaction`
    INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES (${baseline.hash}, ${baseline.folderMillis})`;
}
