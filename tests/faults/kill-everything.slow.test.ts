import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type AuditingClient, listLost, startAuditingClient } from "./auditing-client.ts";
import { patience, tell } from "./figure.ts";
import { FULL, killGroup, listProcessesOf, makePlace, type RealSite, startRealSite } from "./real-site.ts";

const FAULT = "kill -9 of everything at any moment";
const ROUNDS = FULL ? 10 : 2;
/** Each round starts and ends a whole site, which takes half a minute and more where other tests keep the machine busy. */
const LIMIT_MS = 60_000 + ROUNDS * 90_000;
/** So that the auditing client may write from many addresses. */
const env = { TRUST_PROXY: "1" };

/** Reads every committed sample again and again until the site is gone; what was read once must never be missing. */
async function audit(site: RealSite, samples: Set<string>): Promise<void> {
  const { sql, close } = site.openDatabase();
  let gone = false;
  site.ended.then(() => {
    gone = true;
  });
  try {
    // The driver connects again by itself: a quick restart would keep this going in the next round's database.
    while (!gone) {
      const rows = await sql<{ key: string }[]>`SELECT server_id || ' ' || asked_at AS key FROM gameserver_sample`;
      for (const { key } of rows) samples.add(key);
      await sql`DELETE FROM rate_limits`;
      await pause(25);
    }
  } catch {
    // The kill ends the connection, and with it the audit of this round.
  } finally {
    await close();
  }
}

async function assertNothingLost(site: RealSite, samples: Set<string>, client: AuditingClient): Promise<void> {
  const database = site.openDatabase();
  const rows = await database.sql<{ key: string }[]>`SELECT server_id || ' ' || asked_at AS key FROM gameserver_sample`;
  const lost = await listLost(database, client);
  await database.close();
  const present = new Set(rows.map(({ key }) => key));
  assert.deepEqual(
    [...samples].filter((key) => !present.has(key)),
    [],
  );
  assert.deepEqual(lost, []);
}

test(`kill -9 of everything, ${ROUNDS} times at random moments: ready in 10 s, no acknowledged write lost`, {
  timeout: LIMIT_MS,
}, async (t) => {
  const place = await makePlace();
  let site = startRealSite(place, { env });
  let client: AuditingClient | null = null;
  t.after(async () => {
    await client?.stop();
    site.process.kill("SIGTERM");
    await site.ended;
    assert.deepEqual(await listProcessesOf(place.dataDir), []);
    await place.remove();
  });
  // The very first start also makes the database.
  await site.untilReady(patience(60_000));
  const auditor = await startAuditingClient(site.url);
  client = auditor;
  const samples = new Set<string>();
  let slowest = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const auditing = audit(site, samples);
    const before = { samples: samples.size, writes: auditor.acknowledged.size };
    // Readiness is web's: on a busy machine the collector begins later. Both have something to lose when the blow falls.
    const until = performance.now() + patience(15_000);
    while (samples.size === before.samples || auditor.acknowledged.size === before.writes) {
      assert.ok(performance.now() < until, "the collector or the auditing client wrote nothing in this round");
      await pause(25);
    }
    await pause(500 + Math.random() * 2000);
    killGroup(site.process.pid ?? 0);
    // Every other round Postgres is killed as well; in the rest it is left behind without a parent.
    if (round % 2 === 1) await site.signalPostgres("SIGKILL");
    await site.ended;

    site = startRealSite(place, { env });
    slowest = Math.max(slowest, await site.untilReady(patience(10_000)));
    await auditing;
    await assertNothingLost(site, samples, auditor);
  }
  assert.deepEqual(auditor.strange, []);
  tell(
    t,
    FAULT,
    `${ROUNDS} kills; of ${auditor.acknowledged.size} acknowledged writes and ${samples.size} samples none lost; ready again after at most ${Math.round(slowest)} ms`,
  );
});
