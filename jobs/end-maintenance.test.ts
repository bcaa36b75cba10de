import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createBed, pretendA2s } from "#tests/helpers/test-bed.ts";
import { until } from "#tests/helpers/until.ts";
import { endMaintenances } from "./end-maintenance.ts";

describe("the end of a maintenance", () => {
  let bed: Awaited<ReturnType<typeof createBed>>;
  before(async () => {
    bed = await createBed();
  });
  after(() => bed.end());

  const lifecycle = async (id: number) => {
    const [row] = await bed.sql`select lifecycle, maintenance_until from gameserver where server_id = ${id}`;
    return [row?.lifecycle, row?.maintenance_until ?? null];
  };

  test("one without an end, one that is still to come, and what is not in maintenance stay as they are, in silence", async () => {
    const endless = await bed.addServer({ lifecycle: "maintenance" });
    const later = await bed.addServer({ lifecycle: "maintenance" });
    const retired = await bed.addServer({ lifecycle: "retired" });
    await bed.sql`update gameserver set maintenance_until = now() + interval '1 hour' where server_id = ${later}`;
    await bed.sql`update gameserver set maintenance_until = now() - interval '1 hour' where server_id = ${retired}`;
    let told = 0;
    const listening = await bed.listen("catalog", () => {
      told += 1;
    });
    assert.equal(await endMaintenances(bed.sql), 0);
    await bed.sql`select pg_notify('catalog', 'a mark')`;
    await until("the mark", async () => told > 0);
    assert.equal(told, 1, "nothing but the mark was told");
    await listening.unlisten();
    assert.deepEqual(await lifecycle(endless), ["maintenance", null]);
    assert.equal((await lifecycle(later))[0], "maintenance");
    assert.equal((await lifecycle(retired))[0], "retired");
    await bed.clear();
  });

  test("a running collector ends it, asks the game server, and writes down who did it", async () => {
    const game = await pretendA2s(4);
    const id = await bed.addServer({ game_port: game.port, lifecycle: "maintenance" });
    await bed.sql`update gameserver set maintenance_until = now() + interval '1 second' where server_id = ${id}`;
    const collector = await bed.start();
    await until("active", async () => (await lifecycle(id))[0] === "active");
    assert.deepEqual(await lifecycle(id), ["active", null]);
    await until("online", async () => (await bed.row(id)).status === "online");
    await collector.stop();
    await game.close();
    const events = await bed.sql`
      select actor_id, details from audit_events where what = 'gameserver-updated' and subject_id = ${String(id)}`;
    assert.equal(events.length, 1);
    assert.equal(events[0]?.actor_id, null);
    assert.equal(events[0]?.details.after.lifecycle, "active");
    const gaps = await bed.sql`
      select reason, ends_at - starts_at > interval '1 second' as whole from gameserver_watch_gap where server_id = ${id}`;
    assert.deepEqual([...gaps], [{ reason: "maintenance", whole: true }], "the window itself is neither up nor down");
    await bed.sql`update gameserver set lifecycle = 'maintenance' where server_id = ${id}`;
    await bed.sql`update gameserver set lifecycle = 'retired' where server_id = ${id}`;
    const after = await bed.sql`select ends_at is null as open from gameserver_watch_gap where server_id = ${id}`;
    assert.deepEqual(
      after.map(({ open }) => open),
      [false, false],
      "by hand, too",
    );
    const forgotten = await bed.sql`
      select from_status from gameserver_status_event where server_id = ${id} and to_status = 'unknown' order by event_id`;
    assert.deepEqual(forgotten.map(({ from_status }) => from_status).at(-1), "online", "since when nobody can tell");
  });
});
