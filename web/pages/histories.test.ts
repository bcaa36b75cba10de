import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { after, before, test } from "node:test";
import { connectDatabase } from "#db/client.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { createHistories } from "./histories.ts";

let database: TestDatabase;
let serverId: number;
before(async () => {
  database = await createTestDatabase();
  await database.sql`INSERT INTO games (game_name, game_acronym, game_slug, tagline, description)
    VALUES ('Valheim', 'VH', 'valheim', '{"en":""}', '{"en":""}')`;
  const [row] = await database.sql<{ server_id: number }[]>`
    INSERT INTO gameserver (game_id, server_name, adapter) SELECT game_id, 'x', 'a2s' FROM games RETURNING server_id`;
  serverId = row?.server_id ?? 0;
});
after(() => database.drop());

/** Longer than any machine takes. */
const PATIENT_MS = 60_000;

test("a database that hangs costs a page its history, not the page", async () => {
  const mute = createServer(() => {});
  mute.listen(0, "127.0.0.1");
  await once(mute, "listening");
  const address = mute.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const hanging = connectDatabase({ databaseUrl: `postgres://x@127.0.0.1:${port}/x` }, { max: 1 });
  assert.equal(await createHistories(hanging.db, 400).findSummary(serverId), null);
  mute.close();
  await hanging.close(0);
});

test("a database that fails: no summary, the chart says so, and the next one asks again", async () => {
  const histories = createHistories(database.db, PATIENT_MS);
  await database.sql`ALTER TABLE gameserver_rollup_5m RENAME TO away`;
  assert.equal(await histories.findSummary(serverId), null);
  await assert.rejects(histories.chart(serverId, "24h"));
  await database.sql`ALTER TABLE away RENAME TO gameserver_rollup_5m`;
  assert.equal((await histories.findSummary(serverId))?.last_at, null);
  assert.deepEqual(JSON.parse((await histories.chart(serverId, "24h")).body).at, []);
});

test("what was read stands for a minute: the same bytes, the same ETag", async () => {
  const histories = createHistories(database.db, PATIENT_MS);
  const first = await histories.chart(serverId, "24h");
  await database.sql`INSERT INTO gameserver_rollup_5m
    VALUES (${serverId}, date_bin('5 minutes', now(), 'epoch') - interval '5 minutes', 1, 1, 1, 1, 1, 300, 0)`;
  assert.equal(await histories.chart(serverId, "24h"), first);
  const fresh = await createHistories(database.db, PATIENT_MS).chart(serverId, "24h");
  assert.equal(JSON.parse(fresh.body).at.length, 1);
  assert.notEqual(fresh.etag, first.etag);
});
