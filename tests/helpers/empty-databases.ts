/** Databases without tables, beside the one of a test file, for tests of what makes or changes tables. */
import { randomBytes } from "node:crypto";
import { connectDatabase, type Database } from "#db/client.ts";
import type { TestDatabase } from "./database.ts";

export type EmptyDatabase = Database & { url: string };

/** Creates empty databases on the server of `server`; `drop` closes and drops all of them. @param max connections of each */
export function createEmptyDatabases(server: TestDatabase, max: number) {
  const open: { name: string; database: Database }[] = [];
  return {
    async create(): Promise<EmptyDatabase> {
      const name = `test_${randomBytes(8).toString("hex")}`;
      await server.sql.unsafe(`CREATE DATABASE ${name} TEMPLATE template0`);
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      const database = connectDatabase({ databaseUrl: url.href }, { max });
      open.push({ name, database });
      return { ...database, url: url.href };
    },
    async drop(): Promise<void> {
      for (const { name, database } of open) {
        await database.close();
        await server.sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
      }
    },
  };
}
