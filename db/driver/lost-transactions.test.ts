/** A transaction whose connection is cut is told so, and the process goes on. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "drizzle-orm";
import { startDatabaseWire, type Wire } from "#tests/faults/wire.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { connectDatabase, type Database } from "../client.ts";

let server: TestDatabase;
let wire: Wire;
let database: Database;
before(async () => {
  server = await createTestDatabase();
  const near = await startDatabaseWire(server.url);
  wire = near.wire;
  database = connectDatabase({ databaseUrl: near.url }, { max: 4, impatient: true });
});
after(async () => {
  await database.close();
  await wire.close();
  await server.drop();
});

test("connections cut within transactions: each is told, nothing of it is kept, and the next ones succeed", async () => {
  const cut = Promise.allSettled(
    Array.from({ length: 8 }, (_, at) =>
      database.db.transaction(async (tx) => {
        await tx.execute(
          sql`insert into rate_limits (limit_key, points, expires_at) values (${`cut ${at}`}, 1, now())`,
        );
        await tx.transaction((inner) => inner.execute(sql`select pg_sleep(5)`));
      }),
    ),
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
  wire.cut();
  for (const { status } of await cut) assert.equal(status, "rejected");
  wire.mend();
  const until = performance.now() + 10_000;
  let kept: unknown = null;
  while (kept === null) {
    assert.ok(performance.now() < until, "the database did not come back");
    kept = await database.db.transaction((tx) => tx.$count(sql`rate_limits`)).catch(() => null);
  }
  assert.equal(kept, 0);
});
