/** The whole demo site on a machine whose clock jumps: in every process of Node, and in Postgres. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { until } from "#tests/helpers/until.ts";
import { patience, tell } from "../figure.ts";
import { makePlace, startRealSite } from "../real-site.ts";

const HOUR_MS = 3_600_000;
const PAGES = ["/", "/games/minecraft", "/dashboard"];

test("the clock jumps an hour: nobody offline, ready and measuring again in 10 s", async (t) => {
  const testDb = await createTestDatabase();
  const place = await makePlace();
  const ahead = path.join(path.dirname(place.dataDir), "ahead");
  writeFileSync(ahead, "0");
  // Found before Postgres' own by statements that say `now()`.
  await testDb.sql.unsafe(`
    CREATE TABLE clock_ahead (ahead_ms float8);
    INSERT INTO clock_ahead VALUES (0);
    CREATE FUNCTION public.now() RETURNS timestamptz STABLE LANGUAGE sql AS
      'SELECT pg_catalog.now() + (SELECT ahead_ms FROM public.clock_ahead) * interval ''1 millisecond''';
    DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database()); END $$`);
  const preload = pathToFileURL(path.join(import.meta.dirname, "../jumping-clock.ts")).href;
  const site = startRealSite(place, {
    env: { DATABASE_URL: testDb.url, NODE_OPTIONS: `--import=${preload}`, TEST_CLOCK_AHEAD: ahead },
  });
  t.after(async () => {
    site.process.kill("SIGTERM");
    await site.ended;
    await testDb.drop();
    await place.remove();
  });
  await site.untilReady(patience(60_000));
  const count = async () => {
    const [row] = await testDb.sql<{ n: number }[]>`SELECT count(*)::int AS n FROM gameserver_sample`;
    return row?.n ?? 0;
  };
  await until("samples", async () => (await count()) > 20);
  // The demo has a past with outages of its own.
  const [past] = await testDb.sql<{ last: number }[]>`
    SELECT coalesce(max(event_id), 0)::int AS last FROM gameserver_status_event`;
  const figures: string[] = [];
  for (const [how, aheadMs] of [
    ["an hour forward", HOUR_MS],
    ["back again", 0],
    ["an hour back", -HOUR_MS],
  ] as const) {
    writeFileSync(ahead, String(aheadMs));
    await testDb.sql`UPDATE clock_ahead SET ahead_ms = ${aheadMs}`;
    const jumped = performance.now();
    const [before, [day]] = [
      await count(),
      await testDb.sql<{ n: number }[]>`SELECT count(*)::int AS n FROM gameserver`,
    ];
    await until(`measuring after ${how}`, async () => {
      for (const page of PAGES) {
        const answer = await fetch(site.url + page);
        await answer.arrayBuffer();
        assert.equal(answer.status, 200);
      }
      return (await count()) > before + (day?.n ?? 0);
    });
    await until(`ready after ${how}`, async () => {
      const answer = await fetch(`${site.url}/readyz`);
      await answer.arrayBuffer();
      return answer.status === 200;
    });
    const tookMs = performance.now() - jumped;
    await until("shown with players", async () => {
      const page = await (await fetch(`${site.url}/dashboard`)).text();
      return /Online/.test(page);
    });
    figures.push(`${how}: ready, and everybody asked again, after ${Math.round(tookMs)} ms`);
  }
  const offline = await testDb.sql`
    SELECT server_name, failure FROM gameserver_status_event JOIN gameserver USING (server_id)
    WHERE to_status = 'offline' AND server_name <> 'Valheim Modded' AND event_id > ${past?.last ?? 0}`;
  assert.deepEqual([...offline], []);
  // The next pulse after the clock was put back takes the hour that it leapt over out again.
  await until("no gap of an hour", async () => {
    const leaps = await testDb.sql`
      SELECT FROM gameserver_watch_gap WHERE ends_at - starts_at > interval '50 minutes'`;
    return leaps.length === 0;
  });
  tell(t, "clock jumps", `${figures.join("; ")}; none offline`);
});
