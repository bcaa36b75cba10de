/** SQL as tagged templates over a connection or a pool: for statements that Drizzle can't write. */
import pg from "pg";
import { type ConnectionPool, ofTransaction, type Run } from "./pool.ts";

/** A part of a statement with its values, for use in another template. */
export class Fragment {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }
}

type Rows = readonly object[];

/** Times are returned as text; pass them as ISO text. An array is one value: `= ANY(${ids}::int[])`. */
export interface Queryable {
  /** Sends the statement with its values as parameters; resolves with its rows. */
  <R extends Rows = pg.QueryResultRow[]>(strings: TemplateStringsArray, ...values: unknown[]): Promise<R>;
  /** Sends a text unchanged; without values it may contain several statements, and the rows are the last one's. */
  unsafe<R extends Rows = pg.QueryResultRow[]>(text: string, values?: unknown[]): Promise<R>;
}

export interface Sql extends Queryable {
  /** Runs `work` in a transaction on one connection: committed when it resolves, rolled back when it rejects. */
  begin<T>(work: (transaction: Queryable) => T | Promise<T>): Promise<T>;
}

/** A part of a statement. */
export const fragment = (strings: TemplateStringsArray, ...values: unknown[]): Fragment =>
  new Fragment(strings, values);

/** Inserts a text into the statement unchanged: only ever our own. */
export const raw = (text: string): Fragment => new Fragment([text], []);

/** A name of a table or column, quoted. */
export const identifier = (name: string): Fragment => raw(pg.escapeIdentifier(name));

const { builtins } = pg.types;
const AS_TEXT = new Set<number>([builtins.TIMESTAMPTZ, builtins.TIMESTAMP, builtins.DATE, builtins.INTERVAL]);
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    AS_TEXT.has(oid) ? (value: unknown) => value : pg.types.getTypeParser(oid, format ?? "text"),
};

/** @param run sends a statement to Postgres: through a pool or one connection */
export function createQueryable(run: Run): Queryable {
  const send = async <R extends Rows>(text: string, values: unknown[] | undefined): Promise<R> => {
    const result: pg.QueryResult | pg.QueryResult[] = await run({ text, types }, values);
    const { rows } = Array.isArray(result) ? (result.at(-1) ?? { rows: [] }) : result;
    return rows as unknown as R;
  };
  return Object.assign(
    <R extends Rows>(strings: TemplateStringsArray, ...values: unknown[]) => {
      const statement = compile(strings, values);
      return send<R>(statement.text, statement.values);
    },
    { unsafe: <R extends Rows>(text: string, values?: unknown[]) => send<R>(text, values) },
  );
}

/** SQL over a pool: each statement takes any connection, each transaction one. */
export function createSql(pool: ConnectionPool): Sql {
  return Object.assign(createQueryable(pool.query), {
    async begin<T>(work: (transaction: Queryable) => T | Promise<T>): Promise<T> {
      const connection = await pool.connect();
      const run = ofTransaction(connection.query);
      try {
        await run({ text: "BEGIN" });
        const result = await work(createQueryable(run));
        await run({ text: "COMMIT" });
        return result;
      } catch (error) {
        await run({ text: "ROLLBACK" }).catch(() => connection.cut());
        throw error;
      } finally {
        connection.release();
      }
    },
  });
}

/**
 * Compiles a statement for Postgres: `$1` for the first value, and so on. @throws {TypeError} for a value that is undefined or a
 * promise
 */
function compile(strings: readonly string[], values: readonly unknown[]): { text: string; values: unknown[] } {
  const given: unknown[] = [];
  const write = (parts: readonly string[], between: readonly unknown[]): string =>
    parts.reduce((text, part, at) => {
      const value = between[at - 1];
      if (value instanceof Fragment) return text + write(value.strings, value.values) + part;
      if (value === undefined || value instanceof Promise) {
        throw new TypeError(`${value} can't be a value of a statement: ${text}`);
      }
      given.push(value);
      return `${text}$${given.length}${part}`;
    });
  return { text: write(strings, values), values: given };
}
