import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { createBed, pretendA2s } from "#tests/helpers/test-bed.ts";
import { until } from "#tests/helpers/until.ts";

describe("a game server that is watched", () => {
  let bed: Awaited<ReturnType<typeof createBed>>;
  before(async () => {
    bed = await createBed();
  });
  afterEach(() => bed.clear());
  after(() => bed.end());

  test("goes online, degraded, offline, and online again, and each change is written down", async () => {
    let game = await pretendA2s(7);
    const { port } = game;
    const id = await bed.addServer({ game_port: port });
    const collector = await bed.start();
    const online = await until("online", async () => {
      const row = await bed.row(id);
      return row.status === "online" && row;
    });
    assert.equal(online.user_online, 7);
    assert.equal(online.user_max_measured, 64);
    assert.equal(online.user_peak, 7);
    assert.equal(online.version_measured, "0.219.16");

    await game.close();
    const degraded = await until("degraded", async () => {
      const row = await bed.row(id);
      return row.status === "degraded" && row;
    });
    assert.equal(degraded.user_online, 7, "the last count stays until offline is confirmed");
    const offline = await until("offline", async () => {
      const row = await bed.row(id);
      return row.status === "offline" && row;
    });
    assert.equal(offline.user_online, null, "nobody told, so not 0");
    assert.equal(offline.user_peak, 7);
    assert.equal(offline.failure, "refused");
    assert.ok(offline.failures_in_row >= 3);

    game = await pretendA2s(9, port);
    const back = await until("online again", async () => {
      const row = await bed.row(id);
      return row.status === "online" && row;
    });
    assert.equal(back.user_online, 9);
    assert.equal(back.user_peak, 9);
    await collector.stop();
    await game.close();
    const events = await bed.sql`
      SELECT from_status, to_status, failure FROM gameserver_status_event WHERE server_id = ${id} ORDER BY event_id`;
    assert.deepEqual(
      events.map((event) => `${event.from_status}>${event.to_status} ${event.failure}`),
      ["unknown>online null", "online>degraded refused", "degraded>offline refused", "offline>online null"],
    );
    const samples = await bed.sql`
      SELECT status, user_online FROM gameserver_sample WHERE server_id = ${id} ORDER BY asked_at`;
    assert.ok(samples.some((sample) => sample.status === "online" && sample.user_online === 7));
    assert.ok(samples.every((sample) => sample.status === "online" || sample.user_online === null));
    assert.ok(collector.lines.some((line) => line.msg === "game server is offline" && line.server_id === id));
    assert.equal((await bed.row(id)).claimed_by, null, "a stop gives every claim back");
    assert.equal((await bed.sql`SELECT FROM collector_process`).length, 0);
  });
});
