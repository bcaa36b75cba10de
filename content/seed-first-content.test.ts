import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { eq } from "drizzle-orm";
import { games, gameserver, gameserverLiveMetrics } from "#db/schema/index.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { FIRST_GAMES, seedFirstContent } from "./first-content.ts";

let database: TestDatabase;

before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

it("fills an empty site once, also when two processes start at the same time", async () => {
  const { db } = database;
  await Promise.all([seedFirstContent(db), seedFirstContent(db), seedFirstContent(db)]);
  const slugs = await db.select({ slug: games.game_slug }).from(games).orderBy(games.sort_order);
  assert.deepEqual(
    slugs.map(({ slug }) => slug),
    FIRST_GAMES.map(({ game }) => game.game_slug),
  );
  const servers = FIRST_GAMES.flatMap((first) => first.servers).length;
  assert.equal(await db.$count(gameserver), servers);
  assert.equal(await db.$count(gameserverLiveMetrics), servers);
});

it("shows no game server that has no address, but for the retired one", async () => {
  const rows = await database.db.select().from(gameserver);
  for (const row of rows) {
    assert.equal(row.host, null);
    assert.equal(row.demo, false);
    assert.equal(row.visibility, row.lifecycle === "retired" ? "public" : "hidden", row.server_name);
  }
  assert.deepEqual(
    rows.filter((row) => row.visibility === "public").map((row) => row.server_name),
    ["ARK: Survival Evolved"],
  );
});

it("does not bring back what an admin removed", async () => {
  const { db } = database;
  const [tera] = await db.select().from(games).where(eq(games.game_slug, "tera"));
  assert.ok(tera);
  await db.delete(gameserver).where(eq(gameserver.game_id, tera.game_id));
  await db.delete(games).where(eq(games.game_id, tera.game_id));
  await seedFirstContent(db);
  assert.equal(await db.$count(games), FIRST_GAMES.length - 1);
});
