import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, afterEach, before, describe, test } from "node:test";
import { connectDatabase } from "#db/client.ts";
import { fragment } from "#db/sql.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { type Pulse, writePulse } from "./pulse.ts";

type Gap = { reason: string; began: number; ended: number };

describe("up to when somebody watched", () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.sql`TRUNCATE collector_process, gameserver_watch, gameserver_watch_gap`);
  after(() => database.drop());

  const [one, other] = [randomUUID(), randomUUID()];
  const sees: Pulse = { inFlight: 0, delayedForMs: null, faultForMs: null };
  const held = (seconds: number, fault = seconds): Pulse => ({
    inFlight: 0,
    delayedForMs: seconds * 1000,
    faultForMs: fault * 1000,
  });
  const pulse = (id: string, what: Pulse) => writePulse(database.sql, id, what);
  /** As if so many seconds had gone by since all that was written. */
  const later = async (seconds: number) => {
    const by = fragment`${seconds} * interval '1 second'`;
    await database.sql`UPDATE gameserver_watch SET watched_until = watched_until - ${by}`;
    await database.sql`UPDATE gameserver_watch_gap SET starts_at = starts_at - ${by}, ends_at = ends_at - ${by}`;
    await database.sql`UPDATE collector_process SET last_tick_at = last_tick_at - ${by}, delayed_since = delayed_since - ${by}`;
  };
  /** In whole seconds before now. */
  const gaps = async () => [
    ...(await database.sql<Gap[]>`SELECT reason, round(extract(epoch FROM now() - starts_at))::int AS began,
      round(extract(epoch FROM now() - ends_at))::int AS ended FROM gameserver_watch_gap ORDER BY starts_at`),
  ];
  const watchedAgo = async () => {
    const [row] = await database.sql<{ ago: number }[]>`
      SELECT round(extract(epoch FROM now() - watched_until))::int AS ago FROM gameserver_watch`;
    return row?.ago;
  };

  test("a collector that dies leaves a gap to the next that comes; a short restart, and the first of all, none", async () => {
    await pulse(one, sees);
    assert.deepEqual([await gaps(), await watchedAgo()], [[], 0]);
    await later(5);
    await pulse(other, sees);
    assert.deepEqual(await gaps(), []);
    await later(3_600);
    assert.equal(await watchedAgo(), 3_600, "known up to there, while nobody runs");
    await pulse(one, sees);
    assert.deepEqual(await gaps(), [{ reason: "not_watched", began: 3_600, ended: 0 }]);
    await pulse(one, sees);
    assert.equal((await gaps()).length, 1);
  });

  test("a fault of ours, however short, is a gap from its first failure on; a crash in the middle of it loses nothing", async () => {
    const began = Date.now();
    /** On a slow machine some of the test's own time is added. */
    const isAgo = (actual = -1, seconds = 0, why = `${actual} s`) =>
      assert.ok(actual >= seconds && actual <= seconds + 1 + (Date.now() - began) / 1000, why);
    await pulse(one, sees);
    await later(1);
    await pulse(one, held(0, 4));
    isAgo(await watchedAgo(), 4, "what failed first is not known any more");
    await later(3);
    await pulse(one, held(3, 7));
    isAgo(await watchedAgo(), 7);
    await pulse(one, sees);
    const [{ began: since = 0, ...gap } = {}] = await gaps();
    assert.deepEqual(gap, { reason: "own_fault", ended: 0 });
    isAgo(since, 7);

    await later(100);
    await pulse(one, sees);
    await pulse(one, held(0));
    await later(30);
    await pulse(one, held(30));
    // It was killed; another one starts a minute later.
    await later(60);
    await pulse(other, sees);
    assert.deepEqual((await gaps()).at(-1), { reason: "not_watched", began: 90, ended: 0 });
  });

  test("what one collector holds back and another sees is no gap; what all hold back is one", async () => {
    await pulse(one, sees);
    await pulse(other, sees);
    await pulse(one, held(0, 5));
    assert.equal(await watchedAgo(), 0);
    await later(8);
    await pulse(other, sees);
    await pulse(one, sees);
    assert.deepEqual(await gaps(), []);

    await pulse(one, held(0, 2));
    await pulse(other, held(0, 3));
    await later(20);
    await Promise.all([pulse(one, held(20, 22)), pulse(other, held(20, 23))]);
    assert.equal(await watchedAgo(), 23);
    await Promise.all([pulse(one, sees), pulse(other, sees)]);
    assert.deepEqual(await gaps(), [{ reason: "own_fault", began: 23, ended: 0 }]);
  });

  test("a clock that leaps ahead leaves a gap of its leap, and one that is put back takes it away", async (context) => {
    // Statements that say `now()` find this one first.
    const { sql, url, drop } = await createTestDatabase();
    await sql`CREATE TABLE clock (ahead interval NOT NULL)`;
    await sql`INSERT INTO clock VALUES ('0')`;
    await sql`CREATE FUNCTION public.now() RETURNS timestamptz STABLE LANGUAGE sql AS
      'SELECT pg_catalog.now() + (SELECT ahead FROM public.clock)'`;
    await sql`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database()); END $$`;
    const client = connectDatabase({ databaseUrl: url }, { max: 1 });
    context.after(async () => {
      await client.close();
      await drop();
    });
    const setClock = (ahead: string) => sql`UPDATE clock SET ahead = ${ahead}::interval`;
    const beat = () => writePulse(client.sql, one, sees);
    /** Minutes of all gaps that are over, which lie in the past, and in the future, of this clock. */
    const minutes = async () => {
      const [row] = await client.sql<{ past: number; future: number }[]>`
        SELECT round(coalesce(sum(extract(epoch FROM least(ends_at, now()) - least(starts_at, now()))), 0) / 60)::int AS past,
          round(coalesce(sum(extract(epoch FROM greatest(ends_at, now()) - greatest(starts_at, now()))), 0) / 60)::int AS future
        FROM gameserver_watch_gap WHERE ends_at IS NOT NULL`;
      return row;
    };
    const [server] = await sql<{ server_id: number }[]>`
      WITH game AS (INSERT INTO games (game_name, game_acronym, game_slug, tagline, description)
        VALUES ('Game', 'G', 'game', '{"en":""}', '{"en":""}') RETURNING game_id)
      INSERT INTO gameserver (game_id, server_name, adapter) SELECT game_id, 'One', 'a2s' FROM game RETURNING server_id`;
    const serverId = server?.server_id ?? 0;
    const change = (to: string) => client.sql`
      INSERT INTO gameserver_status_event (server_id, from_status, to_status, changed_at, first_failed_at)
      VALUES (${serverId}, 'online', ${to}, now(), now())`;

    await beat();
    await setClock("1 hour");
    await beat();
    assert.deepEqual(await minutes(), { past: 60, future: 0 });
    await change("offline");
    await client.sql`INSERT INTO gameserver_watch_gap (server_id, starts_at, reason) VALUES (${serverId}, now(), 'maintenance')`;
    await client.sql`INSERT INTO gameserver_watch_gap (server_id, starts_at, ends_at, reason)
      VALUES (${serverId}, now() - interval '50 minutes', now() - interval '1 minute', 'own_fault')`;

    await setClock("0");
    await beat();
    assert.deepEqual(await minutes(), { past: 0, future: 0 }, "the hour that never was");
    const [open] = await client.sql<{ began: boolean }[]>`
      SELECT starts_at <= now() AS began FROM gameserver_watch_gap WHERE ends_at IS NULL`;
    assert.deepEqual(open, { began: true }, "a maintenance that goes on does so from now");
    await change("online");
    const changes = await client.sql<{ to_status: string; lies_ahead: boolean }[]>`
      SELECT to_status, greatest(changed_at, first_failed_at) > now() AS lies_ahead
      FROM gameserver_status_event ORDER BY changed_at, event_id`;
    assert.deepEqual(
      changes.map((row) => ({ ...row })),
      [
        { to_status: "offline", lies_ahead: false },
        { to_status: "online", lies_ahead: false },
      ],
      "changes keep their order",
    );

    await setClock("-1 hour");
    await beat();
    await setClock("0");
    await beat();
    assert.deepEqual(await minutes(), { past: 60, future: 0 }, "back, and forward again");
  });
});
