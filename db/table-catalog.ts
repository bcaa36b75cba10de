/** Lists a database's tables from its own catalog, for code that handles all of them. */
import type { Queryable } from "./sql.ts";

export type Table = { name: string; columns: string[] };
/** `unlogged`: short-lived data that no backup contains. */
export type ListedTable = Table & { unlogged: boolean };

/** A row's generated number, and its counter's position. */
export type Sequence = { table: string; column: string; last_value: string; is_called: boolean };

/** Quotes a name for a statement. All names here come from the catalog anyway. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Columns in order for a statement, names quoted. */
export const columnsInSql = ({ columns }: Table): string => columns.map(quoteName).join(", ");

/**
 * Lists all tables of schema `public` that belong to no extension, each after those that its foreign keys reference. Omits parts of
 * a partitioned table. A cycle of foreign keys is a bug of ours.
 */
export async function listTables(sql: Queryable): Promise<ListedTable[]> {
  const tables = await sql<ListedTable[]>`
    SELECT c.relname AS name, array_agg(a.attname ORDER BY a.attnum)::text[] AS columns, c.relpersistence = 'u' AS unlogged
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND NOT EXISTS (
        SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
    GROUP BY c.oid, c.relname, c.relpersistence ORDER BY c.relname`;
  const keys = await sql<{ from: string; to: string }[]>`
    SELECT source.relname AS from, target.relname AS to
    FROM pg_constraint k JOIN pg_class source ON source.oid = k.conrelid JOIN pg_class target ON target.oid = k.confrelid
    WHERE k.contype = 'f' AND k.conparentid = 0 AND k.conrelid <> k.confrelid
      AND k.connamespace = 'public'::regnamespace`;
  const ordered: ListedTable[] = [];
  let rest = [...tables];
  while (rest.length > 0) {
    const waiting = new Set(rest.map(({ name }) => name));
    const free = rest.filter(({ name }) => !keys.some((key) => key.from === name && waiting.has(key.to)));
    if (free.length === 0) throw new Error(`foreign keys go round in a circle: ${[...waiting].join(", ")}`);
    ordered.push(...free);
    rest = rest.filter((table) => !free.includes(table));
  }
  return ordered;
}

/** Lists the tables, views and the like of schema `public` that belong to no extension. */
export async function listRelations(sql: Queryable): Promise<string[]> {
  const found = await sql<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
      AND NOT EXISTS (
        SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
    ORDER BY c.relname`;
  return found.map(({ name }) => name);
}

/**
 * Reads the counters of all generated numbers of these tables. Counters ignore transactions: read them last, so that they aren't
 * behind.
 */
export async function listSequences(sql: Queryable, tables: readonly Table[]): Promise<Sequence[]> {
  const found = await sql<{ table: string; column: string; sequence: string }[]>`
    SELECT c.relname AS table, a.attname AS column, pg_get_serial_sequence(format('%I.%I', 'public', c.relname), a.attname) AS sequence
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY(${tables.map(({ name }) => name)})
      AND pg_get_serial_sequence(format('%I.%I', 'public', c.relname), a.attname) IS NOT NULL
    ORDER BY c.relname, a.attname`;
  const sequences: Sequence[] = [];
  for (const { table, column, sequence } of found) {
    // The server returns the name quoted.
    const [state] = await sql.unsafe<{ last_value: string; is_called: boolean }[]>(
      `SELECT last_value::text, is_called FROM ${sequence}`,
    );
    if (state) sequences.push({ table, column, ...state });
  }
  return sequences;
}

/**
 * Counts a table's rows and computes a number that changes with any of them, in any order: the sum of the first 64 bits of MD5 of
 * each row as text. It finds mistakes, but doesn't resist deliberate collisions. Times use the session's time zone: set it.
 */
export async function readFingerprint(sql: Queryable, table: Table): Promise<{ rows: string; fingerprint: string }> {
  const [found] = await sql.unsafe<{ rows: string; fingerprint: string }[]>(
    `SELECT count(*)::text AS rows,
       coalesce(sum(('x' || left(md5(r::text), 16))::bit(64)::bigint::numeric), 0)::text AS fingerprint
     FROM (SELECT ${columnsInSql(table)} FROM public.${quoteName(table.name)}) AS r`,
  );
  return found ?? { rows: "0", fingerprint: "0" };
}

/** For each session that converts rows to text, so that the same rows give the same text everywhere. */
export const TEXT_SETTINGS =
  "SET timezone = 'UTC'; SET datestyle = 'ISO, YMD'; SET intervalstyle = 'iso_8601'; SET bytea_output = 'hex'; SET extra_float_digits = 1";
