import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { eq } from "drizzle-orm";
import { FIRST_GAMES } from "#content/first-games.ts";
import { games, gameserver, gameserverLiveMetrics } from "#db/schema/index.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { seedDemoContent } from "./demo-content.ts";
import { FIRST_GAME_SERVERS } from "./first-game-servers.ts";

let database: TestDatabase;

before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

it("fills an empty site once, also when two processes start at the same time", async () => {
  const { db } = database;
  await Promise.all([seedDemoContent(db), seedDemoContent(db), seedDemoContent(db)]);
  const slugs = await db.select({ slug: games.game_slug }).from(games).orderBy(games.sort_order);
  assert.deepEqual(
    slugs.map(({ slug }) => slug),
    FIRST_GAMES.map((game) => game.game_slug),
  );
  assert.equal(await db.$count(gameserver), FIRST_GAME_SERVERS.length);
  assert.equal(await db.$count(gameserverLiveMetrics), FIRST_GAME_SERVERS.length);
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

it("has game servers with the ports of the specification, and with join links of Steam alone", () => {
  const ports = (slug: string) =>
    FIRST_GAME_SERVERS.filter(({ game_slug }) => game_slug === slug).map(({ game_port }) => game_port);
  assert.equal(ports("valheim")[0], 2456);
  assert.deepEqual(ports("projectzomboid"), [16261]);
  assert.deepEqual(ports("minecraft"), [25567]);
  assert.deepEqual(ports("skyrimtogheter"), [10578, 10579]);
  for (const { game_slug } of FIRST_GAMES) assert.ok(ports(game_slug).length > 0, game_slug);
  for (const { server_name, description, join_link } of FIRST_GAME_SERVERS) {
    assert.ok(description?.en && description.de, server_name);
    if (join_link) assert.match(join_link, /^steam:\/\/[^{}]*\{host\}:\{port\}$/);
  }
});

it("does not bring back what an admin removed", async () => {
  const { db } = database;
  const [tera] = await db.select().from(games).where(eq(games.game_slug, "tera"));
  assert.ok(tera);
  await db.delete(gameserver).where(eq(gameserver.game_id, tera.game_id));
  await db.delete(games).where(eq(games.game_id, tera.game_id));
  await seedDemoContent(db);
  assert.equal(await db.$count(games), FIRST_GAMES.length - 1);
});
