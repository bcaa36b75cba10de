import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { FULL, listProcessesOf, makePlace, startRealSite } from "./real-site.ts";

const AWAY_MS = FULL ? 30_000 : 5000;
const PAGES = ["/", "/games/minecraft", "/games/valheim", "/dashboard"];

for (const [how, away, back] of [
  [`hangs for ${AWAY_MS / 1000} s`, "SIGSTOP", "SIGCONT"],
  ["is killed", "SIGKILL", null],
] as const) {
  test(`while Postgres ${how}, visitors get pages, nothing turns offline, and the site is live again in 10 s`, async (t) => {
    const place = await makePlace();
    const site = startRealSite(place);
    t.after(async () => {
      site.process.kill("SIGTERM");
      await site.ended;
      assert.deepEqual(await listProcessesOf(place.dataDir), []);
      await place.remove();
    });
    await site.untilReady(60_000);
    const before = site.openDatabase();
    const [{ now } = { now: "" }] = await before.sql<{ now: string }[]>`SELECT now()::text AS now`;
    await before.close();
    // Every page has been asked for once, as on any site that has visitors.
    for (const page of PAGES) assert.equal((await fetch(site.url + page)).status, 200);

    await site.signalPostgres(away);
    const deadline = performance.now() + (back === null ? 0 : AWAY_MS);
    do {
      for (const page of PAGES) {
        const answer = await fetch(site.url + page, { signal: AbortSignal.timeout(3000) });
        assert.equal(answer.status, 200, page);
        await answer.body?.cancel();
      }
      await pause(100);
    } while (performance.now() < deadline);
    if (back !== null) await site.signalPostgres(back);
    const returned = performance.now();
    const liveAgain = async () => {
      const ready = await fetch(`${site.url}/readyz`, { signal: AbortSignal.timeout(3000) }).catch(() => null);
      await ready?.body?.cancel();
      return ready?.status === 200;
    };
    while (!(await liveAgain())) {
      assert.ok(performance.now() - returned < 10_000, `not live again after 10 s; it said:\n${site.output()}`);
      await pause(50);
    }
    t.diagnostic(`live again after ${Math.round(performance.now() - returned)} ms`);

    const after = site.openDatabase();
    const fresh = () => after.sql`SELECT 1 FROM gameserver_sample WHERE asked_at > now() - interval '2 seconds'`;
    while ((await fresh()).length === 0) {
      assert.ok(performance.now() - returned < 10_000, "no new samples within 10 s");
      await pause(50);
    }
    // One pretend game server goes down by itself now and then; nothing else may.
    const offline = await after.sql<{ server_name: string; failure: string | null }[]>`
      SELECT server_name, failure FROM gameserver_status_event JOIN gameserver USING (server_id)
      WHERE to_status = 'offline' AND changed_at > ${now}::timestamptz AND server_name <> 'Valheim Modded'`;
    await after.close();
    assert.deepEqual([...offline], []);
  });
}
