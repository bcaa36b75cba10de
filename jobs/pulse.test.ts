import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, afterEach, before, describe, test } from "node:test";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { type Pulse, writePulse } from "./pulse.ts";

type Gap = { reason: string; began: number; ended: number };

describe("up to when somebody watched", { timeout: 60_000 }, () => {
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
    const by = database.sql`${seconds} * interval '1 second'`;
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
    await pulse(one, sees);
    await later(1);
    await pulse(one, held(0, 4));
    assert.equal(await watchedAgo(), 4, "what failed first is not known any more");
    await later(3);
    await pulse(one, held(3, 7));
    assert.equal(await watchedAgo(), 7);
    await pulse(one, sees);
    assert.deepEqual(await gaps(), [{ reason: "own_fault", began: 7, ended: 0 }]);

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

  test("a clock that leaps ahead leaves a gap of its leap; one that is put back leaves none", async () => {
    await pulse(one, sees);
    await database.sql`UPDATE gameserver_watch SET watched_until = now() + interval '1 hour'`;
    await pulse(one, sees);
    assert.deepEqual([await gaps(), await watchedAgo()], [[], 0]);
  });
});
