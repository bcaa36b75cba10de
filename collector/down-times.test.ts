import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { connectDatabase, type Database } from "#db/client.ts";
import { fragment } from "#db/sql.ts";
import { listHistory } from "#domain/game-servers/history.ts";
import { exclusively } from "#jobs/exclusively.ts";
import { rollUp } from "#jobs/measurements/roll-ups.ts";
import { addSamplePartition } from "#jobs/measurements/sample-partitions.ts";
import { createBed, fakeWorld, type PretendA2s, pretendA2s } from "#tests/helpers/test-bed.ts";
import { pause, until } from "#tests/helpers/until.ts";

/** A result is written down a little after it was true, and this process may be slow. */
const LATE_S = 1.5;
/** This process reads whole milliseconds, the database microseconds. */
const CLOCK_S = 0.001;
const HOUR_AGO_MS = 3_600_000;
const DAY_MS = 86_400_000;

describe("down times, from the wire to the history", () => {
  let bed: Awaited<ReturnType<typeof createBed>>;
  let database: Database;
  before(async () => {
    bed = await createBed();
    database = connectDatabase({ databaseUrl: bed.url }, { max: 1 });
  });
  afterEach(async () => {
    await bed.clear();
    await bed.sql`TRUNCATE gameserver_sample, gameserver_rollup_progress, gameserver_watch, gameserver_watch_gap`;
  });
  after(async () => {
    await database.close();
    await bed.end();
  });

  /** As if so long had gone by since all that was written; nobody may be watching meanwhile. */
  async function letPass(ms: number): Promise<void> {
    const by = fragment`${ms / 1000} * interval '1 second'`;
    // Just after midnight (UTC) these samples are of the day before, of which a new database has no partition.
    const day = Math.floor((Date.now() - ms) / DAY_MS);
    for (const early of [day - 1, day]) await addSamplePartition(bed.sql, early);
    await bed.sql`UPDATE gameserver_status_event SET changed_at = changed_at - ${by}, last_answered_at = last_answered_at - ${by},
      first_failed_at = first_failed_at - ${by}, last_failed_at = last_failed_at - ${by}`;
    await bed.sql`UPDATE gameserver_watch_gap SET starts_at = starts_at - ${by}, ends_at = ends_at - ${by}`;
    await bed.sql`UPDATE gameserver_watch SET watched_until = watched_until - ${by}`;
    await bed.sql`UPDATE gameserver_sample SET asked_at = asked_at - ${by}`;
    await bed.sql`UPDATE gameserver_live_metrics SET first_asked_at = first_asked_at - ${by}, last_asked_at = last_asked_at - ${by},
      last_answered_at = last_answered_at - ${by}, status_since = status_since - ${by}`;
  }
  /** Down times of the last day in seconds since 1970. */
  const downsOf = async (id: number) => (await listHistory(database.db, id, "24h", Date.now() + 300_000)).downs;
  const lengthOf = (downs: [number, number][]) => downs.reduce((sum, [from, to]) => sum + to - from, 0);
  const online = (n: number) => until(`${n} online`, async () => (await bed.statuses()).online === n);
  const now = () => Date.now() / 1000;

  test("outages are as long as they were, in the events, the chart and the rolled-up rows", async () => {
    const games: PretendA2s[] = [];
    const ids: number[] = [];
    for (let i = 1; i <= 21; i++) {
      const game = await pretendA2s(i, 0, `127.0.2.${i}`);
      games.push(game);
      ids.push(await bed.addServer({ host: `127.0.2.${i}`, game_port: game.port }));
    }
    const collector = await bed.start();
    await online(21);
    // A third of them, not at once, and some so short that they are never confirmed.
    const outages = await Promise.all(
      [6, 7, 8, 9, 10, 11, 12].map(async (seconds, i) => {
        await pause(i * 700);
        const began = now();
        await games[i]?.close();
        await pause(seconds * 1000);
        const game = await pretendA2s(i, games[i]?.port ?? 0, `127.0.2.${i + 1}`);
        games[i] = game;
        return { id: ids[i] ?? 0, began, ended: now() };
      }),
    );
    await online(21);
    await collector.stop();
    let counted = 0;
    for (const { id, began, ended } of outages) {
      const [told] = await bed.sql<Record<string, number>[]>`
        SELECT extract(epoch FROM down.last_answered_at)::float8 AS answered, extract(epoch FROM down.first_failed_at)::float8 AS failed,
          extract(epoch FROM back.last_failed_at)::float8 AS last_failed, extract(epoch FROM back.changed_at)::float8 AS back
        FROM gameserver_status_event down JOIN gameserver_status_event back USING (server_id)
        WHERE server_id = ${id} AND down.to_status = 'offline' AND back.from_status = 'offline'`;
      assert.ok(
        told && Number(told.answered) <= began + LATE_S && began <= Number(told.failed) + CLOCK_S,
        JSON.stringify([began, told]),
      );
      assert.ok(
        Number(told.last_failed) <= ended + LATE_S && ended <= Number(told.back) + LATE_S,
        JSON.stringify([ended, told]),
      );
      const downs = await downsOf(id);
      assert.equal(downs.length, 1);
      counted += lengthOf(downs);
    }
    const truth = outages.reduce((sum, { began, ended }) => sum + ended - began, 0);
    // One asked every second and every four while it is down; the sum of hundreds is tried by the clock of a simulation.
    assert.ok(counted / truth > 0.8 && counted / truth < 1.25, `${counted} of ${truth} s`);
    for (const id of ids.slice(outages.length)) assert.deepEqual(await downsOf(id), [], "who answered was never down");

    await letPass(HOUR_AGO_MS);
    await bed.sql`UPDATE gameserver_watch SET watched_until = now()`;
    // The collector's own job has rolled up what was there at its start.
    await bed.sql`TRUNCATE gameserver_rollup_progress`;
    await rollUp(exclusively(bed.sql, "roll-ups"), 1);
    const [rolled] = await bed.sql<{ down: number }[]>`SELECT sum(down_s)::int AS down FROM gameserver_rollup_5m`;
    // Chart spans end at whole seconds.
    assert.ok(Math.abs(Number(rolled?.down) - counted) <= 2 * outages.length, `${rolled?.down} and ${counted} s`);
    await Promise.all(games.map((game) => game.close()));
  });

  test("a maintenance across an outage is cut out of it; the rest counts on both sides", async () => {
    const game = await pretendA2s(3);
    const id = await bed.addServer({ game_port: game.port });
    const collector = await bed.start();
    await online(1);
    const began = now();
    await game.close();
    await until("offline", async () => (await bed.row(id)).status === "offline");
    const set = (lifecycle: string) => bed.sql`UPDATE gameserver SET lifecycle = ${lifecycle} WHERE server_id = ${id}`;
    await pause(1_000);
    const planned = now();
    await set("maintenance");
    await pause(4_000);
    await set("active");
    const meant = now();
    await until("offline again", async () => (await bed.row(id)).status === "offline");
    const back = await pretendA2s(3, game.port);
    const ended = now();
    await online(1);
    await collector.stop();
    const downs = await downsOf(id);
    assert.equal(downs.length, 2, JSON.stringify(downs));
    const [before, after] = downs as [[number, number], [number, number]];
    const near = (one: number, other: number, by: number) =>
      assert.ok(Math.abs(one - other) <= by, `${one - began} and ${other - began} s after it fell`);
    near(before[0], began, 1 + LATE_S);
    near(before[1], planned, 1 + LATE_S);
    near(after[0], meant, 2 + LATE_S);
    near(after[1], ended, 4 + LATE_S);
    await back.close();
  });

  test("while no collector runs nothing is up or down, whatever became of it meanwhile", async () => {
    const [falls, stays, returns] = await Promise.all([1, 2, 3].map((i) => pretendA2s(i, 0, `127.0.2.${i}`)));
    assert.ok(falls && stays && returns);
    const ids: number[] = [];
    for (const [i, game] of [falls, stays, returns].entries())
      ids.push(await bed.addServer({ host: `127.0.2.${i + 1}`, game_port: game.port }));
    const [fallen, up, returned] = ids as [number, number, number];
    const first = await bed.start();
    await online(3);
    await returns.close();
    await until("offline", async () => (await bed.row(returned)).status === "offline");
    await first.stop();
    await falls.close();
    const back = await pretendA2s(3, returns.port, "127.0.2.3");
    await letPass(HOUR_AGO_MS);
    const second = await bed.start();
    await until("offline", async () => (await bed.row(fallen)).status === "offline");
    await until("back", async () => (await bed.row(returned)).status === "online");
    await second.stop();
    const [gap] = await bed.sql<{ reason: string; lasted: number }[]>`
      SELECT reason, extract(epoch FROM ends_at - starts_at)::float8 AS lasted FROM gameserver_watch_gap WHERE server_id IS NULL`;
    assert.equal(gap?.reason, "not_watched");
    assert.ok(Math.abs((gap?.lasted ?? 0) - HOUR_AGO_MS / 1000) < 15, `${gap?.lasted} s`);
    for (const id of [fallen, returned]) {
      const length = lengthOf(await downsOf(id));
      assert.ok(length > 0 && length < 60, `${length} s of an hour in which nobody looked`);
    }
    assert.deepEqual(await downsOf(up), []);
    await Promise.all([stays.close(), back.close()]);
  });

  test("a fault of ours makes nobody down, is cut out of who was down already, and is written down from its first failure on", async () => {
    let ours = false;
    const world = fakeWorld((address) => (ours || address === "10.0.0.1" ? "refused" : "up"));
    const down = await bed.addServer({ host: "10.0.0.2", game_port: 1 });
    for (let i = 3; i <= 12; i++) await bed.addServer({ host: `10.0.0.${i}`, game_port: 1 });
    const collector = await bed.start({ outside: world.outside });
    await online(11);
    await bed.sql`UPDATE gameserver SET host = '10.0.0.1' WHERE server_id = ${down}`;
    await until("offline", async () => (await bed.row(down)).status === "offline");
    const began = now();
    ours = true;
    await until("held back", () => collector.lines.some((line) => line.msg.includes("the fault is on our side")));
    await pause(4_000);
    ours = false;
    await until("judged again", () => collector.lines.some((line) => line.msg.includes("are judged again")));
    const ended = now();
    await until(
      "written down",
      async () => (await bed.sql`SELECT FROM gameserver_watch_gap WHERE server_id IS NULL`).length > 0,
    );
    await until("all but one", async () => (await bed.statuses()).online === 10);
    await until(
      "asked since",
      async () => Date.parse((await bed.row(down)).last_asked_at ?? "") > ended * 1000 + 1_500,
    );
    await collector.stop();
    const [gap] = await bed.sql<{ reason: string; from: number; to: number }[]>`
      SELECT reason, extract(epoch FROM starts_at)::float8 AS from, extract(epoch FROM ends_at)::float8 AS to FROM gameserver_watch_gap`;
    assert.equal(gap?.reason, "own_fault");
    assert.ok(
      Math.abs((gap?.from ?? 0) - began) < 1 + LATE_S && Math.abs((gap?.to ?? 0) - ended) < 1 + LATE_S,
      JSON.stringify([began, ended, gap]),
    );
    const downs = await downsOf(down);
    assert.equal(downs.length, 2, "before it and after it");
    assert.ok(
      Math.abs((downs[0]?.[1] ?? 0) - (gap?.from ?? 0)) <= 1 && Math.abs((downs[1]?.[0] ?? 0) - (gap?.to ?? 0)) <= 1,
    );
    const others = await bed.sql<{ server_id: number }[]>`SELECT server_id FROM gameserver WHERE server_id <> ${down}`;
    for (const { server_id } of others) assert.deepEqual(await downsOf(server_id), []);
  });
});
