/** A migrated database of its own for a test, copied from a template in a moment. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { connectDatabase, type Database } from "#db/client.ts";

/** `npm test` starts one server for all test files and tells it to them by this name. */
export const SHARED_SERVER = "SPAWNPOINT_TEST_POSTGRES";

export type TestDatabase = Omit<Database, "close"> & {
  /** For programs and pools of their own. */
  url: string;
  /** Cuts all connections and removes it. */
  drop(): Promise<void>;
};

let ownServer: Promise<string> | undefined;

/**
 * Makes an empty database with all tables. A test file that is run by hand gets a server of its own, which ends with
 * its process, however that ends.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  ownServer ??= process.env[SHARED_SERVER] ? Promise.resolve(process.env[SHARED_SERVER]) : startTestPostgres();
  const serverUrl = await ownServer;
  const name = `test_${randomBytes(8).toString("hex")}`;
  await onServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE migrated STRATEGY file_copy`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const { close, ...database } = connectDatabase({ databaseUrl: url.href }, { max: 5 });
  return {
    ...database,
    url: url.href,
    async drop() {
      await close();
      await onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const { sql, close } = connectDatabase({ databaseUrl: serverUrl }, { max: 1 });
  try {
    await sql.unsafe(statement);
  } finally {
    await close();
  }
}

/**
 * Starts the server that `createTestDatabase` copies its template on. It ends when its stdin does, so it cannot
 * outlive us; and it does not keep us from ending.
 */
export async function startTestPostgres(): Promise<string> {
  const program = fileURLToPath(new URL("./postgres-for-tests.ts", import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"], detached: true });
  const lines = createInterface({ input: child.stdout });
  const [url] = await Promise.race([
    once(lines, "line"),
    once(child, "exit").then(() => {
      throw new Error("the Postgres for tests did not start; its reason is above");
    }),
  ]);
  child.unref();
  for (const stream of [child.stdin, child.stdout]) if (stream instanceof Socket) stream.unref();
  return String(url);
}
