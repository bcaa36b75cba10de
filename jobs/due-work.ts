/** Whether there is anything to do for the jobs that wait for something: asked for all of them by one statement. */
import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";

/** The names of those of which the condition holds now. Rejects while the database is away. */
export async function findDue(db: Db, conditions: ReadonlyMap<string, SQL>): Promise<Set<string>> {
  if (conditions.size === 0) return new Set();
  const names = [...conditions.keys()];
  const columns = [...conditions.values()].map((condition, at) => sql`(${condition}) as ${sql.identifier(`d${at}`)}`);
  const [row] = await db.execute<Record<string, boolean>>(sql`select ${sql.join(columns, sql`, `)}`);
  return new Set(names.filter((_, at) => row?.[`d${at}`] === true));
}
