/** Jobs on a real Postgres: their pace, the lock over all machines, what is written down of them, and their end. */
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import { pino } from "pino";
import { connectDatabase, type Database } from "#db/client.ts";
import { listLastRuns } from "#domain/site/jobs.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { until } from "#tests/helpers/until.ts";
import { findDue } from "./due-conditions.ts";
import { exclusively } from "./exclusively.ts";
import { SCHEDULE } from "./schedule.ts";
import { type Job, type JobMetrics, type RunningJobs, startJobs } from "./start-jobs.ts";

const log = pino({ level: "silent" });
const running: RunningJobs[] = [];
const machines: Database[] = [];
let database: TestDatabase;

before(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((jobs) => jobs.stop()));
  await Promise.all(machines.splice(0).map((machine) => machine.close()));
  await database.sql`delete from jobs`;
});
after(() => database.drop());

/** Starts jobs as one machine would, with a pool of its own. */
async function start(jobs: Record<string, Job<object>>, metrics?: JobMetrics) {
  const machine = connectDatabase({ databaseUrl: database.url }, { max: 2, applicationName: "a machine" });
  machines.push(machine);
  const started = await startJobs(jobs, {}, { database: machine, log, metrics });
  running.push(started);
  return started;
}

const lastRun = async (name: string) => (await listLastRuns(database.db)).get(name);

test("a job that fails stops no other, and what went wrong is written down without values", async () => {
  let failing = true;
  let others = 0;
  await start({
    failing: {
      everyMs: 20,
      atOnce: "any",
      async run() {
        if (failing) await database.db.execute(sql`select ${"of ann@example.org"}::int`);
      },
    },
    other: {
      everyMs: 20,
      atOnce: "any",
      run: async () => {
        others += 1;
      },
    },
  });
  const failed = await until("the failure", async () => (await lastRun("failing"))?.failure && lastRun("failing"));
  assert.equal(failed?.failing, true);
  assert.match(failed?.failure?.text ?? "", /^invalid input syntax for type integer/);
  assert.doesNotMatch(failed?.failure?.text ?? "", /ann|select/);
  assert.ok(failed?.machine);
  const soFar = others;
  await until("the other goes on", () => others > soFar + 3);
  failing = false;
  const well = await until("well again", async () => {
    const run = await lastRun("failing");
    return run?.failing === false && run;
  });
  assert.equal(well.failure?.text, failed?.failure?.text, "the last failure stays to be read");
  assert.equal((await lastRun("other"))?.failure, null);
});

test("none runs twice at once; who is woken meanwhile runs again, and a NOTIFY wakes too", async () => {
  let atOnce = 0;
  let most = 0;
  let runs = 0;
  const jobs = await start({
    slow: {
      everyMs: 10,
      atOnce: "any",
      async run() {
        most = Math.max(most, ++atOnce);
        await pause(60);
        atOnce -= 1;
      },
    },
    woken: {
      everyMs: 3_600_000,
      wokenBy: "a_channel",
      atOnce: "any",
      async run() {
        runs += 1;
        await pause(100);
      },
    },
  });
  await until("listening and looking have had their runs", () => runs >= 1);
  await pause(400);
  const before = runs;
  jobs.wake("woken");
  await pause(20);
  jobs.wake("woken");
  jobs.wake("woken");
  await until("one more for all that was asked meanwhile", () => runs === before + 2);
  await database.sql`select pg_notify('a_channel', '')`;
  await until("the notification", () => runs === before + 3);
  await pause(250);
  assert.equal(runs, before + 3);
  assert.equal(most, 1);
});

test("a job with a condition runs where it holds, at its own pace, and not where it does not", async () => {
  let runs = 0;
  const due = (name: string) => sql`exists (select from jobs where name = ${name})`;
  await start({
    waiting: {
      everyMs: 20,
      due: due("something to do"),
      atOnce: "any",
      run: async () => {
        runs += 1;
      },
    },
    // Of all conditions one statement is made; each answers for itself.
    other: { everyMs: 20, due: due("nobody"), atOnce: "any", run: async () => {} },
  });
  await until("the run at the start", () => runs >= 1);
  const before = runs;
  await pause(300);
  assert.equal(runs, before, "nothing is due");
  await database.sql`insert into jobs (name, started_at, finished_at, duration_ms, machine) values ('something to do', now(), now(), 1, 'm')`;
  await until("it runs again and again", () => runs >= before + 3);
  await database.sql`delete from jobs where name = 'something to do'`;
  await pause(100);
  const after = runs;
  await pause(300);
  assert.equal(runs, after, "it is done");
});

test("what the jobs of the list wait for can be asked of this database, and is not there on a new site", async () => {
  const jobs: [string, { due?: SQL }][] = Object.values(SCHEDULE).flatMap((some) => Object.entries(some));
  const conditions = new Map(jobs.flatMap(([name, { due }]) => (due ? [[name, due] as const] : [])));
  assert.ok(conditions.size >= 11);
  assert.deepEqual(await findDue(database.db, conditions), new Set());
  await database.sql`
    insert into notification_deliveries (channel, mail_to, locale, template, payload, dedupe_key)
    values ('mail', 'ann@example.org', 'en', 'sign-in-code', '{}', 'a mail')`;
  assert.deepEqual(await findDue(database.db, conditions), new Set(["mails"]));
  await database.sql`delete from notification_deliveries`;
});

test("a job for one at a time is done by one of all machines, and by another when that one is cut off", async () => {
  let atOnce = 0;
  let most = 0;
  const done: number[] = [];
  let hold = false;
  const jobs = (machine: number): Record<string, Job<object>> => ({
    alone: {
      everyMs: 10,
      atOnce: "one",
      run: ({ exclusively: alone }) =>
        alone(async (transaction) => {
          most = Math.max(most, ++atOnce);
          try {
            await transaction`select pg_sleep(${hold ? 30 : 0.02}::float8)`;
            done.push(machine);
          } finally {
            atOnce -= 1;
          }
        }),
    },
  });
  for (const machine of [1, 2, 3]) await start(jobs(machine));
  await until("every machine had a turn", () => new Set(done).size === 3);
  assert.equal(most, 1);
  hold = true;
  const holder = await until("one holds it", async () => {
    const [found] = await database.sql`
      select pid from pg_stat_activity where application_name = 'a machine' and query like 'select pg_sleep%' and state = 'active'
        and now() - query_start > interval '0.2 seconds'`;
    return found;
  });
  assert.equal(await exclusively(database.sql, "alone")(async () => "ours"), undefined);
  hold = false;
  done.length = 0;
  await database.sql`select pg_terminate_backend(${holder.pid})`;
  // The database lets go of the lock before the one that was cut off hears of it.
  await until("all go on, the one that was cut off too", () => new Set(done).size === 3);
});

test("what failed while the database was away is told once it is back", async () => {
  let fail: Error | null = null;
  const told: boolean[] = [];
  await start(
    {
      away: {
        everyMs: 20,
        atOnce: "any",
        async run() {
          if (fail) throw fail;
        },
      },
    },
    { ran: (_, { failed }) => told.push(failed) },
  );
  await until("a first run", () => lastRun("away"));
  fail = Object.assign(new Error("connect refused"), { code: "ECONNREFUSED" });
  await until("failures", () => told.includes(true));
  assert.equal((await lastRun("away"))?.failure, null, "nobody asks a database that is away to write it down");
  await pause(300);
  fail = null;
  const run = await until("told", async () => (await lastRun("away"))?.failure && lastRun("away"));
  assert.equal(run?.failure?.text, "connect refused");
  assert.equal(run?.failing, false);
  assert.ok(Date.parse(run?.failure?.at ?? "") < Date.parse(run?.finished_at ?? ""));
});

test("a stop waits for what is under way within its limit, and nothing begins after it", async () => {
  let ended = 0;
  let begun = 0;
  const isUnderWay = Promise.withResolvers<void>();
  const jobs = await start({
    short: {
      everyMs: 10,
      atOnce: "any",
      async run({ signal }) {
        begun += 1;
        isUnderWay.resolve();
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        await pause(100);
        ended += 1;
      },
    },
    endless: { everyMs: 10, atOnce: "any", stopWithinMs: 300, run: () => new Promise(() => {}) },
    late: {
      everyMs: 3_600_000,
      firstMs: 3_600_000,
      atOnce: "any",
      run: async () => {
        begun += 100;
      },
    },
  });
  await isUnderWay.promise;
  const began = performance.now();
  await jobs.stop();
  const took = performance.now() - began;
  assert.equal(begun, 1);
  assert.equal(ended, 1);
  assert.ok(took >= 290, `${took} ms`);
  jobs.wake("short");
  jobs.wake("late");
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(begun, 1);
});
