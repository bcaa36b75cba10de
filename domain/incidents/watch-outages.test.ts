/** Which outages are one incident. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { watchOutages } from "./watch-outages.ts";

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
  await database.sql`
    insert into games (game_name, game_acronym, game_slug, tagline, description, published)
    values ('Valheim', 'VH', 'valheim', '{"en":""}', '{"en":""}', true)`;
});
after(() => database.drop());

/** A game server that is down for six minutes, and some seconds less. */
async function down(visibility: string, secondsLater: number): Promise<number> {
  const [made] = await database.sql<{ server_id: number }[]>`
    insert into gameserver (game_id, server_name, adapter, visibility, host, game_port)
    select game_id, 'x', 'a2s', ${visibility}, '192.0.2.1', 2456 from games returning server_id`;
  const id = made?.server_id ?? 0;
  await database.sql`
    insert into gameserver_live_metrics (server_id, status, status_since, last_asked_at)
    values (${id}, 'offline', now() - interval '6 minutes' + ${secondsLater} * interval '1 second', now())
    on conflict (server_id) do update set status = excluded.status, status_since = excluded.status_since,
      last_asked_at = excluded.last_asked_at`;
  return id;
}
const watch = () => database.db.transaction((tx) => watchOutages(tx, 30));
async function incidentOf(id: number): Promise<number | undefined> {
  const [row] = await database.sql<{ incident_id: number }[]>`
    select incident_id from incident_servers where server_id = ${id}`;
  return row?.incident_id;
}

test("what began together and is seen by the same people is one incident, whatever becomes of who sees it", async () => {
  const [one, two, members] = [await down("public", 0), await down("public", 1), await down("members", 2)];
  await watch();
  const incident = await incidentOf(one);
  assert.ok(incident);
  assert.equal(await incidentOf(two), incident);
  assert.notEqual(await incidentOf(members), incident);

  const three = await down("public", 3);
  await watch();
  assert.equal(await incidentOf(three), incident, "it is seen by the same people");

  // Visitors are shown the incident no more: what they may see of a later outage is another one.
  await database.sql`update gameserver set visibility = 'members' where server_id = ${two}`;
  const four = await down("public", 4);
  await watch();
  assert.ok(await incidentOf(four));
  assert.notEqual(await incidentOf(four), incident);
});
