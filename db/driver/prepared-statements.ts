// Statements that come again are prepared: Postgres parses them once for each connection, and they take one round trip in
// place of two. Drizzle asks for that only where a statement was given a name.
import type postgres from "postgres";

/** So many texts are prepared at most: a list of ids makes another text for each length, and each costs memory in Postgres. */
export const MOST_PREPARED = 400;
/** Texts that came once are remembered up to so many. */
const MOST_SEEN = 2_000;

type Client = postgres.Sql | postgres.TransactionSql;
type Options = NonNullable<Parameters<postgres.Sql["unsafe"]>[2]>;

/** `sql` as Drizzle uses it (`unsafe`, `begin`, `savepoint`): a text with parameters is prepared from its second time on. */
export function prepareWhatReturns<C extends Client>(sql: C): C {
  const seen = new Set<string>();
  const prepared = new Set<string>();

  function isToPrepare(text: string): boolean {
    if (prepared.has(text)) return true;
    if (seen.delete(text)) {
      if (prepared.size < MOST_PREPARED) prepared.add(text);
      return prepared.has(text);
    }
    if (seen.size >= MOST_SEEN) seen.clear();
    seen.add(text);
    return false;
  }

  const wrap = <T extends Client>(client: T): T => {
    const unsafe = (text: string, values: Parameters<postgres.Sql["unsafe"]>[1] = [], options: Options = {}) =>
      client.unsafe(text, values, values.length > 0 && isToPrepare(text) ? { ...options, prepare: true } : options);
    const within =
      (method: "begin" | "savepoint") =>
      (...given: unknown[]) => {
        const work = given.pop() as (transaction: postgres.TransactionSql) => unknown;
        const open: (...how: unknown[]) => unknown = Reflect.get(client as object, method);
        return open(...given, (transaction: postgres.TransactionSql) => work(wrap(transaction)));
      };
    return new Proxy(client, {
      get(target, name) {
        if (name === "unsafe") return unsafe;
        if (name === "begin" || name === "savepoint") return within(name);
        return Reflect.get(target, name);
      },
    });
  };
  return wrap(sql);
}
