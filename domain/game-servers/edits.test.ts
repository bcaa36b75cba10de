import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { connectDatabase } from "#db/client.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { findGameServerToEdit, updateGameServer } from "./edits.ts";
import type { GameServerFields } from "./fields.ts";

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

test("a shorter interval is not kept waiting by a turn that the longer one planned; another change moves no turn", async (t) => {
  const { sql } = database;
  const opened = connectDatabase({ databaseUrl: database.url }, { max: 2, applicationName: "test" });
  t.after(() => opened.close());
  const { db } = opened;
  const [game] = await sql<{ game_id: number }[]>`
    INSERT INTO games (game_name, game_acronym, game_slug, tagline, description)
    VALUES ('Valheim', 'VH', 'valheim', '{"en":""}', '{"en":""}') RETURNING game_id`;
  const user_id = randomUUID();
  const actor = { user_id, origin: { ip: "192.0.2.1", user_agent: "test" } };
  await sql`
    INSERT INTO gameserver (game_id, server_name, adapter, host, game_port, poll_interval_s)
    VALUES (${game?.game_id ?? 0}, 'x', 'a2s', 'play.example.org', 2456, 600)`;
  const [server] = await sql<{ server_id: number }[]>`SELECT server_id FROM gameserver`;
  const id = server?.server_id ?? 0;
  await sql`UPDATE gameserver_live_metrics SET next_poll_at = now() + interval '500 seconds'`;
  const save = async (more: Partial<GameServerFields>) => {
    const found = await findGameServerToEdit(db, id);
    assert.ok(found);
    assert.ok((await updateGameServer(db, actor, id, found.revision, { ...found.form, ...more })).ok);
    const [live] = await sql<{ s: number }[]>`
      SELECT extract(epoch FROM next_poll_at - now())::float8 AS s FROM gameserver_live_metrics`;
    return live?.s ?? 0;
  };
  assert.ok((await save({ server_name: "another" })) > 400);
  assert.ok((await save({ poll_interval_s: 30 })) <= 0);
});
