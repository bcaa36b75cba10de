import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { connectDatabase } from "#db/client.ts";
import { raw } from "#db/sql.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { findHistorySummary, listHistory, readHistoryRange } from "./history.ts";

const HOUR = 3_600;
const DAY = 86_400;
type Row = {
  at: number;
  low?: number | null;
  high?: number | null;
  sum?: number;
  count?: number;
  up?: number;
  down?: number;
};

describe("the history of a game server", () => {
  let database: TestDatabase;
  const now = Math.floor(Date.now() / 1000);
  const hourNow = Math.floor(now / HOUR) * HOUR;
  const today = Math.floor(now / DAY) * DAY;
  before(async () => {
    database = await createTestDatabase();
    await database.sql`INSERT INTO games (game_name, game_acronym, game_slug, tagline, description)
      VALUES ('Valheim', 'VH', 'valheim', '{"en":""}', '{"en":""}')`;
  });
  afterEach(async () => {
    await database.sql`DELETE FROM gameserver`;
  });
  after(() => database.drop());

  async function addServer(): Promise<number> {
    const [row] = await database.sql<{ server_id: number }[]>`
      INSERT INTO gameserver (game_id, server_name, adapter) SELECT game_id, 'x', 'a2s' FROM games RETURNING server_id`;
    return row?.server_id ?? 0;
  }
  async function add(step: "5m" | "1h" | "1d", id: number, rows: Row[]) {
    for (const { at, low = 1, high = 3, sum = 8, count = 4, up = 300, down = 0 } of rows) {
      await database.sql`INSERT INTO ${raw(`gameserver_rollup_${step}`)}
        VALUES (${id}, to_timestamp(${at}), ${low}, ${high}, ${sum}, ${count}, 4, ${up}, ${down})`;
    }
  }
  const event = (id: number, at: number, from: string, to: string) => database.sql`
    INSERT INTO gameserver_status_event (server_id, from_status, to_status, changed_at)
    VALUES (${id}, ${from}, ${to}, to_timestamp(${at}))`;
  const history = (id: number, range: Parameters<typeof listHistory>[2]) =>
    listHistory(database.db, id, range, now * 1000);

  test("refusals: a range that does not exist, a game server that does not exist", async () => {
    for (const text of [null, "", "2y", "24H", "toString", "__proto__", "24h "])
      assert.equal(readHistoryRange(text), null);
    assert.equal(readHistoryRange("30d"), "30d");
    assert.equal(await findHistorySummary(database.db, 999_999), null);
    const { at, downs } = await history(999_999, "1y");
    assert.deepEqual([at, downs], [[], []]);
  });

  test("nothing measured: no figure is invented", async () => {
    const id = await addServer();
    const summary = await findHistorySummary(database.db, id);
    assert.equal(summary?.last_at, null);
    assert.ok(summary?.week.every((hour) => hour === null) && summary.week.length === 168);
    assert.deepEqual(summary?.ranges, [
      { range: "24h", uptime: null, known_s: 0, since: null, average: null, peak: null },
      { range: "7d", uptime: null, known_s: 0, since: null, average: null, peak: null },
      { range: "30d", uptime: null, known_s: 0, since: null, average: null, peak: null },
      { range: "1y", uptime: null, known_s: 0, since: null, average: null, peak: null },
    ]);
  });

  test("a gap stays a gap, not told stays null, another game server's rows stay away", async () => {
    const [id, other] = [await addServer(), await addServer()];
    await add("5m", id, [
      { at: hourNow - 4 * HOUR },
      { at: hourNow - 4 * HOUR + 300, low: null, high: null, sum: 0, count: 0, up: 0, down: 300 },
      { at: hourNow - HOUR },
      { at: hourNow - 30 * HOUR },
    ]);
    await add("5m", other, [{ at: hourNow - 2 * HOUR }]);
    const day = await history(id, "24h");
    assert.deepEqual(day.at, [hourNow - 4 * HOUR, hourNow - 4 * HOUR + 300, hourNow - HOUR]);
    assert.deepEqual(
      [day.average, day.lowest, day.highest],
      [
        [2, null, 2],
        [1, null, 1],
        [3, null, 3],
      ],
    );
    assert.equal(day.step, 300);
    const week = await history(id, "7d");
    assert.equal(week.at.length, 3, "two rows of five minutes share a quarter of an hour");
    assert.equal(week.step, 900);
  });

  test("a year by the day, a young one by the hour; no range has more than 750 points", async () => {
    const id = await addServer();
    await database.sql`INSERT INTO gameserver_rollup_1h SELECT ${id}, to_timestamp(${hourNow}) - n * interval '1 hour', 1, 1, 1, 1, 1, 3600, 0
      FROM generate_series(0, 9000) n`;
    await database.sql`INSERT INTO gameserver_rollup_5m SELECT ${id}, to_timestamp(${hourNow}) - n * interval '5 minutes', 1, 1, 1, 1, 1, 300, 0
      FROM generate_series(0, 9000) n`;
    await add("1d", id, [{ at: today - 3 * DAY }]);
    const young = await history(id, "1y");
    assert.equal(young.step, HOUR);
    await add("1d", id, [{ at: today - 300 * DAY }]);
    const old = await history(id, "1y");
    assert.deepEqual([old.step, old.at], [DAY, [today - 300 * DAY, today - 3 * DAY]]);
    for (const range of ["24h", "7d", "30d", "1y"] as const) {
      const { at, step } = await history(id, range);
      assert.ok(at.length <= 750 && at.length > 0, `${range}: ${at.length}`);
      assert.ok(at.every((time) => time % step === 0));
    }
  });

  test("down times to the second: one from before the range, one that goes on, none while not confirmed", async () => {
    const id = await addServer();
    await event(id, now - 3 * DAY, "online", "degraded");
    await event(id, now - 2 * DAY, "degraded", "offline");
    await event(id, now - 20 * HOUR, "offline", "online");
    await event(id, now - 5 * HOUR, "online", "degraded");
    await event(id, now - 4 * HOUR, "degraded", "online");
    await event(id, now - HOUR, "online", "offline");
    await database.sql`UPDATE gameserver_live_metrics SET last_asked_at = to_timestamp(${now - 60}) WHERE server_id = ${id}`;
    const day = await history(id, "24h");
    assert.deepEqual(day.downs, [
      [day.from, now - 20 * HOUR],
      [now - HOUR, Math.min(now - 60, day.to)],
    ]);
    assert.deepEqual((await history(id, "7d")).downs, [
      // Counted back to the first failure.
      [now - 3 * DAY, now - 20 * HOUR],
      [now - HOUR, Math.min(now - 60, day.to)],
    ]);
  });

  test("down times leave out what was planned and what nobody watched, and end where somebody looked last", async () => {
    const [id, other] = [await addServer(), await addServer()];
    const gap = (of: number | null, from: number, to: number | null) => database.sql`
      INSERT INTO gameserver_watch_gap (server_id, starts_at, ends_at, reason)
      VALUES (${of}, to_timestamp(${from}), to_timestamp(${to}), ${of === null ? "own_fault" : "maintenance"})`;
    for (const one of [id, other]) await event(one, now - 9 * HOUR, "online", "offline");
    await event(id, now - HOUR, "offline", "online");
    await gap(id, now - 8 * HOUR, now - 7 * HOUR);
    await gap(null, now - 6 * HOUR, now - 5 * HOUR);
    await gap(other, now - 4 * HOUR, null);
    assert.deepEqual((await history(id, "24h")).downs, [
      [now - 9 * HOUR, now - 8 * HOUR],
      [now - 7 * HOUR, now - 6 * HOUR],
      [now - 5 * HOUR, now - HOUR],
    ]);
    assert.deepEqual((await history(other, "24h")).downs.at(-1), [now - 5 * HOUR, now - 4 * HOUR]);
    await database.sql`INSERT INTO gameserver_watch (watched_until) VALUES (to_timestamp(${now - 4.5 * HOUR}))`;
    assert.deepEqual((await history(other, "24h")).downs.at(-1), [now - 5 * HOUR, now - 4.5 * HOUR]);
    await database.sql`TRUNCATE gameserver_watch_gap, gameserver_watch`;
  });

  test("uptime of the time that is known, and the newest of the highest peaks with its time", async () => {
    const id = await addServer();
    await add("5m", id, [{ at: hourNow - 300, high: 4, up: 150, down: 150 }]);
    await add("1h", id, [
      { at: hourNow - HOUR, high: 7, up: 3000, down: 600, sum: 10, count: 4 },
      { at: hourNow - 3 * HOUR, high: 7, up: 0, down: 0, sum: 20, count: 4 },
      { at: today - 200 * DAY + 5 * HOUR, high: 50, up: 0, down: 3600, sum: 0, count: 0 },
    ]);
    await add("1d", id, [
      { at: Math.floor((hourNow - HOUR) / DAY) * DAY, high: 7, up: 3000, down: 600, sum: 30, count: 8 },
      { at: today - 200 * DAY, high: 50, up: 0, down: 3600, sum: 0, count: 0 },
    ]);
    const [day, week, month, year] = (await findHistorySummary(database.db, id))?.ranges ?? [];
    const iso = (at: number) => new Date(at * 1000).toISOString();
    const span = (from: number, width: number) => ({ from: iso(from), to: iso(from + width) });
    assert.deepEqual([day?.known_s, week?.known_s, year?.known_s], [300, 3_600, 7_200]);
    assert.deepEqual([day?.uptime, day?.peak], [0.5, { players: 4, ...span(hourNow - 300, 300) }]);
    assert.deepEqual(
      [week?.uptime, week?.average, week?.peak],
      [3000 / 3600, 3.8, { players: 7, ...span(hourNow - HOUR, HOUR) }],
    );
    assert.deepEqual(month?.peak, week?.peak);
    assert.deepEqual(
      [year?.uptime, year?.peak],
      [3000 / 7200, { players: 50, ...span(today - 200 * DAY + 5 * HOUR, HOUR) }],
    );
  });

  test("a peak's own moment: from its sample, and for the highest of all from the live row", async () => {
    const id = await addServer();
    const iso = (at: number) => new Date(at * 1000).toISOString();
    const from = hourNow - 2 * HOUR;
    for (const step of ["5m", "1h", "1d"] as const)
      await add(step, id, [{ at: step === "1d" ? today : from, high: 7 }]);
    const moments = async () =>
      (await findHistorySummary(database.db, id))?.ranges.map(({ peak }) => [peak?.players, peak?.from, peak?.to]);
    await database.sql`UPDATE gameserver_live_metrics SET user_peak = 7, user_peak_at = to_timestamp(${from + 123})
      WHERE server_id = ${id}`;
    assert.deepEqual((await moments())?.slice(0, 3), Array(3).fill([7, iso(from + 123), iso(from + 123)]));
    await database.sql`CREATE TABLE IF NOT EXISTS samples_of_any_day PARTITION OF gameserver_sample DEFAULT`;
    await database.sql`INSERT INTO gameserver_sample (server_id, asked_at, status, user_online)
      VALUES (${id}, to_timestamp(${from + 61}), 'online', 6), (${id}, to_timestamp(${from + 200}), 'online', 7)`;
    assert.deepEqual((await moments())?.slice(0, 3), Array(3).fill([7, iso(from + 200), iso(from + 200)]));
  });

  test("since when it is watched is said of every range that is longer", async () => {
    const id = await addServer();
    const since = async () => (await findHistorySummary(database.db, id))?.ranges.map((range) => range.since);
    assert.deepEqual(await since(), [null, null, null, null]);
    const first = now - 3 * DAY;
    await database.sql`UPDATE gameserver_live_metrics SET first_asked_at = to_timestamp(${first}) WHERE server_id = ${id}`;
    const at = new Date(first * 1000).toISOString();
    assert.deepEqual(await since(), [null, at, at, at]);
  });

  test("a day on which the clocks change is a day of 24 hours (UTC) like any other, whatever the database's zone", async () => {
    const id = await addServer();
    // The last Sunday of October: 25 hours in Berlin.
    const changed = new Date(now * 1000);
    changed.setUTCMonth(changed.getUTCMonth() < 10 ? 9 - 12 : 9, 31);
    changed.setUTCHours(0, 0, 0, 0);
    const day = changed.getTime() / 1000 - changed.getUTCDay() * DAY;
    await add("1d", id, [{ at: day, up: 86_400 - 3_600, down: 3_600 }]);
    await add("1d", id, [{ at: day - 60 * DAY }]);
    await event(id, day - DAY, "unknown", "online");
    // Over the hour that there is twice.
    await event(id, day + 1_800, "online", "offline");
    await event(id, day + 5_400, "offline", "online");
    const { sql, url } = database;
    await sql.unsafe(`ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET timezone = 'Europe/Berlin'`);
    const elsewhere = connectDatabase({ databaseUrl: url }, { max: 1 });
    try {
      const { at, downs } = await listHistory(elsewhere.db, id, "1y", now * 1000);
      assert.ok(at.includes(day), `${day} in ${at}`);
      assert.deepEqual(downs, [[day + 1_800, day + 5_400]]);
      const year = (await findHistorySummary(elsewhere.db, id))?.ranges.at(-1);
      assert.equal(year?.known_s, 86_400 + 300);
    } finally {
      await elsewhere.close();
      await sql.unsafe(`ALTER DATABASE "${new URL(url).pathname.slice(1)}" RESET timezone`);
    }
  });

  test("the week's map is in UTC whatever the database's zone", async () => {
    const id = await addServer();
    const monday = today - ((new Date(today * 1000).getUTCDay() + 6) % 7) * DAY - 7 * DAY;
    await add("1h", id, [
      { at: monday, sum: 10, count: 4 },
      { at: monday - 7 * DAY, sum: 30, count: 4 },
      { at: monday + 6 * DAY + 23 * HOUR, sum: 4, count: 4 },
      { at: monday + DAY, low: null, high: null, sum: 0, count: 0 },
      { at: monday - 60 * DAY, sum: 900, count: 1 },
    ]);
    const { sql, url } = database;
    await sql.unsafe(`ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET timezone = 'America/New_York'`);
    const elsewhere = connectDatabase({ databaseUrl: url }, { max: 1 });
    const [zone] = await elsewhere.sql`SHOW timezone`;
    assert.equal(zone?.TimeZone, "America/New_York");
    const week = (await findHistorySummary(elsewhere.db, id).finally(elsewhere.close))?.week ?? [];
    assert.equal(week[0], 5);
    assert.equal(week[167], 1);
    assert.equal(week.filter((hour) => hour !== null).length, 2);
  });
});
