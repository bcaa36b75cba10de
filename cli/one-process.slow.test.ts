/** A small machine: one process answers visitors and watches the game servers, and both begin again when it dies. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { killGroup, listProcessesOf, makePlace, startRealSite } from "#tests/faults/real-site.ts";
import { until } from "#tests/helpers/until.ts";

test("web and collector share a process; killed, both are back without a hand step", async (t) => {
  if (process.platform !== "linux") return t.skip("finds the processes in /proc");
  const place = await makePlace();
  const site = startRealSite(place, { env: { ONE_PROCESS: "1", WEB_WORKERS: "3" } });
  t.after(async () => {
    site.process.kill("SIGTERM");
    await Promise.race([site.ended, new Promise((resolve) => setTimeout(resolve, 30_000))]);
    killGroup(site.process.pid ?? 0);
    await place.remove();
  });
  await site.untilReady(60_000);
  const database = site.openDatabase();
  t.after(() => database.close());
  const ticks = async (after: string) => {
    const rows = await database.sql`select from collector_process where last_tick_at > ${after}`;
    return rows.length > 0;
  };
  const now = async () => (await database.sql<{ at: string }[]>`select now()::text as at`)[0]?.at ?? "";
  const begun = await now();
  await until("it watches", () => ticks(begun));
  assert.match(site.output(), /share a process/);
  const running = async () => {
    const lines = (await listProcessesOf(place.dataDir)).filter((line) => line.includes("spawnpoint.ts"));
    return lines.map((line) => [Number.parseInt(line, 10), line.replace(/^.*spawnpoint\.ts /, "")] as const);
  };
  const before = await running();
  assert.deepEqual(before.map(([, args]) => args).sort(), ["demo", "start --demo", "web --with-collector"]);
  const [killed = 0] = before.find(([, args]) => args.startsWith("web")) ?? [];
  process.kill(killed, "SIGKILL");
  const at = await now();
  await until("it answers and watches again", async () => {
    const answer = await fetch(`${site.url}/readyz`).catch(() => null);
    await answer?.arrayBuffer();
    return answer?.status === 200 && ticks(at);
  });
  assert.notEqual((await running()).find(([, args]) => args.startsWith("web"))?.[0], killed);
});
