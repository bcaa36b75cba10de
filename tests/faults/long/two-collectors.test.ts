/** Two collectors of one database, one of them killed without a word. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createBed, type PretendA2s, pretendA2s } from "#tests/helpers/test-bed.ts";
import { pause, until } from "#tests/helpers/until.ts";
import { tell } from "../figure.ts";
import { makePlace, type RealSite, startRealSite } from "../real-site.ts";

const SERVERS = 40;
const INTERVAL_S = 2;
const INTERVALS = 6;

let bed: Awaited<ReturnType<typeof createBed>>;
let place: Awaited<ReturnType<typeof makePlace>>;
const running: RealSite[] = [];
const games: PretendA2s[] = [];

before(async () => {
  bed = await createBed();
  place = await makePlace();
});
after(async () => {
  for (const one of running) one.process.kill("SIGTERM");
  await Promise.all(running.map((one) => one.ended));
  await Promise.all(games.map((game) => game.close()));
  await bed.end();
  await place.remove();
});

function startCollector(): RealSite {
  const collector = startRealSite(place, {
    command: [process.execPath, "cli/spawnpoint.ts", "collector"],
    env: { DATABASE_URL: bed.url, POLL_INTERVAL_S: String(INTERVAL_S), PROBE_ALLOW_CIDRS: "127.0.0.0/8" },
  });
  running.push(collector);
  return collector;
}

test("two collectors: each game server is asked once an interval, also after one was killed", async (t) => {
  for (let i = 1; i <= SERVERS; i += 1) {
    const game = await pretendA2s(i, 0, `127.0.9.${i}`);
    games.push(game);
    await bed.addServer({ host: `127.0.9.${i}`, game_port: game.port });
  }
  const [one] = [startCollector(), startCollector()];
  const collectors = async () => (await bed.sql`SELECT FROM collector_process`).length;
  await until("both pulse", async () => (await collectors()) === 2);
  await until("all online", async () => (await bed.statuses()).online === SERVERS);
  await pause(INTERVAL_S * 1000);
  for (const game of games) game.asked = 0;
  const began = performance.now();
  await pause(INTERVALS * INTERVAL_S * 1000);
  const intervals = (performance.now() - began) / INTERVAL_S / 1000;
  const most = Math.max(...games.map((game) => game.asked));
  const total = games.reduce((sum, game) => sum + game.asked, 0);
  // Jitter lets one turn more fall into the time.
  assert.ok(most <= Math.ceil(intervals) + 1, `one was asked ${most} times in ${intervals.toFixed(1)} intervals`);
  assert.ok(total <= SERVERS * intervals * 1.1, `${total} questions`);

  one?.process.kill("SIGKILL");
  for (const game of games) game.players = 60;
  const killed = performance.now();
  await until("the other one has taken over", async () => {
    const rows = await bed.sql`SELECT FROM gameserver_live_metrics WHERE user_online = 60`;
    return rows.length === SERVERS;
  });
  const events = await bed.sql`SELECT FROM gameserver_status_event WHERE to_status IN ('offline', 'degraded')`;
  assert.equal(events.length, 0);
  tell(
    t,
    "two collectors",
    `${(total / SERVERS / intervals).toFixed(2)} questions for each of ${SERVERS} game servers in an interval, none more than ${most} in ${intervals.toFixed(1)}; one killed: all asked by the other after ${Math.round(performance.now() - killed)} ms`,
  );
});
