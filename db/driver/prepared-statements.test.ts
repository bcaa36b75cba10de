/** What Postgres itself says it has prepared, asked on the one connection of a pool. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eq, inArray, sql } from "drizzle-orm";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { connectDatabase, type Database } from "../client.ts";
import { games } from "../schema/index.ts";
import { MOST_PREPARED } from "./prepared-statements.ts";

let database: TestDatabase;
let one: Database;
before(async () => {
  database = await createTestDatabase();
  one = connectDatabase({ databaseUrl: database.url }, { max: 1 });
});
after(async () => {
  await one.close();
  await database.drop();
});

const prepared = async (like: string) => {
  const rows = await one.sql.unsafe<{ statement: string }[]>("select statement from pg_prepared_statements");
  return rows.filter(({ statement }) => statement.includes(like)).length;
};

test("a statement is prepared from its second time on, within transactions too, and gives the same rows", async () => {
  await database.sql`insert into games (game_name, game_acronym, game_slug, tagline, description)
    values ('Aion', 'A', 'aion', '{"en":""}', '{"en":""}')`;
  const find = (db: Pick<Database["db"], "select">) =>
    db.select({ name: games.game_name }).from(games).where(eq(games.game_slug, "aion"));
  for (let time = 0; time < 2; time += 1) {
    assert.equal(await prepared('"game_slug" = $1'), 0);
    assert.deepEqual(await find(one.db), [{ name: "Aion" }]);
  }
  assert.equal(await prepared('"game_slug" = $1'), 1);
  await one.db.transaction(async (tx) => {
    for (let time = 0; time < 2; time += 1) {
      await tx.execute(sql`select ${time}::int as within`);
      await tx.transaction((inner) => inner.execute(sql`select ${time}::int as further_within`));
    }
  });
  assert.equal(await prepared("as within"), 1);
  assert.equal(await prepared("as further_within"), 1);
  await assert.rejects(
    one.db.transaction((tx) => tx.execute(sql`select 1 / ${0}::int`)),
    /Failed query/,
  );
  assert.deepEqual(await find(one.db), [{ name: "Aion" }]);
});

test("lists of ever other lengths do not fill Postgres' memory", async () => {
  for (let length = 1; length <= MOST_PREPARED + 50; length += 1) {
    const ids = Array.from({ length }, (_, id) => id);
    for (let time = 0; time < 2; time += 1) await one.db.select().from(games).where(inArray(games.game_id, ids));
  }
  const all = await prepared('"game_id" in (');
  assert.ok(all > 300 && all <= MOST_PREPARED, String(all));
});
