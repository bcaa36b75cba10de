/** The whole site told to end while visitors, writers and streams are at it. */
import assert from "node:assert/strict";
import http from "node:http";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { connectDatabase } from "#db/client.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { listLost, startAuditingClient } from "../auditing-client.ts";
import { patience, tell } from "../figure.ts";
import { listProcessesOf, makePlace, startRealSite } from "../real-site.ts";

const VISITORS = 24;
const STREAMS = 100;
const PATHS = ["/", "/dashboard", "/games/minecraft", "/login", "/impressum", "/contact"];

type Answer = { status: number; whole: boolean } | { refused: true } | { again: true };

/**
 * One request; `refused`: no connection was had, so nothing was accepted. `again`: it went over a connection that had been
 * idle and was closed before a single byte came back, which every browser and proxy asks again (RFC 9112, 9.3.1). Anything
 * else that breaks is not whole.
 */
function ask(url: string, agent: http.Agent): Promise<Answer> {
  return new Promise((resolve) => {
    let accepted = false;
    const request = http.get(url, { agent }, (response) => {
      response.resume();
      response.on("close", () => resolve({ status: response.statusCode ?? 0, whole: response.complete }));
    });
    request.on("socket", (socket) => {
      accepted = !socket.connecting;
      if (socket.connecting) {
        socket.once("connect", () => {
          accepted = true;
        });
      }
    });
    request.on("error", () => {
      if (request.reusedSocket) resolve({ again: true });
      else resolve(accepted ? { status: 0, whole: false } : { refused: true });
    });
  });
}

test("SIGTERM under load: readiness fails first, no accepted request fails, streams are told, ended in 15 s", async (t) => {
  const testDb = await createTestDatabase();
  const place = await makePlace();
  const site = startRealSite(place, { env: { DATABASE_URL: testDb.url, TRUST_PROXY: "1" } });
  t.after(async () => {
    site.process.kill("SIGTERM");
    await site.ended;
    await testDb.drop();
    await place.remove();
  });
  await site.untilReady(patience(60_000));
  const client = await startAuditingClient(site.url);

  const ended = { streams: 0, told: 0 };
  for (let i = 0; i < STREAMS; i += 1) {
    http
      .get(`${site.url}/live`, { agent: false }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text = (text + part).slice(-200);
        });
        response.on("close", () => {
          ended.streams += 1;
          if (/event: bye\ndata: \d+\n\n$/.test(text)) ended.told += 1;
        });
      })
      .on("error", () => {});
  }

  let stopped = false;
  let firstRefusal: number | null = null;
  let unready: number | null = null;
  const count = { whole: 0, refused: 0, again: 0 };
  const broken: string[] = [];
  async function visit(lane: number) {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = lane; !stopped; i += 1) {
      const answer = await ask(site.url + (PATHS[i % PATHS.length] ?? "/"), agent);
      if ("refused" in answer) {
        count.refused += 1;
        firstRefusal ??= performance.now();
        await pause(50);
      } else if ("again" in answer) count.again += 1;
      else if (answer.whole && answer.status < 500) count.whole += 1;
      else broken.push(`${PATHS[i % PATHS.length]}: ${answer.status}, whole: ${answer.whole}`);
    }
    agent.destroy();
  }
  async function balancer() {
    while (!stopped && unready === null) {
      const answer = await fetch(`${site.url}/readyz`).catch(() => null);
      await answer?.arrayBuffer();
      if (answer?.status === 503) unready = performance.now();
      await pause(10);
    }
  }
  const load = Array.from({ length: VISITORS }, (_, lane) => visit(lane));
  await pause(3_000);
  load.push(balancer());
  const before = count.whole;
  const asked = performance.now();
  site.process.kill("SIGTERM");
  const end = await site.ended;
  const tookMs = performance.now() - asked;
  stopped = true;
  await Promise.all(load);
  await client.stop();

  assert.deepEqual(end, { code: 0, signal: null }, site.output());
  assert.ok(tookMs < patience(15_000), `ended after ${Math.round(tookMs)} ms`);
  assert.deepEqual(await listProcessesOf(place.dataDir), []);
  assert.deepEqual(broken, []);
  assert.deepEqual(client.strange, []);
  assert.ok(unready !== null, "readiness never said no");
  assert.ok(firstRefusal === null || unready < firstRefusal, "a connection was refused before readiness said no");
  assert.deepEqual(ended, { streams: STREAMS, told: STREAMS });
  const database = connectDatabase({ databaseUrl: testDb.url }, { max: 1 });
  const lost = await listLost(database, client);
  await database.close();
  assert.deepEqual(lost, []);
  tell(
    t,
    "SIGTERM under load",
    `ended after ${Math.round(tookMs)} ms; readiness said no ${Math.round(unready - asked)} ms after the signal, the first connection was refused ${firstRefusal === null ? "never" : `${Math.round(firstRefusal - unready)} ms later`}; ${before} requests before and ${count.whole - before} after it, 0 broken, ${count.again} asked again; ${ended.told} of ${STREAMS} streams told; ${client.acknowledged.size} acknowledged writes kept`,
  );
});
