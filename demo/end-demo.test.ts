import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { eq, getTableColumns } from "drizzle-orm";
import {
  games,
  gameserver,
  gameserverLiveMetrics,
  gameserverSample,
  gameserverStatusEvent,
  incidents,
  news,
  notificationEvents,
  plans,
} from "#db/schema/index.ts";
import { seedDemoContent } from "#demo/demo-content.ts";
import { seedDemoTellings } from "#demo/demo-tellings.ts";
import { tellDueNews } from "#jobs/news.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { endDemo } from "./end-demo.ts";
import { insertDemoOnly, listFleetRows, writeFleetAddresses } from "./fleet-rows.ts";

let database: TestDatabase;

before(async () => {
  database = await createTestDatabase();
  await database.sql`create table sample_any_day partition of gameserver_sample default`;
  await seedDemoContent(database.db);
});
after(() => database.drop());

function listGameServers() {
  const { updated_at: _, ...columns } = getTableColumns(gameserver);
  return database.db.select(columns).from(gameserver).orderBy(gameserver.server_id);
}

/** What a demo leaves in the database, without the demo: addresses, tokens, figures, history. */
async function pretend(): Promise<number[]> {
  const { db } = database;
  await insertDemoOnly(db);
  const rows = await listFleetRows(db);
  await writeFleetAddresses(
    db,
    rows.map(({ server_id }) => ({
      server_id,
      game_port: 40_000,
      query_port: 40_001,
      heartbeat_token_hash: String(server_id),
      links: [{ name: "launcher", label: { en: "The launcher" }, url: "/demo/launcher" }],
    })),
  );
  const now = new Date();
  for (const { server_id } of rows) {
    await db.insert(gameserverSample).values({ server_id, asked_at: now, status: "online", user_online: 7 });
    await db
      .insert(gameserverStatusEvent)
      .values({ server_id, from_status: "unknown", to_status: "online", changed_at: now });
  }
  await db
    .update(gameserverLiveMetrics)
    .set({ status: "online", user_online: 7, user_peak: 9, user_peak_at: now, heartbeat_at: now, last_asked_at: now });
  return rows.map((row) => row.server_id);
}

it("leaves nothing pretend behind, and the shipped game servers as they were", async () => {
  const { db } = database;
  const before = await listGameServers();
  await endDemo(db);
  assert.deepEqual(await listGameServers(), before, "nothing to end");
  assert.equal(await db.$count(games, eq(games.published, true)), 8);
  // Somebody has made this one their own.
  await db
    .update(games)
    .set({ game_acronym: "MINE", updated_at: new Date(Date.now() + 1000) })
    .where(eq(games.game_slug, "valheim"));

  assert.equal((await pretend()).length, 13);
  assert.equal(await db.$count(gameserver, eq(gameserver.visibility, "public")), 14);
  await endDemo(db);

  assert.deepEqual(await listGameServers(), before);
  const published = await db.select({ slug: games.game_slug }).from(games).where(eq(games.published, true));
  assert.deepEqual(published, [{ slug: "valheim" }], "a game that nobody has chosen is not public");
  assert.equal(await db.$count(gameserverSample), 0);
  assert.equal(await db.$count(gameserverStatusEvent), 0);
  const [ark] = before.filter((row) => row.lifecycle === "retired");
  for (const row of await db.select().from(gameserverLiveMetrics)) {
    // Not the demo's, so not its business.
    if (row.server_id === ark?.server_id) continue;
    const { server_id: _, next_poll_at: __, status, failures_in_row, ...figures } = row;
    assert.equal(status, "unknown");
    assert.equal(failures_in_row, 0);
    assert.ok(
      Object.values(figures).every((figure) => figure === null),
      JSON.stringify(row),
    );
  }
  await endDemo(db);
  assert.deepEqual(await listGameServers(), before, "done twice");
});

it("takes the demo's news, plan and incident, of which nobody was told, and leaves what an admin has made their own", async () => {
  const { db } = database;
  await seedDemoTellings(db);
  await tellDueNews({ db });
  const counts = async () => [await db.$count(news), await db.$count(plans), await db.$count(incidents)];
  assert.deepEqual(await counts(), [3, 1, 1]);
  assert.equal(await db.$count(notificationEvents), 0);
  const [rules] = await db.select().from(news).where(eq(news.scope, "site"));
  assert.ok(rules);
  const title = { ...rules.title, en: "Our own rules" };
  await db.update(news).set({ title }).where(eq(news.news_id, rules.news_id));
  const text = { en: "Bring stone." };
  await db.update(news).set({ text, updated_at: new Date() }).where(eq(news.slug, "build-night-in-the-longhall"));
  await pretend();
  await endDemo(db);
  assert.deepEqual(await counts(), [2, 0, 0]);
});

it("leaves the address of a game server that an admin has moved, and takes its pretend figures", async () => {
  const { db } = database;
  const [moved] = await pretend();
  assert.ok(moved);
  await db.update(gameserver).set({ host: "play.example.org", game_port: 2106 }).where(eq(gameserver.server_id, moved));
  await endDemo(db);
  const [row] = await db.select().from(gameserver).where(eq(gameserver.server_id, moved));
  assert.equal(row?.host, "play.example.org");
  assert.equal(row?.game_port, 2106);
  assert.equal(row?.visibility, "public");
  assert.equal(row?.demo, false);
  const [live] = await db.select().from(gameserverLiveMetrics).where(eq(gameserverLiveMetrics.server_id, moved));
  assert.equal(live?.user_peak, null);
});
