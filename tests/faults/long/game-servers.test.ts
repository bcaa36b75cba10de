/** Game servers that are dead, rude, slow or far away, and a DNS that lies: what the others are shown as does not change. */
import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { after, afterEach, before, test } from "node:test";
import { createGameAddressResolver } from "#outside/game-address.ts";
import { startDns, type Zone } from "#tests/helpers/network/dns-server.ts";
import { createBed, type PretendA2s, pretendA2s } from "#tests/helpers/test-bed.ts";
import { pause, until } from "#tests/helpers/until.ts";
import { tell } from "../figure.ts";

const INTERVAL_S = 2;

let bed: Awaited<ReturnType<typeof createBed>>;
let games: PretendA2s[] = [];

before(async () => {
  bed = await createBed();
});
afterEach(async () => {
  await bed.clear();
  await Promise.all(games.map((game) => game.close()));
  games = [];
});
after(() => bed.end());

/** So many game servers, each at an address of its own, and their ids. */
async function addGames(n: number, net: number): Promise<number[]> {
  const ids: number[] = [];
  for (let i = 1; i <= n; i += 1) {
    const game = await pretendA2s(i, 0, `127.0.${net}.${i}`);
    games.push(game);
    ids.push(await bed.addServer({ host: `127.0.${net}.${i}`, game_port: game.port }));
  }
  return ids;
}

/** How many samples each of these game servers has, and in how many of them it was not online. */
async function samplesOf(ids: number[]): Promise<{ least: number; all: number; bad: number }> {
  const rows = await bed.sql<{ n: number; bad: number }[]>`
    SELECT count(s.asked_at)::int AS n, count(*) FILTER (WHERE s.status <> 'online')::int AS bad
    FROM gameserver g LEFT JOIN gameserver_sample s USING (server_id) WHERE g.server_id = ANY (${ids}) GROUP BY g.server_id`;
  const all = rows.reduce((sum, row) => sum + row.n, 0);
  return { least: Math.min(...rows.map((row) => row.n)), all, bad: rows.reduce((sum, row) => sum + row.bad, 0) };
}

const offlineAmong = async (ids: number[]) =>
  (await bed.sql`SELECT FROM gameserver_status_event WHERE to_status = 'offline' AND server_id = ANY (${ids})`).length;

test("a tenth dead, a tenth resetting, a tenth slow: the others are asked each interval", async (t) => {
  const living = await addGames(70, 2);
  const dead: number[] = [];
  for (let i = 1; i <= 5; i += 1) dead.push(await bed.addServer({ host: `127.0.4.${i}`, game_port: 27015 }));
  const silent = await addGames(5, 5);
  const silentGames = games.slice(-5);
  const slow = await addGames(10, 6);
  for (const game of games.slice(-10)) game.slowMs = 400;
  const rude = createServer((socket) => socket.resetAndDestroy()).listen(0, "0.0.0.0");
  t.after(() => rude.close());
  await once(rude, "listening");
  const { port } = rude.address() as AddressInfo;
  const resetting: number[] = [];
  for (let i = 1; i <= 10; i += 1) {
    resetting.push(await bed.addServer({ host: `127.0.7.${i}`, game_port: port, adapter: "minecraft" }));
  }
  await bed.start({ intervalS: INTERVAL_S });
  const wanted = [...living, ...slow];
  await until("all that answer online", async () => (await bed.statuses()).online === wanted.length + silent.length);
  // One that was never heard would be unknown.
  for (const game of silentGames) game.mute = true;
  const failing = dead.length + silent.length + resetting.length;
  await until("the living online, the rest offline", async () => {
    const { online, offline } = await bed.statuses();
    return online === wanted.length && offline === failing;
  });
  await pause(5 * INTERVAL_S * 1000);
  assert.equal(await offlineAmong(wanted), 0);
  const { least, all } = await samplesOf(living);
  const [{ held } = { held: 0 }] = await bed.sql<{ held: number }[]>`
    SELECT count(*)::int AS held FROM collector_process WHERE delayed_since IS NOT NULL`;
  assert.equal(held, 0, "no fault of ours was seen in it");
  assert.ok(least >= 4, `one of them was asked ${least} times only`);
  tell(
    t,
    "a tenth of the game servers dead, a tenth resetting, a tenth slow",
    `of 100, the 80 that live stayed online, the 20 others offline; ${all} answers of the 70 ordinary ones, the least asked ${least} times`,
  );
});

test("packet loss: a tenth of all packets each way turns nobody offline", async (t) => {
  const ids = await addGames(40, 8);
  await bed.start({ intervalS: INTERVAL_S });
  await until("all online", async () => (await bed.statuses()).online === ids.length);
  for (const game of games) game.loss = 0.1;
  await pause(12 * INTERVAL_S * 1000);
  for (const game of games) game.loss = 0;
  assert.equal(await offlineAmong(ids), 0);
  const { all, bad } = await samplesOf(ids);
  await until("all online again", async () => (await bed.statuses()).online === ids.length);
  tell(
    t,
    "packet loss",
    `a tenth lost each way in front of ${ids.length} game servers: none offline, ${bad} of ${all} samples without an answer`,
  );
});

test("a DNS that flips to 127.0.0.1 reaches nothing there; one that hangs holds up nobody", async (t) => {
  const game = await pretendA2s(5, 0, "127.66.0.1");
  games.push(game);
  const trap = createSocket("udp4");
  let trapped = 0;
  trap.on("message", () => {
    trapped += 1;
  });
  trap.bind(game.port, "127.0.0.1");
  await once(trap, "listening");
  const zone: Zone = { "A flip.example": { data: ["127.66.0.1"] } };
  for (let i = 0; i < 20; i += 1) zone[`A hang${i}.example`] = "hang";
  const dns = await startDns(t, zone);
  let ahead = 0;
  const resolver = createGameAddressResolver({
    allowCidrs: ["127.66.0.0/16"],
    servers: [dns.server],
    now: () => Date.now() + ahead,
  });
  const flipping = await bed.addServer({ host: "flip.example", game_port: game.port });
  const hanging: number[] = [];
  for (let i = 0; i < 20; i += 1) hanging.push(await bed.addServer({ host: `hang${i}.example`, game_port: 27015 }));
  const steady = await bed.addServer({ host: "127.66.0.1", game_port: game.port });
  await bed.start({ intervalS: 1, outside: { resolver } });
  await until("both online", async () => (await bed.statuses()).online === 2);
  // In turns, faster than any cache: what was checked must be what is asked.
  for (let turn = 0; turn < 20; turn += 1) {
    dns.zone["A flip.example"] = { ttl: 0, data: turn % 2 === 0 ? ["127.0.0.1"] : ["127.66.0.1", "127.0.0.1"] };
    ahead += 400_000;
    await pause(300);
  }
  dns.zone["A flip.example"] = { ttl: 0, data: ["127.0.0.1"] };
  ahead += 400_000;
  await until("blocked", async () => (await bed.row(flipping)).failure === "blocked");
  trap.close();
  assert.equal(trapped, 0);
  assert.equal((await bed.row(steady)).status, "online");
  assert.equal(await offlineAmong([steady, ...hanging]), 0);
  const { all } = await samplesOf([steady]);
  tell(
    t,
    "DNS that hangs or flips to 127.0.0.1",
    `20 flips: 0 packets reached 127.0.0.1, then "blocked"; beside 20 names that hang a literal address was asked ${all} times`,
  );
});
