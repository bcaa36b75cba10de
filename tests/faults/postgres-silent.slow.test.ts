import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "drizzle-orm";
import { connectDatabase } from "#db/client.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { createDoor } from "#tests/helpers/test-bed.ts";

let testDb: TestDatabase;
before(async () => {
  testDb = await createTestDatabase();
});
after(() => testDb.drop());

const took = async (work: Promise<unknown>) => {
  const began = performance.now();
  await work;
  return performance.now() - began;
};
const isSilent = (error: unknown) =>
  error instanceof Error &&
  /SILENT/.test(
    String((error as { code?: string; cause?: { code?: string } }).cause?.code ?? (error as { code?: string }).code),
  );

test("what waits for a silent Postgres is given up, the next at once, and it is asked again when it speaks", async () => {
  const door = await createDoor(testDb.url);
  const { db, close } = connectDatabase({ databaseUrl: door.url }, { impatient: true });
  await db.execute(sql`select 1`);
  door.pause();
  const givenUp = await took(
    Promise.all([
      assert.rejects(db.execute(sql`select 1`), isSilent),
      assert.rejects(
        db.transaction((tx) => tx.execute(sql`select 1`)),
        isSilent,
      ),
    ]),
  );
  assert.ok(givenUp > 1_500, `given up after ${givenUp} ms already`);
  const next = await took(assert.rejects(db.execute(sql`select 1`), isSilent));
  assert.ok(next < givenUp / 2, `the next was refused after ${next} ms`);
  door.heal();
  const until = performance.now() + 5_000;
  for (;;) {
    const answered = await db.execute(sql`select 1`).catch(() => null);
    if (answered) break;
    assert.ok(performance.now() < until, "it is not asked again");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await close();
  await door.close();
});

test("a slow statement of a living Postgres is waited for, its error and its rows come as they are", async () => {
  const { db, close } = connectDatabase({ databaseUrl: testDb.url }, { impatient: true });
  const {
    rows: [row],
  } = await db.execute(sql`select pg_sleep(3), 7 as seven`);
  assert.equal(row?.seven, 7);
  await assert.rejects(db.execute(sql`select no_such_column`), /no_such_column/);
  await assert.rejects(
    db.transaction(async () => {
      throw new Error("taken back");
    }),
    /taken back/,
  );
  await close();
});
