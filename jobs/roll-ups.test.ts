import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { createBed, until } from "#tests/helpers/test-bed.ts";
import { exclusively } from "./exclusively.ts";
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

describe("roll-ups", { timeout: 60_000 }, () => {
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
    await bed.sql`TRUNCATE gameserver_sample, gameserver_rollup_progress`;
  });
  after(() => bed.end());

  const sample = (id: number, at: number, status: string, players: number | null = null) => bed.sql`
    INSERT INTO gameserver_sample (server_id, asked_at, status, user_online)
    VALUES (${id}, ${new Date(at).toISOString()}, ${status}, ${players})`;
  const rows = async (step: "5m" | "1h" | "1d", id: number) =>
    (
      await bed.sql<(Row & { user_sum: string })[]>`
        SELECT * FROM ${bed.sql(`gameserver_rollup_${step}`)} WHERE server_id = ${id} ORDER BY starts_at`
    ).map((row) => ({ ...row, at: Date.parse(row.starts_at), user_sum: Number(row.user_sum) }));
  const stand = async () => ({
    five: [...(await bed.sql`SELECT ctid::text, * FROM gameserver_rollup_5m ORDER BY server_id, starts_at`)],
    hour: [...(await bed.sql`SELECT ctid::text, * FROM gameserver_rollup_1h ORDER BY server_id, starts_at`)],
    day: [...(await bed.sql`SELECT ctid::text, * FROM gameserver_rollup_1d ORDER BY server_id, starts_at`)],
  });
  const rollUp = (sql: typeof bed.sql) => rollUpBy(exclusively(sql, "roll-ups"));
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
      [300, 0, 300, 0, 0, 0],
    );
    for (const [step, at] of [
      ["1h", hour],
      ["1d", today - 2 * DAY],
    ] as const) {
      const [row, ...others] = await rows(step, id);
      assert.deepEqual(others, []);
      assert.deepEqual([row?.at, row?.user_min, row?.user_max, row?.user_sum, row?.user_count], [at, 0, 10, 14, 3]);
      assert.deepEqual([row?.asked, row?.up_s, row?.down_s], [5, 600, 0]);
    }
  });

  test("down times weigh by time, not by how often was asked; what is not confirmed counts for neither", async () => {
    const id = await bed.addServer();
    const hour = today - DAY;
    for (let second = 0; second < 300; second += 30) await sample(id, hour + second * 1000, "online", 1);
    for (let second = 300; second < 600; second += 120) await sample(id, hour + second * 1000, "offline");
    await sample(id, hour + 600_000, "degraded");
    await sample(id, hour + 660_000, "online", 1);
    await sample(id, hour + 720_000, "offline");
    await rollUp(bed.sql);
    const [row] = await rows("1h", id);
    assert.deepEqual([row?.up_s, row?.down_s, row?.asked], [450, 450, 16]);
  });

  test("nothing is up or down before it was first asked: at 02:59 it was not up since 02:55", async () => {
    const [up, down] = [await bed.addServer(), await bed.addServer()];
    const row = today - DAY + 3 * HOUR - FIVE;
    for (const [id, status] of [
      [up, "online"],
      [down, "offline"],
    ] as const) {
      await bed.sql`UPDATE gameserver_live_metrics SET first_asked_at = ${new Date(row + 240_000).toISOString()}
        WHERE server_id = ${id}`;
      await sample(id, row + 240_000, status, null);
      await sample(id, row + 270_000, status, null);
      await sample(id, row + FIVE + 1_000, status, null);
    }
    await rollUp(bed.sql);
    const seconds = async (id: number) => (await rows("5m", id)).map(({ up_s, down_s }) => [up_s, down_s]);
    assert.deepEqual(await seconds(up), [
      [60, 0],
      [300, 0],
    ]);
    assert.deepEqual(await seconds(down), [
      [0, 60],
      [0, 300],
    ]);
  });

  test("idempotent to the byte, and resumable: from nothing, from a chunk, from an hour ago", async () => {
    const id = await bed.addServer();
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
    await until("a day's row", 5_000, async () => (await rows("1d", id)).length === 1);
  });

  test("five minutes go after 90 days, hours after two years, days never; nothing while the clock is in doubt", async () => {
    const id = await bed.addServer();
    for (const step of ["5m", "1h", "1d"]) {
      await bed.sql`INSERT INTO ${bed.sql(`gameserver_rollup_${step}`)}
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
