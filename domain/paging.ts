// Lists with search, sorting and pages: reads the query from the URL and selects the rows.
import { count, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Db } from "#db/client.ts";

/** Rows of one page. */
const PAGE_ROWS = 50;
const LONGEST_SEARCH = 100;
/** Rows are counted up to here, and up to here again past the requested page: counting all rows is slow. */
const COUNTED_ROWS = 10_000;
/** Searches compare row by row, so they page no further than this; a user narrows the search instead. */
const MOST_FINDS = 1_000;
/** Upper limit; a URL that asks for more gets the last page. */
const MOST_PAGES = 1_000_000;

/** A list's query; `sort` is one of the list's known names, so it is safe to choose a column. */
export type ListQuery<Sort extends string> = { q: string; sort: Sort; descending: boolean; page: number };

/** One page of a list and its position; `page` counts from 1 and always exists. */
export type ListPage<Row, Sort extends string = string> = ListQuery<Sort> & {
  rows: Row[];
  total: number;
  /** More rows than `total` exist; without a search also more pages than `pages`. */
  more: boolean;
  pages: number;
  /** The number of the first row, counted from 1. */
  from: number;
};

/**
 * Reads ?q=, ?sort= (a minus in front: descending) and ?page= from a URL. Unknown values fall back to no search, to `fallback`
 * ("name" or "-created_at"), to the first page.
 */
export function readListQuery<Sort extends string>(
  url: URL,
  sorts: readonly Sort[],
  fallback: Sort | `-${Sort}`,
): ListQuery<Sort> {
  const asked = url.searchParams.get("sort") ?? "";
  const known = sorts.find((sort) => sort === asked.replace(/^-/, ""));
  const chosen = known ? asked : fallback;
  const page = Number(url.searchParams.get("page"));
  return {
    // Postgres text can't contain NUL.
    q: (url.searchParams.get("q") ?? "").replaceAll("\0", "").trim().slice(0, LONGEST_SEARCH),
    sort: known ?? (fallback.replace(/^-/, "") as Sort),
    descending: chosen.startsWith("-"),
    page: Number.isInteger(page) && page >= 1 ? Math.min(page, MOST_PAGES) : 1,
  };
}

/**
 * Reads one page: `count` returns the number of rows and may stop at `most`; `read` returns the rows at an offset. A page behind
 * the last one becomes the last one.
 */
export async function readPage<Row, Sort extends string>(
  query: ListQuery<Sort>,
  count: (most: number) => Promise<number>,
  read: (limit: number, offset: number) => Promise<Row[]>,
): Promise<ListPage<Row, Sort>> {
  const far = query.q ? MOST_FINDS : COUNTED_ROWS * (Math.floor((query.page * PAGE_ROWS) / COUNTED_ROWS) + 1);
  const readAt = (page: number) => read(PAGE_ROWS, (page - 1) * PAGE_ROWS);
  // Nearly every requested page exists, so read its rows while counting.
  const wanted = query.q ? Math.min(query.page, MOST_FINDS / PAGE_ROWS) : query.page;
  const [counted, asked] = await Promise.all([count(far + 1), readAt(wanted)]);
  const more = counted === far + 1;
  const total = more ? far : counted;
  const pages = Math.max(1, Math.ceil(total / PAGE_ROWS));
  const page = Math.min(wanted, pages);
  const rows = page === wanted ? asked : await readAt(page);
  return { ...query, page, rows, total, more, pages, from: (page - 1) * PAGE_ROWS + 1 };
}

/** Counts matching rows, up to `most`. */
export async function countUpTo(db: Db, table: PgTable, found: SQL | undefined, most: number): Promise<number> {
  const some = db
    .select({ one: sql`1`.as("one") })
    .from(table)
    .where(found)
    .limit(most)
    .as("some");
  const [row] = await db.select({ rows: count() }).from(some);
  return row?.rows ?? 0;
}

/** "Contains this text", ignoring case, for a column or expression; % and _ are literal. */
export function contains(column: SQLWrapper, text: string): SQL {
  return sql`${column} ilike ${`%${text.replace(/[\\%_]/g, "\\$&")}%`}`;
}

/** Orders by a column; nulls last either way. */
export function ordered(column: SQLWrapper, descending: boolean): SQL {
  return descending ? sql`${column} desc nulls last` : sql`${column} asc nulls last`;
}
