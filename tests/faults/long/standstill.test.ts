/** The demo site, one of whose processes stands still for ten seconds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { until } from "#tests/helpers/until.ts";
import { patience, tell } from "../figure.ts";
import { listProcessesOf, makePlace, startRealSite } from "../real-site.ts";

const STILL_MS = 10_000;

test("a process that stands still for 10 s turns nobody offline and goes on by itself", async (t) => {
  const place = await makePlace();
  const site = startRealSite(place);
  t.after(async () => {
    site.process.kill("SIGTERM");
    await site.ended;
    assert.deepEqual(await listProcessesOf(place.dataDir), []);
    await place.remove();
  });
  await site.untilReady(patience(60_000));
  const { sql, close } = site.openDatabase();
  const asked = async () =>
    (await sql`SELECT FROM gameserver_sample WHERE asked_at > now() - interval '1 second'`).length;
  await until("samples", async () => (await asked()) > 0);
  // The demo comes with a month behind it, in which game servers were down.
  const [{ now } = { now: "" }] = await sql<{ now: string }[]>`SELECT now()::text AS now`;
  const figures: string[] = [];
  for (const name of ["collector", "web"]) {
    const line = (await listProcessesOf(place.dataDir)).find((text) => text.endsWith(`spawnpoint.ts ${name}`)) ?? "";
    const pid = Number.parseInt(line, 10);
    process.kill(pid, "SIGSTOP");
    await pause(STILL_MS);
    process.kill(pid, "SIGCONT");
    const began = performance.now();
    await until(`${name} goes on`, async () => {
      const answer = await fetch(`${site.url}/readyz`);
      await answer.arrayBuffer();
      return answer.status === 200 && (await asked()) > 0;
    });
    figures.push(`${name} went on ${Math.round(performance.now() - began)} ms after it`);
    assert.ok((await listProcessesOf(place.dataDir)).includes(line), `${name} was started anew`);
    // What a wrong judgement would need: three more questions.
    await pause(4_000);
  }
  const offline = await sql`
    SELECT server_name, failure FROM gameserver_status_event JOIN gameserver USING (server_id)
    WHERE to_status = 'offline' AND changed_at > ${now}::timestamptz AND server_name <> 'Valheim Modded'`;
  await close();
  assert.deepEqual([...offline], []);
  tell(t, "a stalled event loop", `${STILL_MS / 1000} s each: ${figures.join("; ")}; none offline`);
});
