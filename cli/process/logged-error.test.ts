/** What the log says of statements that failed: everything but the values that they were given. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DrizzleQueryError, sql } from "drizzle-orm";
import { DatabaseUnavailableError } from "#db/database-away.ts";
import { apiKeys, users } from "#db/schema/index.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { createLog } from "./log.ts";

const SECRET = "recognisable-7f3a";
let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

/** The lines that are logged meanwhile. */
async function linesOf(t: { mock: { method: typeof import("node:test").mock.method } }, write: () => void) {
  const lines: string[] = [];
  const spied = t.mock.method(process.stderr, "write", (line: string) => {
    lines.push(line);
    return true;
  });
  write();
  spied.mock.restore();
  return lines;
}

test("a failed statement is logged without its values, however it is logged", async (t) => {
  const { db } = database;
  const row = { email: `${SECRET}@example.org`, name: "", emailVerified: true };
  await db.insert(users).values(row);
  const fail = (work: PromiseLike<unknown>) =>
    Promise.resolve(work).then(
      () => assert.fail("it did not fail"),
      (error: unknown) => error as Error,
    );
  const failures = [
    // Its detail quotes the key.
    await fail(db.insert(users).values(row)),
    // Its detail quotes the row.
    await fail(db.insert(apiKeys).values({ note: SECRET } as never)),
    // Its message quotes the value.
    await fail(db.execute(sql`select ${SECRET}::int`)),
    await fail(db.execute(sql`select ${`two\nlines of ${SECRET}`}::uuid`)),
    await fail(database.sql`select ${SECRET}::text::int`),
    await fail(database.sql.unsafe("select $1::int", [SECRET])),
  ];
  const log = createLog({ logLevel: "debug" }, "test");
  for (const failure of failures) {
    assert.match(
      JSON.stringify([failure.message, failure.cause, Object.entries(failure)]),
      new RegExp(SECRET),
      "the test itself",
    );
    const wrapped = new Error("it went wrong", { cause: failure });
    const lines = await linesOf(t, () => {
      log.error({ err: failure }, "a request failed");
      log.error({ err: failure });
      log.error(failure);
      log.error(failure, "in words");
      log.warn({ rest: [failure, "and more"], error: failure }, "accounts");
      log.error({ err: new AggregateError([failure, wrapped], "both") }, "two at once");
      log.error({ err: wrapped }, "another way");
      log.child({ part: 1 }).error({ err: failure }, "of a child");
    });
    assert.equal(lines.length, 8);
    for (const line of lines) {
      assert.doesNotMatch(line, new RegExp(SECRET));
      // What is needed to find the fault is there.
      assert.match(line, /[Ee]rror: .*\\n {4}at \S/);
    }
    assert.match(lines[0] ?? "", /"code":"\d{2}|caused by/i);
  }
  const [line = ""] = await linesOf(t, () => log.error({ err: failures[0] }, "a request failed"));
  const { msg, err } = JSON.parse(line);
  assert.equal(msg, "a request failed");
  assert.match(
    err.message,
    /^Failed query: insert into "users" .*duplicate key value violates unique constraint "users_email/s,
  );
});

test("what is no failed statement is logged as it is", async (t) => {
  const log = createLog({ logLevel: "debug" }, "test");
  const [line = "", plain = ""] = await linesOf(t, () => {
    log.info(
      { file: 'a: "b"', err: Object.assign(new Error('no such file: "x"'), { code: "ENOENT" }) },
      "words %s",
      "here",
    );
    log.info("only words");
  });
  const entry = JSON.parse(line);
  assert.deepEqual(
    [entry.msg, entry.file, entry.err.message, entry.err.code, entry.err.type],
    ["words here", 'a: "b"', 'no such file: "x"', "ENOENT", "Error"],
  );
  assert.equal(JSON.parse(plain).msg, "only words");
});

test("of a database that is away the log says so in one short line, without the statement that met it", async (t) => {
  const { sql: driver } = database;
  const statement = `insert into contacts (name) values ('${SECRET}')`;
  const silent = new DatabaseUnavailableError("CONNECTION_SILENT", "Postgres does not answer");
  const met = new DrizzleQueryError(statement, [SECRET], silent);
  const log = createLog({ logLevel: "debug" }, "test");
  const [line = "", ...more] = await linesOf(t, () => {
    log.error({ err: met }, "a contact message could not be stored");
    log.warn(new Error("nothing could be counted", { cause: met }));
  });
  assert.match(line, /a contact message could not be stored/);
  assert.match(line, /"code":"CONNECTION_SILENT","message":"Postgres does not answer"/);
  assert.match(more.join(), /nothing could be counted: Postgres does not answer/);
  for (const each of [line, ...more]) {
    assert.doesNotMatch(each, /insert into|"stack"|recognisable/);
    assert.ok(each.length < 400, each);
  }
  // Which statement takes too long is what the operator wants to know.
  const slow = await driver
    .begin(async (tx) => {
      await tx`set local statement_timeout = 1`;
      await tx`select pg_sleep(1)`;
    })
    .catch((error: unknown) => new DrizzleQueryError("select pg_sleep(1)", [], error as Error));
  const [named = ""] = await linesOf(t, () => log.error({ err: slow }, "slow"));
  assert.match(named, /pg_sleep/);
});
