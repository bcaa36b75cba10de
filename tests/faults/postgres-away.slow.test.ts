import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { connectDatabase, type Database } from "#db/client.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { listLost, startAuditingClient } from "./auditing-client.ts";
import { patience, percentile, tell } from "./figure.ts";
import { FULL, listProcessesOf, makePlace, type RealSite, startRealSite } from "./real-site.ts";
import { startDatabaseWire } from "./wire.ts";

const AWAY_MS = FULL ? 60_000 : 5000;
const PAGES = ["/", "/games/minecraft", "/games/valheim", "/dashboard"];

/** What Discord's requests are signed with; the site knows the public half. */
const discord = generateKeyPairSync("ed25519");
const DISCORD_PUBLIC_KEY = Buffer.from(String(discord.publicKey.export({ format: "jwk" }).x), "base64url").toString(
  "hex",
);
let commands = 0;

/** Asks a slash command as Discord does. Returns the names in its answer and how many ms it took. */
async function askCommand(site: RealSite): Promise<{ said: string; ms: number }> {
  commands += 1;
  const id = String(9_000_000_000_000_000 + commands);
  const body = JSON.stringify({ id, type: 2, data: { id: "1", type: 1, name: "servers" } });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const began = performance.now();
  const answer = await fetch(`${site.url}/discord/interactions`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-Signature-Ed25519": sign(null, Buffer.from(timestamp + body), discord.privateKey).toString("hex"),
      "X-Signature-Timestamp": timestamp,
    },
    body,
    signal: AbortSignal.timeout(patience(3000)),
  });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return { said: text, ms: performance.now() - began };
}

/** A way for Postgres to be gone: on a site of its own, how it goes, how it comes back (by itself where null). */
type Absence = {
  how: string;
  env: NodeJS.ProcessEnv;
  openDatabase: (site: RealSite) => Database;
  leave: (site: RealSite) => unknown;
  comeBack: ((site: RealSite) => unknown) | null;
  end: () => Promise<void>;
};

const embedded = { env: {}, openDatabase: (site: RealSite) => site.openDatabase(), end: async () => {} };

async function cutOff(): Promise<Absence> {
  const testDb = await createTestDatabase();
  const { wire, url } = await startDatabaseWire(testDb.url);
  return {
    how: `cannot be reached for ${AWAY_MS / 1000} s`,
    env: { DATABASE_URL: url },
    openDatabase: () => connectDatabase({ databaseUrl: testDb.url }, { max: 1 }),
    leave: () => wire.cut(),
    comeBack: () => wire.mend(),
    end: async () => {
      await wire.close();
      await testDb.drop();
    },
  };
}

const ABSENCES: (() => Promise<Absence>)[] = [
  async () => ({
    ...embedded,
    how: `hangs for ${AWAY_MS / 1000} s`,
    leave: (site) => site.signalPostgres("SIGSTOP"),
    comeBack: (site) => site.signalPostgres("SIGCONT"),
  }),
  async () => ({ ...embedded, how: "is killed", leave: (site) => site.signalPostgres("SIGKILL"), comeBack: null }),
  ...(FULL ? [cutOff] : []),
];

for (const [index, make] of ABSENCES.entries()) {
  const name = ["hangs", "is killed", "cannot be reached"][index];
  test(`while Postgres ${name}, visitors get pages, Discord its answers, writes are refused, nothing turns offline, and it is live again in 10 s`, async (t) => {
    const absence = await make();
    const place = await makePlace();
    const site = startRealSite(place, { env: { TRUST_PROXY: "1", DISCORD_PUBLIC_KEY, ...absence.env } });
    t.after(async () => {
      site.process.kill("SIGTERM");
      await site.ended;
      assert.deepEqual(await listProcessesOf(place.dataDir), []);
      await absence.end();
      await place.remove();
    });
    await site.untilReady(patience(60_000));
    const client = await startAuditingClient(site.url, 2);
    const before = absence.openDatabase(site);
    const [{ now } = { now: "" }] = await before.sql<{ now: string }[]>`SELECT now()::text AS now`;
    await before.close();
    // Every page has been asked for once, as on any site that has visitors.
    for (const page of PAGES) assert.equal((await fetch(site.url + page)).status, 200);

    await absence.leave(site);
    const left = performance.now();
    const deadline = left + (absence.comeBack === null ? 0 : AWAY_MS);
    let pages = 0;
    const commandMs: number[] = [];
    do {
      for (const page of PAGES) {
        const answer = await fetch(site.url + page, { signal: AbortSignal.timeout(patience(3000)) }).catch((error) =>
          assert.fail(`${page}: ${error} (${error.cause}); the site said:\n${site.output()}`),
        );
        assert.equal(answer.status, 200, page);
        await answer.body?.cancel();
        pages += 1;
      }
      const { said, ms } = await askCommand(site);
      assert.match(said, /Minecraft/);
      commandMs.push(ms);
      await pause(100);
    } while (performance.now() < deadline);
    const commandP99 = percentile(commandMs, 99);
    assert.ok(commandP99 < patience(300), `slash commands: p99 ${commandP99.toFixed(0)} ms`);
    // A write may have been under way for a while when Postgres left.
    const waits = client.refusals.map(({ askedAt, refusedAt }) => refusedAt - Math.max(askedAt, left));
    const refusedMs = Math.round(Math.max(0, ...waits));
    await absence.comeBack?.(site);
    const returned = performance.now();
    const liveAgain = async () => {
      const ready = await fetch(`${site.url}/readyz`, { signal: AbortSignal.timeout(3000) }).catch(() => null);
      await ready?.body?.cancel();
      return ready?.status === 200;
    };
    while (!(await liveAgain())) {
      assert.ok(performance.now() - returned < patience(10_000), `not live again; it said:\n${site.output()}`);
      await pause(50);
    }
    const backMs = Math.round(performance.now() - returned);

    const after = absence.openDatabase(site);
    const fresh = () => after.sql`SELECT 1 FROM gameserver_sample WHERE asked_at > now() - interval '2 seconds'`;
    while ((await fresh()).length === 0) {
      assert.ok(performance.now() - returned < patience(10_000), "no new samples");
      await pause(50);
    }
    await client.stop();
    // One pretend game server goes down by itself now and then; nothing else may.
    const offline = await after.sql<{ server_name: string; failure: string | null }[]>`
      SELECT server_name, failure FROM gameserver_status_event JOIN gameserver USING (server_id)
      WHERE to_status = 'offline' AND changed_at > ${now}::timestamptz AND server_name <> 'Valheim Modded'`;
    const lost = await listLost(after, client);
    await after.close();
    assert.deepEqual([...offline], []);
    assert.deepEqual(lost, []);
    assert.deepEqual(client.strange, []);
    if (absence.comeBack !== null) assert.ok(client.refusals.length > 0, "no write was refused");
    const late = client.refusals.filter((_, index) => (waits[index] ?? 0) >= patience(3_000));
    const when = late.map(({ askedAt, refusedAt }) => [askedAt - left, refusedAt - left].map(Math.round).join("–"));
    assert.deepEqual(when, [], "ms after Postgres left: asked–refused only at");
    tell(
      t,
      "Postgres gone for 60 s",
      `${absence.how}: ${pages} pages, all 200; ${commandMs.length} slash commands, p99 ${commandP99.toFixed(0)} ms; ${client.refusals.length} writes refused after at most ${refusedMs} ms; live again after ${backMs} ms; none offline; none of ${client.acknowledged.size} acknowledged writes lost`,
    );
  });
}
