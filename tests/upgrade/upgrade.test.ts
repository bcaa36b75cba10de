/** From the version before to this one, and back: its own backup, and every statement that it sends, on the tables of today. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { pino } from "pino";
import { readConfig } from "#config";
import { connectDatabase, type Database } from "#db/client.ts";
import { listMigrations, readAppliedMigrations } from "#db/migrations.ts";
import { exclusively } from "#jobs/exclusively.ts";
import { rollUp } from "#jobs/measurements/roll-ups.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { startWeb } from "#web/server.ts";
import { openBackup } from "../../cli/backup/read-backup-file.ts";
import { restoreBackup } from "../../cli/backup/restore-backup.ts";
import { prepareDatabase } from "../../cli/commands/migrate.ts";
import { findKeeper, type Keeper } from "../helpers/keeper.ts";

const read = <T>(name: string): T => JSON.parse(readFileSync(path.join(import.meta.dirname, name), "utf8"));
const log = pino({ level: "silent" });

let server: TestDatabase;
let database: Database;
let databaseUrl: string;
let folder: string;
let rowsThen: Map<string, number>;

before(async () => {
  server = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), "spawnpoint-upgrade-"));
  const name = `test_${randomBytes(8).toString("hex")}`;
  await server.sql.unsafe(`CREATE DATABASE ${name} TEMPLATE template0`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  databaseUrl = url.href;
  database = connectDatabase({ databaseUrl }, { max: 2 });
  const backup = await openBackup(path.join(import.meta.dirname, "version-before.tar.zst"));
  await restoreBackup(backup, { dataDir: folder, databaseUrl }, log);
  rowsThen = new Map(backup.summary.tables.map(({ name, rows }) => [name, Number(rows)]));
  await backup.close();
});

after(async () => {
  const name = new URL(databaseUrl).pathname.slice(1);
  await database.close();
  await server.sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
  await server.drop();
  await rm(folder, { recursive: true, force: true });
});

/** The public games, and how many game servers each has. */
const listGames = () =>
  database.sql<{ game_slug: string }[]>`
    SELECT game_slug, (SELECT count(*)::int FROM gameserver s WHERE s.game_id = g.game_id) AS servers
    FROM games g WHERE published ORDER BY sort_order`;

test("a backup of the version before becomes a site of this one: pages, password, code and avatar", async () => {
  assert.equal((await readAppliedMigrations(database.sql)).length, listMigrations().length);
  for (const table of ["users", "games", "gameserver", "gameserver_sample", "audit_events"]) {
    const [found] = await database.sql.unsafe<{ rows: number }[]>(`SELECT count(*)::int AS rows FROM ${table}`);
    assert.ok((rowsThen.get(table) ?? 0) > 0 && found?.rows === rowsThen.get(table), table);
  }
  // What a site of before began with is its own: a start of this version takes nothing away and brings nothing.
  const gamesThen = await listGames();
  assert.equal(gamesThen.length, 8);
  await database.sql`INSERT INTO site_identity (kind) VALUES ('real') ON CONFLICT (is_site) DO UPDATE SET kind = 'real'`;
  await prepareDatabase(databaseUrl, { kind: "real", dataDir: folder, databaseUrl });
  assert.deepEqual(await listGames(), gamesThen);
  const web = await startWeb(
    readConfig({ PORT: "0", DATABASE_URL: databaseUrl, DATA_DIR: folder, LOG_LEVEL: "silent" }),
    {
      log,
    },
  );
  try {
    const url = `http://127.0.0.1:${web.port}`;
    const home = await (await fetch(url)).text();
    for (const { game_slug } of gamesThen) assert.ok(home.includes(`href="/games/${game_slug}"`), game_slug);
    await findKeeper(url, read<Keeper>("keeper.json"));
  } finally {
    await web.stop();
  }
});

test("history of the version before is counted anew as far as its samples go, and what is older stays and is marked", async () => {
  const { sql } = database;
  const figures = () => sql`SELECT server_id, starts_at, user_max, user_sum, user_count, asked FROM gameserver_rollup_5m
    ORDER BY server_id, starts_at`;
  // What that version had rolled up of a time whose samples are gone.
  await sql`INSERT INTO gameserver_rollup_5m SELECT server_id, '2026-01-01', 1, 1, 10, 10, 10, 123, 177 FROM gameserver LIMIT 1`;
  await sql`INSERT INTO gameserver_rollup_progress (rolled_until) VALUES (now()) ON CONFLICT ("only") DO UPDATE SET counted_from = NULL`;
  const before = await figures();
  assert.ok((await rollUp(exclusively(sql, "roll-ups"), 30)) > 0);
  const [progress] = await sql<{ anew: boolean; done: boolean }[]>`
    SELECT counted_from >= (SELECT min(asked_at) FROM gameserver_sample) AS anew, rolled_until > now() - interval '10 minutes' AS done
    FROM gameserver_rollup_progress`;
  assert.deepEqual(progress, { anew: true, done: true });
  const [old] = await sql`SELECT up_s, down_s FROM gameserver_rollup_5m WHERE starts_at = '2026-01-01'`;
  assert.deepEqual(old, { up_s: 123, down_s: 177 });
  const after = new Map((await figures()).map((row) => [`${row.server_id} ${row.starts_at}`, row]));
  for (const row of before) assert.ok(after.has(`${row.server_id} ${row.starts_at}`), "no row is lost");
  const [unbounded] = await sql<{ worst: number }[]>`
    SELECT max(up_s + down_s)::int AS worst FROM gameserver_rollup_5m`;
  assert.ok((unbounded?.worst ?? 0) <= 300, "no row is longer than five minutes");
});

test("every statement of the version before can be prepared on the tables of this one", async () => {
  const { statements } = read<{ statements: string[] }>("version-before-statements.json");
  assert.ok(statements.length > 100);
  const broken: string[] = [];
  const { sql } = database;
  await sql.begin(async (transaction) => {
    for (const statement of statements) {
      await transaction
        .savepoint((one) => one.unsafe(`PREPARE kept AS ${statement}`))
        .then(() => transaction.unsafe("DEALLOCATE kept"))
        .catch((error: Error) => broken.push(`${error.message}: ${statement}`));
    }
  });
  assert.deepEqual(broken, []);
});

type Column = {
  name: string;
  type: string;
  notNull: boolean;
  default?: unknown;
  identity?: unknown;
  generated?: unknown;
};
type Tables = Record<string, { columns: Record<string, Column> }>;

/** The tables after so many migrations, as the generator noted them down. */
const tablesAfter = (steps: number): Tables =>
  read<{ tables: Tables }>(`../../db/migrations/meta/${String(steps - 1).padStart(4, "0")}_snapshot.json`).tables;

/** What a version that knows `then` could not do with `now`. */
function findBreaks(then: Tables, now: Tables): string[] {
  const breaks: string[] = [];
  for (const [table, { columns }] of Object.entries(then)) {
    const today = now[table]?.columns;
    if (!today) breaks.push(`${table} is gone`);
    for (const { name, type, notNull } of Object.values(columns)) {
      const column = today?.[name];
      if (today && !column) breaks.push(`${table}.${name} is gone`);
      if (column && column.type !== type) breaks.push(`${table}.${name} was ${type} and is ${column.type}`);
      if (column?.notNull && !notNull && column.default === undefined)
        breaks.push(`${table}.${name} must be given now`);
    }
    for (const { name, notNull, identity, generated, ...column } of Object.values(today ?? {})) {
      const given = column.default !== undefined || identity !== undefined || generated !== undefined;
      if (!columns[name] && notNull && !given) breaks.push(`${table}.${name} is new and must be given`);
    }
  }
  return breaks;
}

test("no migration since then takes anything away that the version before uses, or asks for what it does not give", () => {
  const { level } = read<{ level: number }>("version-before-statements.json");
  for (let steps = level; steps < listMigrations().length; steps += 1) {
    assert.deepEqual(findBreaks(tablesAfter(steps), tablesAfter(steps + 1)), [], `migration ${steps}`);
  }
  // The check itself finds what it is for: 0008 took a column away, before there was anybody to break.
  assert.deepEqual(findBreaks(tablesAfter(8), tablesAfter(9)), ["public.contacts.sender_hash is gone"]);
});
