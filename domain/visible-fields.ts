// Defines which columns of a row leave the site, and for which readers: one list per table, used by everything that shows rows.

/**
 * Who sees a column. `visitors`: everyone who may see the row, on pages and in the public API; `pages`: the same readers, on
 * pages only; `admins`: the admin area and the API for admins; `site`: internal, never shown.
 */
export type SeenBy = "visitors" | "pages" | "admins" | "site";

/** Names of the columns that these readers see. */
type NamesSeenBy<List, By> = { [Name in keyof List]: List[Name] extends By ? Name : never }[keyof List];

/** Columns that any of `by` sees, in list order. */
export function namesSeenBy<const List extends Record<string, SeenBy>, By extends SeenBy>(list: List, ...by: By[]) {
  const seen = Object.entries(list).filter(([, who]) => by.some((one) => one === who));
  return seen.map(([name]) => name) as NamesSeenBy<List, By>[];
}

/** Picks the named fields (of a row, of a table's columns) and nothing else. */
export function pick<From extends object, Name extends keyof From>(from: From, names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<From, Name>;
}
