// Lists with search, sorting and pages: what an address asks for, and which rows that is.
import { count, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Db } from "#db/client.ts";

/** Rows of one page. */
const PAGE_ROWS = 50;
const LONGEST_SEARCH = 100;
/** Rows are counted this far, and this far again for whoever leafs there: counting all of them is what takes long. */
const COUNTED_ROWS = 10_000;
/** What is searched is compared row by row: nobody leafs further than this, but searches more closely. */
const MOST_FINDS = 1_000;
/** Nobody leafs further; an address that asks for more gets the last page there is. */
const MOST_PAGES = 1_000_000;

/** What a list is asked for; `sort` is one of the names that the list knows, so it may choose a column. */
export type ListQuery<Sort extends string> = { q: string; sort: Sort; descending: boolean; page: number };

/** One page of a list, and where it stands; `page` counts from 1 and is the one that there is. */
export type ListPage<Row, Sort extends string = string> = ListQuery<Sort> & {
  rows: Row[];
  total: number;
  /** There are more rows than `total`; without a search there are more pages than `pages`, too. */
  more: boolean;
  pages: number;
  /** The number of the first of these rows, counted from 1. */
  from: number;
};

/**
 * Reads ?q=, ?sort= (a minus in front: descending) and ?page= of an address. Whatever is none of the list's own falls
 * back: to no search, to `fallback` ("name" or "-created_at"), to the first page.
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
    // A NUL is no text for Postgres.
    q: (url.searchParams.get("q") ?? "").replaceAll("\0", "").trim().slice(0, LONGEST_SEARCH),
    sort: known ?? (fallback.replace(/^-/, "") as Sort),
    descending: chosen.startsWith("-"),
    page: Number.isInteger(page) && page >= 1 ? Math.min(page, MOST_PAGES) : 1,
  };
}

/**
 * Reads one page: `count` says how many rows there are, and may stop at `most`; `read` gives those at an offset. A page
 * behind the last one is the last one.
 */
export async function readPage<Row, Sort extends string>(
  query: ListQuery<Sort>,
  count: (most: number) => Promise<number>,
  read: (limit: number, offset: number) => Promise<Row[]>,
): Promise<ListPage<Row, Sort>> {
  const far = query.q ? MOST_FINDS : COUNTED_ROWS * (Math.floor((query.page * PAGE_ROWS) / COUNTED_ROWS) + 1);
  const readAt = (page: number) => read(PAGE_ROWS, (page - 1) * PAGE_ROWS);
  // Nearly every page that is asked for exists, so its rows are read while they are counted.
  const wanted = query.q ? Math.min(query.page, MOST_FINDS / PAGE_ROWS) : query.page;
  const [counted, asked] = await Promise.all([count(far + 1), readAt(wanted)]);
  const more = counted === far + 1;
  const total = more ? far : counted;
  const pages = Math.max(1, Math.ceil(total / PAGE_ROWS));
  const page = Math.min(wanted, pages);
  const rows = page === wanted ? asked : await readAt(page);
  return { ...query, page, rows, total, more, pages, from: (page - 1) * PAGE_ROWS + 1 };
}

/** The rows of a table that fit, but no more than `most`: it stops there. */
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

/** "Contains this text, whatever its case", for a column or expression; % and _ mean themselves. */
export function contains(column: SQLWrapper, text: string): SQL {
  return sql`${column} ilike ${`%${text.replace(/[\\%_]/g, "\\$&")}%`}`;
}

/** The order of a column; unknown values last either way. */
export function ordered(column: SQLWrapper, descending: boolean): SQL {
  return descending ? sql`${column} desc nulls last` : sql`${column} asc nulls last`;
}
