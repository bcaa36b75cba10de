/** The driver `postgres`, with the faults of its lost connections mended as it is loaded. Values of it are imported from here. */
import { registerHooks } from "node:module";
import type Postgres from "postgres";

/** The driver is loaded by addresses that end with this, so that Drizzle's own import of it does not decide how. */
const MARK = "?mended";

type Mend = {
  /** What stands in the file, so many times. */
  found: string;
  times: number;
  instead: string;
};

/**
 * What is changed in version 3.4.9, by file (issues 1066, 1154 and 1208 of porsager/postgres on GitHub). An upgrade in which a text
 * is not found ends each process at its start: then this is to be judged anew.
 */
const MENDS: Record<string, Mend[]> = {
  "connection.js": [
    // What waited to be written when the connection ended is forgotten with it. Otherwise it goes first on the next
    // connection, and nothing more is ever written there, since a writing seems to be under way.
    {
      found: "\n    clearImmediate(nextWriteTimer)\n",
      times: 2,
      instead: "\n    clearImmediate(nextWriteTimer)\n    nextWriteTimer = chunk = null\n",
    },
  ],
  // A transaction, or who holds a connection, sends nothing more once that connection was lost: it may have no socket, which
  // would end the process, or be open again for somebody else, outside of any transaction.
  "index.js": [
    {
      found: "      c.reserved = () => queries.length\n",
      times: 1,
      instead: "      held = c.reserved = () => queries.length\n",
    },
    {
      found: "      , prepare = null\n",
      times: 1,
      instead: "      , prepare = null\n      , held = null\n",
    },
    {
      found: "        q.catch(e => uncaughtError || (uncaughtError = e))\n",
      times: 1,
      instead:
        "        q.catch(e => uncaughtError || (uncaughtError = e))\n" +
        "        if (c.reserved !== held) return q.reject(Errors.connection('CONNECTION_CLOSED', options))\n",
    },
    {
      found: "    c.reserved.release = true\n",
      times: 1,
      instead: "    c.reserved.release = true\n    const held = c.reserved\n",
    },
    {
      found: "    function handler(q) {\n      c.queue === full\n",
      times: 1,
      instead:
        "    function handler(q) {\n" +
        "      if (c.reserved !== held) return q.reject(Errors.connection('CONNECTION_CLOSED', options))\n" +
        "      c.queue === full\n",
    },
    {
      found: "    sql.release = () => {\n",
      times: 1,
      instead: "    sql.release = () => {\n      if (c.reserved !== held) return\n",
    },
  ],
};

function mend(source: string, file: string): string {
  let mended = source;
  for (const { found, times, instead } of MENDS[file] ?? []) {
    const parts = mended.split(found);
    if (parts.length !== times + 1)
      throw new Error(
        `The driver is not the one that db/driver/postgres.ts mends: ${file} has not ${times} × ${found.trim()}`,
      );
    mended = parts.join(instead);
  }
  return mended;
}

async function loadMended(): Promise<typeof Postgres> {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const isOurs = specifier === "./connection.js" && context.parentURL?.endsWith(MARK);
      return isOurs ? { ...resolved, url: resolved.url + MARK } : resolved;
    },
    load(url, context, next) {
      if (!url.endsWith(MARK)) return next(url, context);
      const loaded = next(url, context);
      const file = new URL(url).pathname.split("/").at(-1) ?? "";
      return { ...loaded, source: mend(String(loaded.source), file) };
    },
  });
  try {
    const { default: postgres } = await import(import.meta.resolve("postgres") + MARK);
    return postgres;
  } finally {
    hooks.deregister();
  }
}

/** Opens a pool, as the driver's own default export does. */
export const postgres = await loadMended();
