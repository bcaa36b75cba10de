/** Which version has left the tables as they are, and which older ones still work with them: what going back is judged by. */

import { z } from "zod";
import installed from "../package.json" with { type: "json" };
import type { Queryable } from "./sql.ts";

const MARK = z.object({ version: z.string(), since: z.string() });
/** A table that every database of ours has, and whose comment nothing else uses. */
const PLACE = "drizzle.__drizzle_migrations";

/** Leaves word, in the transaction of the migrations: this version, and the oldest that works with what they leave. */
export async function markTables(transaction: Queryable): Promise<void> {
  const mark = JSON.stringify({ version: installed.version, since: installed.tablesSince });
  await transaction.unsafe(`COMMENT ON TABLE ${PLACE} IS '${mark.replaceAll("'", "''")}'`);
}

/** Why this version, which is older than the tables, does not work with them, in words; null: it does, as far as is known. */
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
    // Somebody else's comment.
    return null;
  }
}

/** Below zero: `a` comes before `b`. By the three numbers; what stands behind "+" or "-" does not count. */
export function compareVersions(a: string, b: string): number {
  const numbers = (version: string) => version.split(/[+-]/)[0]?.split(".").map(Number) ?? [];
  const [left, right] = [numbers(a), numbers(b)];
  const at = [0, 1, 2].find((place) => left[place] !== right[place]);
  return at === undefined ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}
