// A check that a column holds one of a list that stands in code: the list is not written a second time.
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";

/** `column in ('a', 'b')`, with the values in the statement itself, as a migration needs them. They are names of ours. */
export const oneOf = (column: AnyPgColumn, values: readonly string[]): SQL =>
  sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(", "))})`;
