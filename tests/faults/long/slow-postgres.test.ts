/** The whole demo site on a Postgres whose every answer takes 300 ms longer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { startAuditingClient } from "../auditing-client.ts";
import { patience, percentile, tell } from "../figure.ts";
import { makePlace, startRealSite } from "../real-site.ts";
import { startDatabaseWire } from "../wire.ts";

const EACH_WAY_MS = 150;
const FOR_MS = 25_000;
const PAGES = ["/", "/games/minecraft", "/games/valheim", "/dashboard"];

test("slow Postgres: pages from memory as ever, writes done or refused in 3 s, nobody offline", async (t) => {
  const testDb = await createTestDatabase();
  const { wire, url } = await startDatabaseWire(testDb.url);
  const place = await makePlace();
  const site = startRealSite(place, { env: { DATABASE_URL: url, TRUST_PROXY: "1", POLL_INTERVAL_S: "2" } });
  t.after(async () => {
    site.process.kill("SIGTERM");
    await site.ended;
    await wire.close();
    await testDb.drop();
    await place.remove();
  });
  await site.untilReady(patience(60_000));
  for (const page of PAGES) await (await fetch(site.url + page)).arrayBuffer();
  const client = await startAuditingClient(site.url, 2);
  wire.delayMs = EACH_WAY_MS;
  const [{ now } = { now: "" }] = await testDb.sql<{ now: string }[]>`SELECT now()::text AS now`;
  const written = client.acknowledged.size;
  const pagesMs: number[] = [];
  const end = performance.now() + FOR_MS;
  while (performance.now() < end) {
    for (const page of PAGES) {
      const began = performance.now();
      const answer = await fetch(site.url + page);
      await answer.arrayBuffer();
      assert.equal(answer.status, 200, page);
      pagesMs.push(performance.now() - began);
    }
    const ready = await fetch(`${site.url}/readyz`);
    await ready.arrayBuffer();
    await testDb.sql`DELETE FROM rate_limits`;
    await pause(100);
  }
  await client.stop();
  const done = client.acknowledged.size - written;
  assert.deepEqual(client.strange, []);
  assert.ok(done > 0, "nothing was written");
  const slowest = percentile(pagesMs, 99);
  assert.ok(slowest < patience(500), `pages took ${slowest} ms`);
  const waits = client.refusals.map(({ askedAt, refusedAt }) => refusedAt - askedAt);
  assert.ok(
    waits.every((ms) => ms < patience(3_000)),
    `refused after ${waits} ms`,
  );
  const offline = await testDb.sql`
    SELECT server_name, failure FROM gameserver_status_event JOIN gameserver USING (server_id)
    WHERE to_status = 'offline' AND changed_at > ${now}::timestamptz AND server_name <> 'Valheim Modded'`;
  assert.deepEqual([...offline], []);
  const fresh = await testDb.sql`SELECT 1 FROM gameserver_sample WHERE asked_at > now() - interval '8 seconds'`;
  assert.ok(fresh.length > 0, "nothing is measured any more");
  tell(
    t,
    "slow Postgres",
    `${2 * EACH_WAY_MS} ms more for each answer: median page ${percentile(pagesMs, 50).toFixed(1)} ms, 99 of 100 within ${Math.round(slowest)} ms; ${done} writes done, ${waits.length} refused; none offline`,
  );
});
