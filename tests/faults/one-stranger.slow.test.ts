/** One attacker floods the site with connections, from one address or from many of one network. Others are answered all the same. */
import assert from "node:assert/strict";
import { get } from "node:http";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { seedDemoContent } from "#demo/demo-content.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { gatherCrowd, type Kind, startFlood } from "#tests/helpers/network/beside-flood.ts";
import type { FloodOrder } from "#tests/helpers/network/flooder.ts";
import { percentile, tell } from "./figure.ts";
import { makePlace, type RealSite, startRealSite } from "./real-site.ts";

const SECRET = "a secret of this test, as long as it has to be";
let database: TestDatabase;
let place: Awaited<ReturnType<typeof makePlace>>;
let site: RealSite;
let act: Awaited<ReturnType<typeof gatherCrowd>>;

before(async () => {
  database = await createTestDatabase();
  await seedDemoContent(database.db);
  place = await makePlace();
  site = startRealSite(place, {
    command: [process.execPath, "cli/spawnpoint.ts", "web"],
    env: { DATABASE_URL: database.url, AUTH_SECRET: SECRET, WEB_WORKERS: "2", TRUST_PROXY: "1" },
  });
  while ((await statusOf("/login/")) !== 200) {
    assert.equal(site.process.exitCode, null, site.output());
    await pause(50);
  }
  act = await gatherCrowd({ port: place.port, database, secret: SECRET });
});

after(async () => {
  site?.process.kill("SIGTERM");
  await site?.ended;
  await database?.drop();
  await place?.remove();
});

/** 0: no answer. */
function statusOf(path: string): Promise<number> {
  return new Promise((resolve) => {
    get(`${`http://127.0.0.1:${place.port}`}${path}`, { agent: false, timeout: 30_000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on("timeout", () => resolve(0))
      .on("error", () => resolve(0));
  });
}

/** Waits for a page must be this many times shorter than the attacker's own. */
const TIMES_SHORTER = 8;

/** An IPv4 address, and 250 /64s of one IPv6 /48. */
const FLOODS = {
  "one address with 700 connections": { localAddress: "127.0.0.2", connections: 700 },
  "one IPv6 /48 with 750 connections of 250 /64s": {
    localAddress: "127.0.0.2",
    connections: 750,
    forwarded: Array.from({ length: 250 }, (_, n) => `2001:db8:7:${n.toString(16)}::1`),
  },
} satisfies Record<string, Partial<FloodOrder>>;

for (const [name, order] of Object.entries(FLOODS))
  test(`${name}: everybody else's pages, sign-ins, messages and an admin's acts are answered`, async (t) => {
    const idle = await act(2, 400);
    const flood = await startFlood({ port: place.port, path: "/login/", ...order });
    await pause(500);
    const alive: Promise<number>[] = [];
    const pings = setInterval(() => alive.push(statusOf("/livez")), 250);
    const tallies = await act(4, 400);
    clearInterval(pings);
    const { statuses, seconds } = await flood.stop();
    const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0);
    const ownWait = (order.connections * seconds * 1000) / answers;
    for (const kind of Object.keys(tallies) as Kind[]) {
      const { asked, answered, times, wrong } = tallies[kind];
      assert.equal(answered, asked, `${kind}: ${JSON.stringify(wrong)}`);
      const [median, slow, quiet] = [percentile(times, 50), percentile(times, 95), percentile(idle[kind].times, 50)];
      tell(
        t,
        name,
        `${answered} of ${asked} ${kind} answered, the median after ${median.toFixed(0)} ms, 95 % within ${slow.toFixed(0)} ms (idle: ${quiet.toFixed(0)} ms); the attacker waits ${ownWait.toFixed(0)} ms`,
      );
      const added = median - quiet;
      assert.ok(added < ownWait / TIMES_SHORTER, `${kind} wait ${added} ms longer, the attacker ${ownWait} ms`);
    }
    assert.deepEqual([...new Set(await Promise.all(alive))], [200], "/livez");
    assert.ok((statuses["200"] ?? 0) > 0, "the attacker is served too, in turn");
  });
