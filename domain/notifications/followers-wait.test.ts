/** Somebody who follows the return of a game server has it asked more often. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { createUser } from "../accounts/users.ts";
import { waitForFollowed } from "./followers-wait.ts";
import { follow, unfollow } from "./follows.ts";
import { registerMailbox } from "./targets.ts";

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database?.drop());

/** A public game server that is down since a minute ago. */
async function makeServer(name: string): Promise<number> {
  const { sql } = database;
  const [row] = await sql<{ server_id: number }[]>`
    with game as (
      insert into games (game_name, game_acronym, game_slug, tagline, description)
      values (${name}, 'VH', ${name.toLowerCase()}, '{"en":""}', '{"en":""}') returning game_id)
    insert into gameserver (game_id, server_name, host, game_port, adapter, visibility)
    select game_id, ${name}, '127.0.0.1', 2456, 'a2s', 'public' from game returning server_id`;
  const id = row?.server_id ?? 0;
  await sql`update gameserver_live_metrics set status = 'offline', status_since = now() - interval '1 minute',
    last_asked_at = now() where server_id = ${id}`;
  return id;
}

test("a game server that is down is asked more often while somebody follows its return, and no longer", async () => {
  const id = await makeServer("Midgard");
  await makeServer("Asgard");
  const waits = async () => {
    await database.sql`delete from gameserver_wait`;
    await waitForFollowed({ db: database.db });
    return (await database.sql`select server_id from gameserver_wait`).map(({ server_id }) => server_id);
  };
  assert.deepEqual(await waits(), []);
  const email = "ada@example.org";
  const { id: user_id } = await createUser(database.db, {
    email,
    passwordHash: null,
    locale: "en",
    emailVerified: true,
  });
  const target = await registerMailbox(database.db, user_id, "en");
  assert.ok((await follow(database.db, target, { server_id: id, kind: "server_up" })).ok);
  assert.deepEqual(await waits(), [id]);
  await unfollow(database.db, { target_id: target }, "all");
  assert.deepEqual(await waits(), []);
});
