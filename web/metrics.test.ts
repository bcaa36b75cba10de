// What Prometheus is told of a web process, asked of a running site.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pino } from "pino";
import { readConfig } from "#config";
import { seedDemoContent } from "#demo/demo-content.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { createWebMetrics } from "./metrics.ts";
import { startWeb, type Web } from "./server.ts";

const metrics = createWebMetrics();
let database: TestDatabase;
let web: Web;
let base: string;

before(async () => {
  database = await createTestDatabase();
  await seedDemoContent(database.db);
  const config = readConfig({ PORT: "0", DATABASE_URL: database.url, LOG_LEVEL: "silent" });
  web = await startWeb(config, { log: pino({ level: "silent" }), metrics });
  base = `http://127.0.0.1:${web.port}`;
});

after(async () => {
  await web.stop();
  await database.drop();
});

const ask = async (path: string, init?: RequestInit) =>
  (await fetch(base + path, { redirect: "manual", ...init })).text();

/** The samples of a metric: its labels (or "") and its value. */
async function samples(name: string): Promise<Record<string, number>> {
  const lines = (await metrics.registry.metrics()).split("\n").filter((line) => line.replace(/[{ ].*/, "") === name);
  return Object.fromEntries(
    lines.map((line) => {
      const [, labels = "", value = ""] = /^[^{ ]+(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      return [labels, value === "+Inf" ? Infinity : Number(value)];
    }),
  );
}

test("nothing of it is on the public port", async () => {
  assert.equal((await fetch(`${base}/metrics`)).status, 404);
});

test("whatever strangers ask for, the names stay few", async () => {
  const made = Array.from({ length: 40 }, (_, n) => `/nowhere-${n}/${"x".repeat(n)}`);
  await Promise.all(
    [...made, ...made.map((path) => `/games${path}`), "/api/v1/zz", "/avatars/zz"].map((path) => ask(path)),
  );
  await ask("/", { method: "PROPFIND" }).catch(() => "");
  const names = Object.keys(await samples("spawnpoint_http_request_duration_seconds_count"));
  assert.ok(names.length < 15, names.join("\n"));
  assert.ok(!(await metrics.registry.metrics()).includes("nowhere"));
});

test("requests are counted by their route's pattern, cached pages and streams for themselves", async () => {
  await ask("/");
  await ask("/de/");
  await ask("/games/none-of-ours");
  await ask("/login/");
  await ask("/livez");
  const stream = new AbortController();
  const live = await fetch(`${base}/live`, { signal: stream.signal });
  await live.body?.getReader().read();
  assert.deepEqual(await samples("spawnpoint_live_streams"), { "": 1 });
  const counted = await samples("spawnpoint_http_request_duration_seconds_count");
  assert.equal(counted['method="GET",route="/",status="200"'], 2);
  for (const route of ["/games/:slug", "/login", "/livez"]) {
    const status = route === "/games/:slug" ? 404 : 200;
    assert.ok((counted[`method="GET",route="${route}",status="${status}"`] ?? 0) >= 1, route);
  }
  const pages = await samples("spawnpoint_page_cache_requests_total");
  assert.ok((pages['result="made"'] ?? 0) >= 3, JSON.stringify(pages));
  await ask("/");
  assert.ok(((await samples("spawnpoint_page_cache_requests_total"))['result="fresh"'] ?? 0) >= 1);
  const ofApi = await fetch(`${base}/api/v1/live`, { signal: stream.signal });
  assert.equal(ofApi.status, 200);
  await ofApi.body?.getReader().read();
  assert.equal((await fetch(`${base}/api/v1/live?nothing=of-ours`)).status, 400);
  stream.abort();
  while ((await samples("spawnpoint_live_streams_ended_total"))[""] !== 2) await new Promise((r) => setTimeout(r, 20));
  const live200 = Object.keys(await samples("spawnpoint_http_request_duration_seconds_count")).filter((labels) =>
    /route="\/(?:api\/v1\/)?live",status="(?:200|499)"/.test(labels),
  );
  assert.deepEqual(live200, [], "how long somebody watches is no request's duration");
});

test("the jobs of a web process are counted, measured and dated from their first run on", async () => {
  while (!((await samples("spawnpoint_job_age_seconds"))['job_name="mails"'] !== undefined))
    await new Promise((r) => setTimeout(r, 20));
  const runs = await samples("spawnpoint_job_runs_total");
  assert.ok((runs['job_name="mails",outcome="ok"'] ?? 0) >= 1);
  assert.equal(runs['job_name="account-eraser",outcome="ok"'], 0, "not yet, and not absent");
  assert.equal((await samples("spawnpoint_job_failing"))['job_name="mails"'], 0);
  assert.ok(((await samples("spawnpoint_job_duration_seconds"))['job_name="mails"'] ?? 0) > 0);
  assert.ok(!Object.keys(runs).some((labels) => labels.includes("pulse")), "that is the collector's");
});

test("what all processes share is read from the database, and absent while it is away", async (t) => {
  assert.deepEqual(await samples("spawnpoint_database_up"), { "": 1 });
  assert.deepEqual(await samples("spawnpoint_collectors"), { "": 0 });
  assert.ok(((await samples("spawnpoint_database_connections_max"))[""] ?? 0) > 10);
  assert.ok(((await samples("spawnpoint_database_answer_seconds"))[""] ?? 0) > 0);
  assert.deepEqual(await samples("spawnpoint_mails"), {
    'state="waiting"': 0,
    'state="retrying"': 0,
    'state="given_up"': 0,
  });
  assert.deepEqual(await samples("spawnpoint_database_takes_writes"), { "": 1 });
  assert.deepEqual(await samples("spawnpoint_backup_age_seconds"), { "": Infinity });
  assert.deepEqual(await samples("spawnpoint_backup_failed"), { "": 0 });
  const free = (await samples("spawnpoint_disk_free_bytes"))['disk="data"'] ?? 0;
  assert.ok(free > 0 && free <= ((await samples("spawnpoint_disk_bytes"))['disk="data"'] ?? 0));
  // This site has no certificate to tell of.
  assert.deepEqual(await samples("spawnpoint_certificate_days_left"), {});
  const programs = Object.keys(await samples("spawnpoint_database_connections")).join("\n");
  assert.match(programs, /program="spawnpoint-web"/);
  assert.deepEqual(await samples("spawnpoint_events_waiting"), { "": 0 });
  const statuses = await samples("spawnpoint_game_servers");
  assert.ok(Object.keys(statuses).every((name) => /^status="[a-z]+"$/.test(name)));
  // Kept for five seconds; the clock of this test goes faster.
  let last = performance.now() + 6_000;
  t.mock.method(performance, "now", () => last);
  await database.sql`insert into backups (backup_id, file_name, machine, scheduled, started_at, made_at, proven_at)
    values (gen_random_uuid(), 'a', 'm', true, now() - interval '3 days', now() - interval '3 days', now() - interval '2 days')`;
  const ages = [await samples("spawnpoint_backup_age_seconds"), await samples("spawnpoint_backup_proof_age_seconds")];
  assert.deepEqual(
    ages.map((age) => Math.round((age[""] ?? 0) / 86_400)),
    [3, 2],
  );
  last += 6_000;
  await database.sql`alter table notification_deliveries rename to deliveries_away`;
  assert.deepEqual(await samples("spawnpoint_database_up"), { "": 0 });
  assert.deepEqual(await samples("spawnpoint_collectors"), {});
  assert.deepEqual(await samples("spawnpoint_mails"), {});
  await database.sql`alter table deliveries_away rename to notification_deliveries`;
});
