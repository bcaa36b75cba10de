/** Writes a row as the rest of an INSERT. */
import { Fragment } from "#db/sql.ts";

/** `insert into games ${valuesOf({ game_name: "A" })}`: columns by name, their values as parameters. */
export function valuesOf(row: object): Fragment {
  const commas = Object.keys(row)
    .slice(1)
    .map(() => ", ");
  return new Fragment([`(${Object.keys(row).join(", ")}) VALUES (`, ...commas, ")"], Object.values(row));
}
