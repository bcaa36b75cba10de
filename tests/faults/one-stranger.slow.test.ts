/** One stranger wants everything: all connections, all upload places, all streams. Others go on, over all web processes. */
import assert from "node:assert/strict";
import { get } from "node:http";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { seedDemoContent } from "#demo/demo-content.ts";
import { type FloodedSite, gatherCrowd, type Kind, startFlood } from "#tests/helpers/beside-flood.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { percentile, tell } from "./figure.ts";
import { makePlace, type RealSite, startRealSite } from "./real-site.ts";

const SECRET = "a secret of this test, as long as it has to be";
let database: TestDatabase;
let place: Awaited<ReturnType<typeof makePlace>>;
let site: RealSite;
let at: FloodedSite;

before(async () => {
  database = await createTestDatabase();
  await seedDemoContent(database.db);
  place = await makePlace();
  site = startRealSite(place, {
    command: [process.execPath, "cli/spawnpoint.ts", "web"],
    env: { DATABASE_URL: database.url, AUTH_SECRET: SECRET, WEB_WORKERS: "2", TRUST_PROXY: "0" },
  });
  at = { port: place.port, database, secret: SECRET };
  while ((await statusOf("/login/")) !== 200) {
    assert.equal(site.process.exitCode, null, site.output());
    await pause(50);
  }
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

test("700 connections of one address: everybody else's pages, sign-ins, messages and an admin's acts are answered", async (t) => {
  const fault = "one stranger with 700 connections";
  const act = await gatherCrowd(at);
  const flood = await startFlood({ port: at.port, path: "/login/", localAddress: "127.0.0.2", connections: 700 });
  await pause(500);
  const alive: Promise<number>[] = [];
  const pings = setInterval(() => alive.push(statusOf("/livez")), 250);
  const tallies = await act(3, 400);
  clearInterval(pings);
  const { statuses } = await flood.stop();
  for (const kind of Object.keys(tallies) as Kind[]) {
    const { asked, answered, times, wrong } = tallies[kind];
    assert.equal(answered, asked, `${kind}: ${JSON.stringify(wrong)}`);
    tell(t, fault, `${answered} of ${asked} ${kind} answered, the median after ${percentile(times, 50).toFixed(0)} ms`);
  }
  assert.deepEqual([...new Set(await Promise.all(alive))], [200], "/livez");
  assert.ok((statuses["200"] ?? 0) > 0, "the stranger is served too, in turn");
});
