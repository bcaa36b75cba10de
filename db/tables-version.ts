/**
 * Records which version last changed the tables, and which older ones still work with them: decides whether going back is possible.
 */

import { z } from "zod";
import installed from "../package.json" with { type: "json" };
import type { Queryable } from "./sql.ts";

const MARK = z.object({ version: z.string(), since: z.string() });
/** A table in every database of ours, whose comment has no other use. */
const PLACE = "drizzle.__drizzle_migrations";

/** Records, in the transaction of the migrations, this version and the oldest that works with the tables. */
export async function markTables(transaction: Queryable): Promise<void> {
  const mark = JSON.stringify({ version: installed.version, since: installed.tablesSince });
  await transaction.unsafe(`COMMENT ON TABLE ${PLACE} IS '${mark.replaceAll("'", "''")}'`);
}

/** Explains why this version, older than the tables, doesn't work with them; null: it does, as far as is known. */
export async function findTooOld(sql: Queryable): Promise<string | null> {
  const [row] = await sql<{ mark: string | null }[]>`SELECT obj_description(to_regclass(${PLACE}), 'pg_class') AS mark`;
  const { data } = MARK.safeParse(parse(row?.mark));
  if (data === undefined || compareVersions(installed.version, data.since) >= 0) return null;
  return `The tables are those of Spawnpoint ${data.version}, which versions from ${data.since} on can use; this is ${installed.version}. Start ${data.version} again, or restore the backup that was made before the update into an empty database.`;
}

function parse(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    // Not our comment.
    return null;
  }
}

/** Negative if `a` comes before `b`. Compares the three numbers; ignores text after "+" or "-". */
export function compareVersions(a: string, b: string): number {
  const numbers = (version: string) => version.split(/[+-]/)[0]?.split(".").map(Number) ?? [];
  const [left, right] = [numbers(a), numbers(b)];
  const at = [0, 1, 2].find((place) => left[place] !== right[place]);
  return at === undefined ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}
