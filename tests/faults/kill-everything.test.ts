import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { FULL, killGroup, listProcessesOf, makePlace, type RealSite, startRealSite } from "./real-site.ts";

const ROUNDS = FULL ? 10 : 2;

/** Reads every committed sample again and again until the site is gone; what was read once must never be missing. */
async function audit(site: RealSite, acknowledged: Set<string>): Promise<void> {
  const { sql, close } = site.openDatabase();
  let gone = false;
  site.ended.then(() => {
    gone = true;
  });
  try {
    // The driver connects again by itself: a quick restart would keep this going in the next round's database.
    while (!gone) {
      const rows = await sql<{ key: string }[]>`SELECT server_id || ' ' || asked_at AS key FROM gameserver_sample`;
      for (const { key } of rows) acknowledged.add(key);
      await pause(5);
    }
  } catch {
    // The kill ends the connection, and with it the audit of this round.
  } finally {
    await close();
  }
}

test(`kill -9 of everything, ${ROUNDS} times at random moments: ready in 10 s, no sample lost`, async (t) => {
  const place = await makePlace();
  let site = startRealSite(place);
  t.after(async () => {
    site.process.kill("SIGTERM");
    await site.ended;
    assert.deepEqual(await listProcessesOf(place.dataDir), []);
    await place.remove();
  });
  // The very first start also makes the database.
  await site.untilReady(60_000);
  const acknowledged = new Set<string>();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const auditing = audit(site, acknowledged);
    const before = acknowledged.size;
    await pause(2000 + Math.random() * 2000);
    killGroup(site.process.pid ?? 0);
    // Every other round Postgres is killed as well; in the rest it is left behind without a parent.
    if (round % 2 === 1) await site.signalPostgres("SIGKILL");
    await site.ended;

    site = startRealSite(place);
    const readyMs = await site.untilReady(10_000);
    await auditing;
    assert.ok(acknowledged.size > before, "the collector wrote nothing in this round");
    const { sql, close } = site.openDatabase();
    const rows = await sql<{ key: string }[]>`SELECT server_id || ' ' || asked_at AS key FROM gameserver_sample`;
    await close();
    const present = new Set(rows.map(({ key }) => key));
    const missing = [...acknowledged].filter((key) => !present.has(key));
    assert.deepEqual(missing, []);
    t.diagnostic(`round ${round}: ready after ${Math.round(readyMs)} ms, ${acknowledged.size} samples, none missing`);
  }
});
