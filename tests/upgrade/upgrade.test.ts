/** From older versions to this one, and back by one: their own backups, and every statement of the version before on the tables of today. */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { pino } from "pino";
import { readConfig } from "#config";
import { BASELINE_VERSION, findBeforeBaseline, TOO_EARLY } from "#db/before-baseline.ts";
import type { Database } from "#db/client.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { listMigrations, readAppliedMigrations } from "#db/migrations.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { createEmptyDatabases } from "#tests/helpers/empty-databases.ts";
import { startWeb } from "#web/server.ts";
import { requireKnownLevel } from "../../cli/backup/database-in.ts";
import { openBackup } from "../../cli/backup/read-backup-file.ts";
import { restoreBackup } from "../../cli/backup/restore-backup.ts";
import { prepareDatabase } from "../../cli/commands/migrate.ts";
import installed from "../../package.json" with { type: "json" };
import { findKeeper, type Keeper } from "../helpers/keeper.ts";

const read = <T>(name: string): T => JSON.parse(readFileSync(path.join(import.meta.dirname, name), "utf8"));
const log = pino({ level: "silent" });

/** Of each release since 0.2.0 a backup, and who can sign in to it. */
const KEPT = globSync("version-*.tar.zst", { cwd: import.meta.dirname }).map((file) => file.replace(/\.tar\.zst$/, ""));

let server: TestDatabase;
let empty: ReturnType<typeof createEmptyDatabases>;
before(async () => {
  server = await createTestDatabase();
  empty = createEmptyDatabases(server, 2);
});
after(async () => {
  await empty?.drop();
  await server.drop();
});

const hashes = () => listMigrations().map(({ hash }) => hash);

for (const kept of KEPT) {
  describe(`a backup of ${kept}`, () => {
    let database: Database & { url: string };
    let folder: string;
    let rowsThen: Map<string, number>;
    before(async () => {
      database = await empty.create();
      folder = await mkdtemp(path.join(tmpdir(), "spawnpoint-upgrade-"));
      const backup = await openBackup(path.join(import.meta.dirname, `${kept}.tar.zst`));
      await restoreBackup(backup, { dataDir: folder, databaseUrl: database.url }, log);
      rowsThen = new Map(backup.summary.tables.map(({ name, rows }) => [name, Number(rows)]));
      await backup.close();
    });
    after(() => rm(folder, { recursive: true, force: true }));

    /** The public games, and how many game servers each has. */
    const listGames = () =>
      database.sql<{ game_slug: string }[]>`
        SELECT game_slug, (SELECT count(*)::int FROM gameserver s WHERE s.game_id = g.game_id) AS servers
        FROM games g WHERE published ORDER BY sort_order`;

    test("has today's migrations and all its rows", async () => {
      assert.deepEqual(await readAppliedMigrations(database.sql), hashes());
      for (const table of ["users", "games", "gameserver", "gameserver_sample", "audit_events"]) {
        const [found] = await database.sql.unsafe<{ rows: number }[]>(`SELECT count(*)::int AS rows FROM ${table}`);
        assert.ok((rowsThen.get(table) ?? 0) > 0 && found?.rows === rowsThen.get(table), table);
      }
    });

    test("becomes a site of this version: pages, password, code and avatar", async () => {
      // What a site began with is its own: a start takes nothing away and brings nothing.
      const gamesThen = await listGames();
      assert.equal(gamesThen.length, 8);
      await database.sql`UPDATE site_identity SET kind = 'real'`;
      await prepareDatabase(database.url, { kind: "real", dataDir: folder, databaseUrl: database.url });
      assert.deepEqual(await listGames(), gamesThen);
      const settings = { PORT: "0", DATABASE_URL: database.url, DATA_DIR: folder, LOG_LEVEL: "silent" };
      const web = await startWeb(readConfig(settings), { log });
      try {
        const url = `http://127.0.0.1:${web.port}`;
        const home = await (await fetch(url)).text();
        for (const { game_slug } of gamesThen) assert.ok(home.includes(`href="/games/${game_slug}"`), game_slug);
        await findKeeper(url, read<Keeper>(`${kept}.keeper.json`));
      } finally {
        await web.stop();
      }
    });
  });
}

test("a backup of 0.2.0 that stopped before its last migrations is refused by name of the version to take first", async () => {
  const backup = await openBackup(path.join(import.meta.dirname, "version-0.2.0.tar.zst"));
  await backup.close();
  assert.equal(findBeforeBaseline(backup.manifest.migrations), "all");
  const early = { ...backup.manifest, migrations: backup.manifest.migrations.slice(0, 40) };
  assert.throws(() => requireKnownLevel(early), { name: "BackupFileError", message: TOO_EARLY });
});

/** What the version before sends; there is none yet that works with the tables of the baseline. */
const statementsOf = path.join(import.meta.dirname, "version-before-statements.json");
const isFirst = installed.version === BASELINE_VERSION && !existsSync(statementsOf);
const skip = isFirst && `${BASELINE_VERSION} is the first version that works with these tables`;

test("every statement of the version before can be prepared on the tables of this one", { skip }, async () => {
  const { statements } = read<{ statements: string[] }>("version-before-statements.json");
  assert.ok(statements.length > 100);
  const broken: string[] = [];
  const { sql, url } = await empty.create();
  await migrateDatabase(url);
  await sql.begin(async (transaction) => {
    for (const statement of statements) {
      await transaction.unsafe("SAVEPOINT one");
      await transaction
        .unsafe(`PREPARE kept AS ${statement}`)
        .then(() => transaction.unsafe("DEALLOCATE kept"))
        .catch(async (error: Error) => {
          broken.push(`${error.message}: ${statement}`);
          await transaction.unsafe("ROLLBACK TO one");
        });
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
    if (!today) {
      breaks.push(`${table} is gone`);
      continue;
    }
    for (const { name, type, notNull } of Object.values(columns)) {
      const column = today[name];
      if (!column) breaks.push(`${table}.${name} is gone`);
      if (column && column.type !== type) breaks.push(`${table}.${name} was ${type} and is ${column.type}`);
      if (column?.notNull && !notNull && column.default === undefined)
        breaks.push(`${table}.${name} must be given now`);
    }
    for (const { name, notNull, identity, generated, ...column } of Object.values(today)) {
      const given = column.default !== undefined || identity !== undefined || generated !== undefined;
      if (!columns[name] && notNull && !given) breaks.push(`${table}.${name} is new and must be given`);
    }
  }
  return breaks;
}

test("what a migration takes away is found", () => {
  assert.deepEqual(findBreaks(tablesAfter(1), tablesAfter(2)), [
    "public.gameserver.download_url is gone",
    "public.gameserver_rollup_progress.counted_from is gone",
    "public.mails is gone",
  ]);
});

test("no migration since then takes anything away that the version before uses, or asks for what it does not give", {
  skip,
}, () => {
  const { level } = read<{ level: number }>("version-before-statements.json");
  for (let steps = level; steps < listMigrations().length; steps += 1) {
    assert.deepEqual(findBreaks(tablesAfter(steps), tablesAfter(steps + 1)), [], `migration ${steps}`);
  }
});
