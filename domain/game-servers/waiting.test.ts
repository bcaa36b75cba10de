/** Who waits for a game server that is down: how the fifty places are shared out, what it does to its next turn, how it lapses. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { claimDue } from "#collector/claim.ts";
import { connectDatabase, type Database } from "#db/client.ts";
import { createBed } from "#tests/helpers/test-bed.ts";
import { ANYBODY, shareOut, waitFor, watcherAt } from "./waiting.ts";

let bed: Awaited<ReturnType<typeof createBed>>;
let database: Database;
before(async () => {
  bed = await createBed();
  database = connectDatabase({ databaseUrl: bed.url });
});
after(async () => {
  await database.close();
  await bed.end();
});

const held = (...watchers: [watcher: string, n: number][]) =>
  watchers.flatMap(([watcher, n], k) => Array.from({ length: n }, (_, i) => ({ server_id: 1_000 * k + i, watcher })));

test("nobody has more than their share, and what another keeps going they may look at", () => {
  assert.deepEqual(shareOut([], [1, 2, 3], "me", 2), { granted: [1, 2], renewed: [1, 2], ended: [] });
  assert.deepEqual(shareOut(held(["me", 5]), [7], "me", 5), { granted: [], renewed: [], ended: [] });
  assert.deepEqual(shareOut(held(["me", 5]), [4], "me", 5), { granted: [4], renewed: [4], ended: [] });
  const with1000 = held(["me", 5], ["you", 1]);
  assert.deepEqual(shareOut(with1000, [1_000], "me", 5), { granted: [1_000], renewed: [], ended: [] });
  assert.deepEqual(
    shareOut(with1000, [4], "you", 5),
    { granted: [4], renewed: [4], ended: [] },
    "now it is your share",
  );
});

test("where all places are taken, who has least takes one of who has most, and nobody takes turns with an equal", () => {
  const full = held(["a", 20], ["b", 30]);
  assert.deepEqual(shareOut(full, [7_000], "me", 5), { granted: [7_000], renewed: [7_000], ended: [1_000] });
  const { granted, ended } = shareOut(full, [7_000, 7_001, 7_002, 7_003, 7_004, 7_005], "me", 5);
  assert.deepEqual([granted.length, ended.length], [5, 5]);
  const equals = held(...Array.from({ length: 50 }, (_, i): [string, number] => [`w${i}`, 1]));
  assert.deepEqual(shareOut(equals, [99_999], "me", 5), { granted: [], renewed: [], ended: [] });
  assert.deepEqual(shareOut(held(["a", 50]), [7_000], "a", 50), { granted: [], renewed: [], ended: [] });
});

test("one that is down is due at once, then marked for whoever asks it; one that runs stays as it is; all of it lapses", async () => {
  const [down, doubted, up] = [
    await bed.addServer({ game_port: 1 }),
    await bed.addServer({ game_port: 2 }),
    await bed.addServer({ game_port: 3 }),
  ];
  const ids = [down, doubted, up];
  await bed.sql`UPDATE gameserver_live_metrics SET next_poll_at = now() + interval '30 seconds', status = CASE server_id
    WHEN ${down} THEN 'offline' WHEN ${doubted} THEN 'degraded' ELSE 'online' END,
    last_asked_at = now() - CASE server_id WHEN ${doubted} THEN 2 ELSE 20 END * interval '1 second'`;
  assert.deepEqual(await waitFor(database.db, ids, 20, ANYBODY), ids);
  const next = await bed.sql<{ in_s: number }[]>`
    SELECT extract(epoch FROM next_poll_at - now())::float8 AS in_s FROM gameserver_live_metrics ORDER BY server_id`;
  const [first = 99, second = 0, third = 0] = next.map(({ in_s }) => in_s);
  assert.ok(first <= 0, "asked at once");
  assert.ok(second > 2 && second <= 3, `five seconds after the last time: ${second}`);
  assert.ok(third > 25, "not even asked earlier");
  const claim = async () => (await claimDue(bed.sql, randomUUID(), 30, 10, [])).claimed;
  const [claimed, ...others] = await claim();
  assert.deepEqual([claimed?.serverId, claimed?.waited, others], [down, true, []]);

  await bed.sql`UPDATE gameserver_wait SET until = now() - interval '1 ms'`;
  await bed.sql`UPDATE gameserver_live_metrics SET claimed_until = NULL, next_poll_at = now()`;
  assert.deepEqual(
    (await claim()).map(({ waited }) => waited),
    [false, false, false],
  );
  assert.deepEqual(await waitFor(database.db, [down], 20, watcherAt("192.0.2.1")), [down]);
  const rows = await bed.sql`SELECT * FROM gameserver_wait`;
  assert.equal(rows.length, 1, "who comes next removes what has lapsed");
  assert.doesNotMatch(JSON.stringify(rows), /192/, "no address is kept");
});

test("many at once: never more than fifty, and none of them is lost", async () => {
  await bed.sql`DELETE FROM gameserver_wait`;
  const ids: number[] = [];
  for (let i = 0; i < 60; i++) ids.push(await bed.addServer({ game_port: 100 + i }));
  const granted = await Promise.all(ids.map((id, i) => waitFor(database.db, [id], 20, watcherAt(`192.0.2.${i % 30}`))));
  const rows = await bed.sql<{ watcher: string; n: number }[]>`
    SELECT watcher, count(*)::int AS n FROM gameserver_wait GROUP BY watcher`;
  assert.equal(
    rows.reduce((sum, { n }) => sum + n, 0),
    50,
  );
  assert.equal(rows.length, 30, "everybody has a share");
  assert.ok(granted.flat().length >= 50);
});
