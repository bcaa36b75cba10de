import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { raw } from "#db/sql.ts";
import { createBed } from "#tests/helpers/test-bed.ts";
import { until } from "#tests/helpers/until.ts";
import { exclusively } from "../exclusively.ts";
import { removeOldRollUps } from "./old-roll-ups.ts";
import { rollUp as rollUpBy } from "./roll-ups.ts";
import { keepSamplesInBounds } from "./sample-partitions.ts";

type Row = {
  starts_at: string;
  user_min: number | null;
  user_max: number | null;
  user_sum: number;
  user_count: number;
  asked: number;
  up_s: number;
  down_s: number;
};
const HOUR = 3_600_000;
const FIVE = 300_000;
const DAY = 24 * HOUR;

describe("roll-ups", () => {
  let bed: Awaited<ReturnType<typeof createBed>>;
  const now = Date.now();
  const today = Math.floor(now / DAY) * DAY;
  before(async () => {
    bed = await createBed();
    await keepSamplesInBounds(bed.sql, false);
    for (let day = 1; day <= 7; day++) {
      const date = (ms: number) => new Date(ms).toISOString().slice(0, 10);
      await bed.sql.unsafe(
        `CREATE TABLE "gameserver_sample_${date(today - day * DAY).replaceAll("-", "")}" PARTITION OF gameserver_sample
           FOR VALUES FROM ('${date(today - day * DAY)}T00:00:00Z') TO ('${date(today - (day - 1) * DAY)}T00:00:00Z')`,
      );
    }
  });
  afterEach(async () => {
    await bed.clear();
    await bed.sql`TRUNCATE gameserver_sample, gameserver_rollup_progress, gameserver_watch, gameserver_watch_gap`;
  });
  after(() => bed.end());

  const sample = (id: number, at: number, status: string, players: number | null = null) => bed.sql`
    INSERT INTO gameserver_sample (server_id, asked_at, status, user_online)
    VALUES (${id}, ${new Date(at).toISOString()}, ${status}, ${players})`;
  type Failures = { answered?: number; first?: number; last?: number; failures?: number; failure?: string };
  const time = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString());
  const event = (id: number, at: number, from: string, to: string, told: Failures = {}) => bed.sql`
    INSERT INTO gameserver_status_event (server_id, changed_at, from_status, to_status, failure, last_answered_at,
      first_failed_at, last_failed_at, failures)
    VALUES (${id}, ${time(at)}, ${from}, ${to}, ${told.failure ?? null}, ${time(told.answered)}, ${time(told.first)},
      ${time(told.last)}, ${told.failures ?? null})`;
  /** From the last answer to the first failure and from the last failure to the answer it takes 30 s. */
  const outage = async (id: number, began: number, ended: number) => {
    const told = { answered: began - 15_000, first: began + 15_000 };
    await event(id, began + 15_000, "online", "degraded", { ...told, last: told.first, failures: 1 });
    await event(id, began + 45_000, "degraded", "offline", { ...told, last: began + 45_000, failures: 3 });
    await event(id, ended + 15_000, "offline", "online", { last: ended - 15_000, failures: 9 });
  };
  const gap = (id: number | null, from: number, to: number | null, reason = "own_fault") => bed.sql`
    INSERT INTO gameserver_watch_gap (server_id, starts_at, ends_at, reason)
    VALUES (${id}, ${time(from)}, ${to === null ? null : time(to)}, ${reason})`;
  const watchedUntil = (at: number) => bed.sql`INSERT INTO gameserver_watch (watched_until) VALUES (${time(at)})
    ON CONFLICT ("only") DO UPDATE SET watched_until = excluded.watched_until`;
  const rows = async (step: "5m" | "1h" | "1d", id: number) =>
    (
      await bed.sql<(Row & { user_sum: string })[]>`
        SELECT * FROM ${raw(`gameserver_rollup_${step}`)} WHERE server_id = ${id} ORDER BY starts_at`
    ).map((row) => ({ ...row, at: Date.parse(row.starts_at), user_sum: Number(row.user_sum) }));
  const stand = async () => ({
    five: [...(await bed.sql`SELECT ctid::text, * FROM gameserver_rollup_5m ORDER BY server_id, starts_at`)],
    hour: [...(await bed.sql`SELECT ctid::text, * FROM gameserver_rollup_1h ORDER BY server_id, starts_at`)],
    day: [...(await bed.sql`SELECT ctid::text, * FROM gameserver_rollup_1d ORDER BY server_id, starts_at`)],
  });
  const rollUp = (sql: typeof bed.sql) => rollUpBy(exclusively(sql, "roll-ups"), 30);
  /** Up and down seconds of the rows of five minutes from \`from\` on. */
  const seconds = async (id: number, from: number, to = Number.POSITIVE_INFINITY) =>
    (await rows("5m", id)).filter(({ at }) => at >= from && at < to).map(({ up_s, down_s }) => [up_s, down_s]);
  const rewind = (ms: number) => bed.sql`UPDATE gameserver_rollup_progress SET rolled_until = rolled_until
    - ${ms / 1000} * interval '1 second'`;

  test("lowest, highest, sum and number of those who told; a time without samples has no row", async () => {
    const id = await bed.addServer();
    const hour = today - 2 * DAY + 5 * HOUR;
    await sample(id, hour + 1_000, "online", 4);
    await sample(id, hour + 31_000, "online", 10);
    await sample(id, hour + 61_000, "online", null);
    await sample(id, hour + FIVE, "online", 0);
    await sample(id, hour + 3 * FIVE + 10, "unknown");
    await event(id, hour + 1_000, "unknown", "online", { failures: 0 });
    await event(id, hour + 3 * FIVE + 10, "online", "unknown", { answered: hour + FIVE + 10_000, failures: 0 });
    await rollUp(bed.sql);
    const five = await rows("5m", id);
    assert.deepEqual(
      five.map((row) => [(row.at - hour) / FIVE, row.user_min, row.user_max, row.user_sum, row.user_count, row.asked]),
      [
        [0, 4, 10, 14, 2, 3],
        [1, 0, 0, 0, 1, 1],
        [3, null, null, 0, 0, 1],
      ],
    );
    assert.deepEqual(
      five.flatMap((row) => [row.up_s, row.down_s]),
      [299, 0, 10, 0, 0, 0],
      "since the first answer, and as long as anybody could tell",
    );
    for (const [step, at] of [
      ["1h", hour],
      ["1d", today - 2 * DAY],
    ] as const) {
      const [row, ...others] = await rows(step, id);
      assert.deepEqual(others, []);
      assert.deepEqual([row?.at, row?.user_min, row?.user_max, row?.user_sum, row?.user_count], [at, 0, 10, 14, 3]);
      assert.deepEqual([row?.asked, row?.up_s, row?.down_s], [5, 309, 0]);
    }
  });

  test("down times are those of the events, to the second and over any border, however often it was asked", async () => {
    const [id, seldom] = [await bed.addServer(), await bed.addServer({ poll_interval_s: 3600 })];
    const hour = today - DAY;
    await event(id, hour, "unknown", "online");
    await outage(id, hour + 200_000, hour + 710_400);
    for (let second = 0; second < 900; second += 30) await sample(id, hour + second * 1000, "online", 1);
    await event(seldom, hour, "unknown", "online");
    await sample(seldom, hour, "online", 1);
    await sample(seldom, hour + HOUR, "online", 1);
    await rollUp(bed.sql);
    assert.deepEqual(await seconds(id, hour, hour + 4 * FIVE), [
      [200, 100],
      [0, 300],
      [190, 110],
      [300, 0],
    ]);
    const [first] = await rows("1h", id);
    assert.deepEqual([first?.up_s, first?.down_s, first?.asked], [3_090, 510, 30]);
    const [whole] = await rows("1d", id);
    assert.deepEqual([whole?.up_s, whole?.down_s], [86_400 - 510, 510]);
    const [quiet] = await rows("1h", seldom);
    assert.deepEqual([quiet?.up_s, quiet?.asked], [3_600, 1], "asked once an hour, and up for all of it");
  });

  test("planned windows, faults of ours and what nobody watched are neither, also where they are told afterwards", async () => {
    const [id, other] = [await bed.addServer(), await bed.addServer()];
    const hour = Math.floor(now / FIVE) * FIVE - 9 * FIVE;
    for (const one of [id, other]) {
      await event(one, hour, "unknown", "online");
      await sample(one, hour, "online", 1);
    }
    await outage(id, hour + 100_000, hour + 400_000);
    await gap(null, hour + 50_000, hour + 150_000);
    await gap(id, hour + 250_000, hour + FIVE, "maintenance");
    await watchedUntil(hour + 3 * FIVE + 60_000);
    await rollUp(bed.sql);
    assert.deepEqual(await seconds(id, hour), [
      [50, 100],
      [200, 100],
      [300, 0],
      [60, 0],
    ]);
    assert.deepEqual((await seconds(other, hour))[0], [200, 0]);
    // Nobody watched since: at the next pulse that is a gap, and the time after it counts again.
    await gap(null, hour + FIVE, hour + 4 * FIVE, "not_watched");
    await watchedUntil(Date.now());
    await rewind(FIVE);
    await rollUp(bed.sql);
    assert.deepEqual((await seconds(other, hour)).slice(0, 5), [
      [200, 0],
      [0, 0],
      [0, 0],
      [0, 0],
      [300, 0],
    ]);
    assert.equal((await rows("1h", other)).reduce((sum, row) => sum + row.up_s, 0) % 300, 200, "at every width");
  });

  test("nothing is up or down before it was first asked: at 02:59 it was not up since 02:55", async () => {
    const [up, down] = [await bed.addServer(), await bed.addServer()];
    const row = today - DAY + 3 * HOUR - FIVE;
    await event(up, row + 240_000, "unknown", "online");
    const told = { first: row + 240_000, last: row + 300_000, failures: 3 };
    await event(down, row + 240_000, "unknown", "degraded", { ...told, last: told.first, failures: 1 });
    await event(down, row + 300_000, "degraded", "offline", told);
    for (const id of [up, down]) await sample(id, row + 240_000, "online");
    await rollUp(bed.sql);
    assert.deepEqual((await seconds(up, 0)).slice(0, 2), [
      [60, 0],
      [300, 0],
    ]);
    assert.deepEqual((await seconds(down, 0)).slice(0, 2), [
      [0, 60],
      [0, 300],
    ]);
  });

  test("one that nobody asks any more is not up for ever: known up to its last result, and again from the next one on", async () => {
    const id = await bed.addServer();
    const hour = Math.floor(now / HOUR) * HOUR - HOUR;
    await event(id, hour, "unknown", "online");
    for (const minute of [0, 1, 2]) await sample(id, hour + minute * 60_000, "online", 1);
    await bed.sql`UPDATE gameserver_live_metrics SET status = 'online', last_asked_at = ${time(hour + 120_000)}`;
    await watchedUntil(Date.now());
    await rollUp(bed.sql);
    assert.deepEqual(await seconds(id, hour), [[120, 0]]);
    await sample(id, hour + 45 * 60_000, "online", 1);
    await bed.sql`UPDATE gameserver_live_metrics SET last_asked_at = now()`;
    await rewind(FIVE);
    await rollUp(bed.sql);
    assert.deepEqual((await seconds(id, hour)).slice(0, 2), [
      [120, 0],
      [300, 0],
    ]);
    const gaps =
      await bed.sql`SELECT reason, ends_at - starts_at = interval '43 minutes' AS whole FROM gameserver_watch_gap`;
    assert.deepEqual([...gaps], [{ reason: "not_asked", whole: true }]);
  });

  test("idempotent to the byte, and resumable: from nothing, from a chunk, from an hour ago", async () => {
    const id = await bed.addServer();
    await event(id, today - 3 * DAY, "unknown", "online");
    await outage(id, today - 2 * DAY, today - 2 * DAY + HOUR);
    await event(id, today - DAY, "online", "unknown");
    for (let at = today - 3 * DAY + 7; at < today - DAY; at += 47 * 60_000) await sample(id, at, "online", 3);
    assert.ok((await rollUp(bed.sql)) > 8, "several chunks");
    const first = await stand();
    assert.ok(first.five.length > 50);
    assert.equal(first.day.length, 2);
    assert.equal(await rollUp(bed.sql), 0, "no five minutes have ended since");
    for (const back of [FIVE, HOUR, 30 * HOUR, 9 * DAY]) {
      await rewind(back);
      assert.ok((await rollUp(bed.sql)) > 0);
      assert.deepEqual(await stand(), first);
    }
  });

  test("a sample that was written late is taken in the next time, at every width", async () => {
    const id = await bed.addServer();
    const at = Math.floor(now / FIVE) * FIVE - 50 * 60_000;
    await sample(id, at, "online", 2);
    await rollUp(bed.sql);
    await sample(id, at + 1000, "online", 9);
    await rewind(FIVE);
    await rollUp(bed.sql);
    for (const step of ["5m", "1h", "1d"] as const) {
      assert.equal(
        (await rows(step, id)).reduce((sum, row) => sum + row.user_sum, 0),
        11,
        step,
      );
      assert.equal(Math.max(...(await rows(step, id)).map((row) => row.user_max ?? 0)), 9, step);
    }
  });

  test("two collectors at once: nothing is lost, nothing doubled", async () => {
    const id = await bed.addServer();
    for (let at = today - 2 * DAY; at < today; at += 600_000) await sample(id, at, "online", 5);
    await Promise.all([rollUp(bed.sql), rollUp(bed.sql), rollUp(bed.sql)]);
    await rollUp(bed.sql);
    assert.equal((await rows("5m", id)).length, 288);
    assert.deepEqual(
      (await rows("1d", id)).map((row) => row.user_sum),
      [720, 720],
    );
  });

  test("rows whose samples are gone stay; a clock that ran ahead does not stop the roll-up; a deleted game server leaves nothing", async () => {
    const id = await bed.addServer();
    await sample(id, today - DAY, "online", 5);
    await rollUp(bed.sql);
    await bed.sql`DELETE FROM gameserver_sample`;
    await rewind(3 * DAY);
    await rollUp(bed.sql);
    assert.equal((await rows("5m", id)).length, 1);

    await bed.sql`UPDATE gameserver_rollup_progress SET rolled_until = now() + interval '400 days'`;
    await sample(id, Date.now() - 20 * 60_000, "online", 7);
    await rollUp(bed.sql);
    assert.equal((await rows("5m", id)).length, 2);

    await sample(id + 1_000, today - DAY, "online", 5);
    await bed.sql`DELETE FROM gameserver WHERE server_id = ${id}`;
    await rewind(2 * DAY);
    await rollUp(bed.sql);
    assert.deepEqual(await stand(), { five: [], hour: [], day: [] });
  });

  test("a collector that starts rolls up what lies there", async () => {
    const id = await bed.addServer({ lifecycle: "retired" });
    await sample(id, today - DAY, "online", 5);
    await bed.start();
    await until("a day's row", async () => (await rows("1d", id)).length === 1);
  });

  test("five minutes go after 90 days, hours after two years, days never; nothing while the clock is in doubt", async () => {
    const id = await bed.addServer();
    for (const step of ["5m", "1h", "1d"]) {
      await bed.sql`INSERT INTO ${raw(`gameserver_rollup_${step}`)}
        SELECT ${id}, now() - age, 1, 1, 1, 1, 1, 300, 0
        FROM unnest('{89 days,91 days,729 days,733 days,3000 days}'::interval[]) age`;
    }
    const counts = async () => [
      (await rows("5m", id)).length,
      (await rows("1h", id)).length,
      (await rows("1d", id)).length,
    ];
    await removeOldRollUps(exclusively(bed.sql, "old-roll-ups"), false);
    assert.deepEqual(await counts(), [5, 5, 5]);
    await removeOldRollUps(exclusively(bed.sql, "old-roll-ups"), true);
    await removeOldRollUps(exclusively(bed.sql, "old-roll-ups"), true);
    assert.deepEqual(await counts(), [1, 3, 5]);
  });
});
