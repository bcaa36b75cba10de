// Builds a check that a column holds one of a list in code, so that the list isn't repeated.
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";

/** `column in ('a', 'b')`, with literal values, as a migration needs them. They are our own names. */
export const oneOf = (column: AnyPgColumn, values: readonly string[]): SQL =>
  sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(", "))})`;
