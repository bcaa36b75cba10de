// Which columns of a row leave the site, and for whom: each table says it in one list, which everything that shows rows reads.

/**
 * Who sees a column. `visitors`: everybody who may see the row, on pages and in the public API; `pages`: the same people,
 * on pages alone; `admins`: the admin area and the API for admins; `site`: nobody, it is how the site works.
 */
export type SeenBy = "visitors" | "pages" | "admins" | "site";

/** The names of a list's columns that these people see. */
type NamesSeenBy<List, By> = { [Name in keyof List]: List[Name] extends By ? Name : never }[keyof List];

/** The columns of a list that any of `by` sees, in the order of the list. */
export function namesSeenBy<const List extends Record<string, SeenBy>, By extends SeenBy>(list: List, ...by: By[]) {
  const seen = Object.entries(list).filter(([, who]) => by.some((one) => one === who));
  return seen.map(([name]) => name) as NamesSeenBy<List, By>[];
}

/** The named fields of something (a row, a table's columns), and nothing else of it. */
export function pick<From extends object, Name extends keyof From>(from: From, names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<From, Name>;
}
