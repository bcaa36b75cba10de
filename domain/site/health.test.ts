/** What the dashboard says of game servers in trouble. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connectDatabase, type Database } from "#db/client.ts";
import { createBed } from "#tests/helpers/test-bed.ts";
import { listTroubledServers } from "./health.ts";

let bed: Awaited<ReturnType<typeof createBed>>;
let database: Database;
before(async () => {
  bed = await createBed();
  database = connectDatabase({ databaseUrl: bed.url }, { max: 1, applicationName: "test" });
});
after(async () => {
  await database?.close();
  await bed?.end();
});

test("a server that was just added and didn't answer isn't stale", async () => {
  const id = await bed.addServer({ host: "127.0.0.1", game_port: 27015 });
  const set = (asked: string) => bed.sql`
    UPDATE gameserver_live_metrics SET status = 'degraded', failure = 'timeout', last_answered_at = NULL,
      last_asked_at = now() - ${asked}::interval WHERE server_id = ${id}`;
  const failures = async () => {
    const both = await Promise.all(
      (["trouble", "unfinished"] as const).map((kind) => listTroubledServers(database.db, 10, kind)),
    );
    return both.flatMap(({ rows }) => rows.map(({ failure }) => failure));
  };
  await set("1 second");
  assert.deepEqual(await failures(), ["timeout"]);
  await bed.sql`UPDATE gameserver_live_metrics SET last_answered_at = now() - interval '2 hours'`;
  await bed.sql`UPDATE gameserver_live_metrics SET last_asked_at = now() - interval '1 hour'`;
  assert.deepEqual(await failures(), ["stale"], "a server that was up and not polled for an hour is stale");
});
