/** A connection that is cut ends no process, keeps nothing of what was under way on it, and opens again. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { startDatabaseWire, type Wire } from "#tests/faults/wire.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { connectDatabase, type Database } from "./client.ts";
import { isDatabaseAway } from "./database-away.ts";

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

const insert = (key: string) => sql`insert into rate_limits (limit_key, points, expires_at) values (${key}, 1, now())`;

/** Mends the wire, and waits until each connection of the pool has answered again. */
async function comeBack() {
  wire.mend();
  const until = performance.now() + 10_000;
  for (;;) {
    const answers = await Promise.allSettled(Array.from({ length: 4 }, () => database.sql`select pg_sleep(0.05)`));
    if (answers.every(({ status }) => status === "fulfilled")) return;
    assert.ok(performance.now() < until, "the database did not come back");
    await pause(50);
  }
}

const countKept = () => server.sql`select 1 from rate_limits`.then((rows) => rows.length);

test("cut while transactions wait for Postgres: each is told, and nothing of it is kept", async () => {
  const cut = Promise.allSettled(
    Array.from({ length: 8 }, (_, at) =>
      database.db.transaction(async (tx) => {
        await tx.execute(insert(`cut ${at}`));
        await tx.transaction((inner) => inner.execute(sql`select pg_sleep(5)`));
      }),
    ),
  );
  await pause(500);
  wire.cut();
  for (const { status } of await cut) assert.equal(status, "rejected");
  await comeBack();
  assert.equal(await countKept(), 0);
});

for (const [kind, begin] of [
  [
    "a transaction",
    (work: (run: () => Promise<unknown>) => Promise<void>) =>
      database.db.transaction((tx) => work(async () => tx.execute(insert("first")))),
  ],
  [
    "a transaction of the driver",
    (work: (run: () => Promise<unknown>) => Promise<void>) =>
      database.sql.begin((tx) => work(async () => tx`insert into rate_limits values ('first', 1, now())`)),
  ],
] as const)
  test(`cut while ${kind} waits for something else: what it does next is refused, also when the connection is open again`, async () => {
    const { promise: goOn, resolve: letGoOn } = Promise.withResolvers<void>();
    const { promise: begun, resolve: hasBegun } = Promise.withResolvers<void>();
    const { promise: later, resolve: wasTold } = Promise.withResolvers<PromiseSettledResult<unknown>[]>();
    const whole = begin(async (run) => {
      await run();
      hasBegun();
      await goOn;
      wasTold(await Promise.allSettled([run(), run()]));
      throw new Error("it gives up");
    }).then(
      () => "kept",
      () => "told",
    );
    await begun;
    wire.cut();
    await comeBack();
    letGoOn();
    assert.equal(await whole, "told");
    assert.deepEqual(
      (await later).map(({ status }) => status),
      ["rejected", "rejected"],
    );
    await comeBack();
    assert.equal(await countKept(), 0);
  });

test("cut while a transaction waits for something else, and it goes on at once: it is refused", async () => {
  const { promise: begun, resolve: hasBegun } = Promise.withResolvers<void>();
  const whole = database.db
    .transaction(async (tx) => {
      await tx.execute(insert("first"));
      hasBegun();
      while (wire.count() > 0) await pause(1);
      for (let again = 0; again < 20; again++) await tx.execute(insert("second")).catch(() => pause(1));
    })
    .then(
      () => "kept",
      () => "told",
    );
  await begun;
  wire.cut();
  assert.equal(await whole, "told");
  await comeBack();
  assert.equal(await countKept(), 0);
});

test("a connection that is checked out, cut: its statements are refused, and the pool replaces it", async () => {
  const held = await database.connect();
  await held.query({ text: "select 1" });
  wire.cut();
  await assert.rejects(held.query({ text: "select 1" }), isDatabaseAway);
  await assert.rejects(held.query({ text: "select $1" }, ["again"]), isDatabaseAway);
  held.release();
  await comeBack();
});

test("cut just as statements leave: each is done or refused, and no connection falls silent for good", async () => {
  for (let round = 0; round < 5; round++) {
    const outcomes: Promise<unknown>[] = [];
    wire.cutSome(1);
    // What is asked within the very turn of the event loop at whose end a connection closes waits to be written then.
    for (let turn = 0; turn < 30; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      outcomes.push(
        database.sql`select ${"short"}`.then(
          () => "done",
          (error) => isDatabaseAway(error) || error,
        ),
      );
    }
    for (const outcome of await Promise.all(outcomes))
      assert.ok(outcome === "done" || outcome === true, String(outcome));
    await comeBack();
  }
});
