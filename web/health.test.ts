/** What readiness is judged by: tables that this version can work with, to the newest migration. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connectDatabase, type Database } from "#db/client.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { createReadinessCheck, createWriteCheck } from "./health.ts";

let testDb: TestDatabase;
let database: Database;

before(async () => {
  testDb = await createTestDatabase();
  database = connectDatabase({ databaseUrl: testDb.url }, { max: 2 });
});

after(async () => {
  await database.close();
  await testDb.drop();
});

const read = () =>
  createReadinessCheck(database, {
    hub: { connected: () => true },
    canWrite: createWriteCheck(database),
    stopping: () => false,
  })();
const look = async () => (await read()).checks;

test("a collector is alive by the database's clock, whatever this machine's own says", async (t) => {
  const pulse = (ago: string) => testDb.sql`
    insert into collector_process (collector_id, started_at, last_tick_at)
    values ('00000000-0000-4000-8000-000000000001', now(), now() - ${ago}::interval)
    on conflict (collector_id) do update set last_tick_at = excluded.last_tick_at`;
  assert.equal((await look()).collector, false);
  await pulse("31 seconds");
  assert.equal((await look()).collector, false);
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 3_600_000 });
  await pulse("1 second");
  assert.equal((await look()).collector, true);
  t.mock.timers.setTime(Date.now() - 7_200_000);
  await pulse("31 seconds");
  assert.equal((await look()).collector, false);
  await testDb.sql`delete from collector_process`;
});

test("tables that are behind are not ready, those of the next version are", async () => {
  const { sql } = testDb;
  assert.equal((await look()).migrations, true);
  await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${"f".repeat(64)}, 9999999999999)`;
  assert.equal((await look()).migrations, true);
  await sql`delete from drizzle.__drizzle_migrations where id >= (select max(id) - 1 from drizzle.__drizzle_migrations)`;
  assert.deepEqual(await look(), {
    database: true,
    writes: true,
    migrations: false,
    live: true,
    collector: false,
    stopping: false,
  });
  await sql`drop schema drizzle cascade`;
  assert.equal((await look()).migrations, false);
});

/** What readiness says when each connection to the database begins like this. */
async function readUnder(settings: string[]) {
  const [{ name } = { name: "" }] = await testDb.sql<{ name: string }[]>`select current_database() as name`;
  for (const setting of settings) await testDb.sql.unsafe(`alter database "${name}" set ${setting}`);
  const fresh = connectDatabase({ databaseUrl: testDb.url }, { max: 2 });
  try {
    const canWrite = createWriteCheck(fresh);
    const asked = { hub: { connected: () => true }, canWrite, stopping: () => false };
    const said = await createReadinessCheck(fresh, asked)();
    return { ready: said.ready, database: said.checks.database, writes: said.checks.writes, why: said.cannot_write };
  } finally {
    await fresh.close();
    await testDb.sql.unsafe(`alter database "${name}" reset all`);
  }
}

test("a database that answers and takes no writes is not ready, and the reason has a name", async () => {
  await testDb.sql.unsafe(`create schema drizzle; create schema pretend;
    create table drizzle.__drizzle_migrations (id serial primary key, hash text, created_at bigint);
    insert into drizzle.__drizzle_migrations (hash) values ('x');
    create function pretend.pg_is_in_recovery() returns boolean language sql as 'select true';
    create schema full_disk;
    create function full_disk.md5(text) returns text language plpgsql as
      $$ begin raise exception 'could not write block: No space left on device' using errcode = 'disk_full'; end $$`);
  const no = { ready: false, database: true, writes: false };
  assert.deepEqual(await readUnder(["default_transaction_read_only = on"]), { ...no, why: "read_only" });
  assert.deepEqual(await readUnder(["search_path = pretend, pg_catalog, public"]), { ...no, why: "standby" });
  assert.deepEqual(await readUnder(["search_path = full_disk, pg_catalog, public"]), { ...no, why: "disk_full" });
  assert.deepEqual(await readUnder([]), { ready: false, database: true, writes: true, why: null });
});

test("a write is tried for real, and goes to the disk", async () => {
  const stats = async () => {
    await testDb.sql`select pg_stat_force_next_flush()`;
    const [row] = await testDb.sql<{ temp: string; wal: string }[]>`
      select temp_bytes as temp, pg_current_wal_insert_lsn() - '0/0' as wal from pg_stat_database where datname = current_database()`;
    return { temp: Number(row?.temp), wal: Number(row?.wal) };
  };
  const one = connectDatabase({ databaseUrl: testDb.url }, { max: 1 });
  const before = await stats();
  assert.equal(await createWriteCheck(one)(), null);
  // A session tells what it used when it ends.
  await one.close();
  const after = await stats();
  assert.ok(after.temp - before.temp > 64 * 1024, `${after.temp - before.temp} bytes beside the memory`);
  assert.ok(after.wal > before.wal);
});

test("however often it is asked for, a write is tried once a second, and one that hangs not again beside itself", async (t) => {
  let tried = 0;
  let answer: Promise<unknown> = Promise.resolve(null);
  const canWrite = createWriteCheck({
    sql: {
      begin: () => {
        tried += 1;
        return answer;
      },
    },
  } as never);
  assert.deepEqual(await Promise.all(Array.from({ length: 100 }, canWrite)), Array(100).fill(null));
  assert.equal(tried, 1);
  let now = performance.now();
  t.mock.method(performance, "now", () => now);
  now += 1_100;
  answer = new Promise(() => {});
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const hanging = canWrite();
  t.mock.timers.tick(2_000);
  assert.equal(await hanging, "no_answer");
  now += 60_000;
  assert.equal(await canWrite(), "no_answer");
  assert.equal(tried, 2);
});

test("however often readiness is asked for, the tables are asked twice a second; what this process knows is said at once", async (t) => {
  let asked = 0;
  const sql = new Proxy(database.sql, {
    apply(query, self, given) {
      asked += 1;
      return Reflect.apply(query as never, self, given);
    },
  });
  let isStopping = false;
  const check = createReadinessCheck(
    { ...database, sql },
    { hub: { connected: () => true }, canWrite: async () => null, stopping: () => isStopping },
  );
  await check();
  const once = asked;
  assert.ok(once > 0);
  await Promise.all(Array.from({ length: 100 }, check));
  assert.equal(asked, once);
  isStopping = true;
  assert.equal((await check()).checks.stopping, true);
  const now = performance.now() + 600;
  t.mock.method(performance, "now", () => now);
  await check();
  assert.equal(asked, 2 * once);
});
