/** What every statement may rely on, also after another one has failed. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { sql as text } from "drizzle-orm";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { connectDatabase, type Database } from "./client.ts";
import { fragment, raw } from "./sql.ts";

let server: TestDatabase;
let one: Database;
before(async () => {
  server = await createTestDatabase();
  one = connectDatabase({ databaseUrl: server.url }, { max: 1 });
});
after(async () => {
  await one.close();
  await server.drop();
});

const count = async () => (await server.sql`select 1 from rate_limits`).length;
const insert = (key: string) => text`insert into rate_limits (limit_key, points, expires_at) values (${key}, 1, now())`;

test("after an error in the middle of a result the next answer holds its own rows alone", async () => {
  const fails = "select 1/(x-3) as n from generate_series(1,5) x";
  await assert.rejects(one.sql.unsafe(fails), { code: "22012" });
  assert.deepEqual(await one.sql`select 7 as n`, [{ n: 7 }]);
  await assert.rejects(one.db.execute(text.raw(fails)));
  const { rows } = await one.db.execute(text`select 8 as n`);
  assert.deepEqual(rows, [{ n: 8 }]);
  const connection = await one.connect();
  await assert.rejects(connection.query({ text: fails }));
  assert.deepEqual((await connection.query({ text: "select 9 as n" })).rows, [{ n: 9 }]);
  connection.release();
});

test("a statement that comes after the end of its transaction is refused", async () => {
  const isOver = (error: Error) => /the transaction is over/.test(String(error.cause ?? error));
  /** The work fails while it still has a statement to send: once during the ROLLBACK, once after it. */
  const end = async (begin: (work: (send: () => unknown) => Promise<never>) => Promise<unknown>) => {
    const late: Promise<unknown>[] = [];
    let again: () => unknown = () => {};
    await assert.rejects(
      begin((send) => {
        again = () => late.push(assert.rejects(async () => send(), isOver));
        setImmediate(again);
        return Promise.reject(new Error("taken back"));
      }),
      /taken back/,
    );
    again();
    await Promise.all(late);
    assert.equal(late.length, 2);
  };
  await end((work) => one.db.transaction((tx) => work(() => tx.execute(insert("late")))));
  await end((work) => one.sql.begin((tx) => work(() => tx`insert into rate_limits values ('late', 1, now())`)));
  assert.equal(await count(), 0);
});

test("a slow statement is waited for while Postgres has no connection free for the question whether it lives", async () => {
  const role = `lone_${randomUUID().replaceAll("-", "")}`;
  await server.sql.unsafe(`create role ${role} login connection limit 1 password 'lone'`);
  const address = new URL(server.url);
  [address.username, address.password] = [role, "lone"];
  const lone = connectDatabase({ databaseUrl: String(address) }, { max: 1, impatient: true });
  try {
    assert.deepEqual(await lone.sql`select 1 as n from pg_sleep(4)`, [{ n: 1 }]);
  } finally {
    await lone.close();
    await server.sql.unsafe(`drop role ${role}`);
  }
});

test("a transaction that passes over a failed statement rejects, since nothing was kept", async () => {
  const lost = /nothing of the transaction was kept/;
  await assert.rejects(
    one.db.transaction(async (tx) => {
      await tx.execute(insert("kept?"));
      await tx.execute(text`select no_such_column`).catch(() => {});
    }),
    (error: Error) => lost.test(String(error.cause ?? error)),
  );
  await assert.rejects(
    one.sql.begin(async (tx) => {
      await tx`insert into rate_limits values ('kept?', 1, now())`;
      await tx`select no_such_column`.catch(() => {});
    }),
    lost,
  );
  assert.equal(await count(), 0);
});

test("a transaction whose work fails keeps nothing and rejects with its error; a savepoint keeps the rest", async () => {
  for (const begin of [one.db.transaction.bind(one.db), one.sql.begin] as ((
    work: () => Promise<never>,
  ) => Promise<unknown>)[])
    await assert.rejects(
      begin(() => Promise.reject(new Error("taken back"))),
      /^Error: taken back$/,
    );
  await one.db.transaction(async (tx) => {
    await tx.execute(insert("outer"));
    await tx.transaction((inner) => inner.execute(text`select no_such_column`)).catch(() => {});
  });
  assert.equal(await count(), 1);
});

test("values go in and come out as they are meant", async () => {
  const { sql } = server;
  const [row] =
    await sql`select ${[3, 1]}::int[] as list, ${null}::text as none, ${{ a: "ä'" }}::jsonb as object, ${true}::boolean as yes,
    '2026-11-24T12:00:00Z'::timestamptz as at, 12345678901234::bigint as big, ${Buffer.from([0, 255])}::bytea as bytes`;
  assert.deepEqual(
    { ...row, at: Date.parse(row?.at) },
    {
      list: [3, 1],
      none: null,
      object: { a: "ä'" },
      yes: true,
      at: Date.UTC(2026, 10, 24, 12),
      big: "12345678901234",
      bytes: Buffer.from([0, 255]),
    },
  );
  const part = fragment`${raw("limit_key")} = ${"a"} or ${fragment`limit_key = ${"b"}`}`;
  assert.deepEqual(await sql`select 1 from rate_limits where ${part} or limit_key = ${"c"}`, []);
  await assert.rejects(async () => sql`select ${undefined}`, TypeError);
  await assert.rejects(async () => sql`select ${Promise.resolve(1)}`, TypeError);
});
