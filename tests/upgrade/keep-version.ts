/**
 * Keeps a version for the tests of upgrading and going back: `node tests/upgrade/keep-version.ts CHECKOUT [LOG]`, where
 * CHECKOUT is a built checkout of the version before. It starts that version's site with the demo, makes a member, backs
 * it up beside the backups of earlier versions, and keeps the statements that the version's own tests make it send in place of
 * those of the version before it. LOG: Postgres' log of such a run, as JSON lines.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { makeBackup } from "../../cli/backup/make-backup.ts";
import { connectDatabase, type Database } from "../../db/client.ts";
import { listMigrations, readAppliedMigrations, runMigrations } from "../../db/migrations.ts";
import { startEmbeddedPostgres } from "../../db/postgres/embedded-postgres.ts";
import { findRunningPostgres } from "../../db/postgres/running.ts";
import { makeKeeper } from "../helpers/keeper.ts";

const HERE = import.meta.dirname;
const PORT = "38471";
/** Names under which the site's own processes connect; tests have others. */
const OURS = new Set(["spawnpoint-web", "spawnpoint collector"]);

const [checkout = "", givenLog] = process.argv.slice(2);
const folder = await mkdtemp(path.join(tmpdir(), "spawnpoint-keep-"));
await chmod(folder, 0o755);

const steps = await keepSite();
await keepStatements(steps, givenLog ?? (await logTests()));
await rm(folder, { recursive: true, force: true });

/** The site itself; settles with the number of its migrations. */
async function keepSite(): Promise<number> {
  const dataDir = path.join(folder, "site");
  const site = spawn(process.execPath, ["cli/spawnpoint.ts", "start", "--demo"], {
    cwd: checkout,
    env: { ...process.env, DATA_DIR: dataDir, PORT, HOST: "127.0.0.1", POLL_INTERVAL_S: "1", LOG_LEVEL: "warn" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${PORT}`;
  while ((await fetch(`${url}/readyz`).catch(() => null))?.status !== 200) await pause(200);
  const databaseUrl = (await findRunningPostgres(dataDir)) ?? "";
  const database = connectDatabase({ databaseUrl }, { max: 1 });
  const keeper = await makeKeeper(url, database);
  await pause(5000);
  // The last hours are history enough.
  await database.sql.unsafe(`
    DELETE FROM gameserver_rollup_5m WHERE starts_at < now() - interval '1 hour';
    DELETE FROM gameserver_rollup_1h WHERE starts_at < now() - interval '1 day';
    DELETE FROM gameserver_sample WHERE asked_at < now() - interval '5 minutes';
    DELETE FROM gameserver_status_event WHERE changed_at < now() - interval '1 day'`);
  const { version } = JSON.parse(readFileSync(path.join(checkout, "package.json"), "utf8"));
  const file = path.join(HERE, `version-${version}.tar.zst`);
  await rm(file, { force: true });
  await makeBackup({ dataDir }, databaseUrl, file, { scheduled: false });
  const applied = await readAppliedMigrations(database.sql);
  await writeFile(path.join(HERE, `version-${version}.keeper.json`), `${JSON.stringify(keeper, null, 2)}\n`);
  await database.close();
  site.kill("SIGTERM");
  await once(site, "close");
  return applied.length;
}

/** Runs the tests of the checkout on a Postgres that writes every statement down. */
async function logTests(): Promise<string> {
  const logFolder = path.join(folder, "log");
  const settings = {
    logging_collector: "on",
    log_destination: "jsonlog",
    log_directory: logFolder,
    log_filename: "log",
  };
  const { postgres, database } = await startScratch({ ...settings, log_statement: "all", max_connections: "200" });
  await database.sql`CREATE DATABASE migrated`;
  const template = new URL(postgres.url);
  template.pathname = "/migrated";
  await migrateTo(template.href, listMigrations().length);
  const files = globSync("{web,domain,collector,tests}/*.test.ts", { cwd: checkout });
  const args = ["--import", "./tests/helpers/quick-imports.ts", "--test", "--test-force-exit", "--test-reporter=dot"];
  const tests = spawn(process.execPath, [...args, ...files], {
    cwd: checkout,
    env: { ...process.env, SPAWNPOINT_TEST_POSTGRES: postgres.url },
    stdio: "inherit",
  });
  await once(tests, "close");
  await database.close();
  await postgres.stop(true);
  return path.join(logFolder, "log.json");
}

/** Those statements that Postgres can prepare on the tables of that very version. */
async function keepStatements(level: number, log: string): Promise<void> {
  const sent = new Set<string>();
  for (const line of readFileSync(log, "utf8").split("\n")) {
    if (!line.startsWith("{") || !line.endsWith("}")) continue;
    const { application_name, message = "" }: { application_name?: string; message?: string } = JSON.parse(line);
    const [, statement] = /^(?:execute [^:]*|statement): (.*)$/s.exec(message) ?? [];
    if (statement && OURS.has(application_name ?? "")) sent.add(statement.trim());
  }
  const { postgres, database } = await startScratch({});
  await database.sql.begin((transaction) => runMigrations(transaction, listMigrations().slice(0, level)));
  const kept: string[] = [];
  for (const statement of [...sent].toSorted()) if (await canPrepare(database, statement)) kept.push(statement);
  await writeFile(
    path.join(HERE, "version-before-statements.json"),
    `${JSON.stringify({ level, statements: kept }, null, 1)}\n`,
  );
  console.log(`${kept.length} of ${sent.size} statements, ${level} migrations`);
  await database.close();
  await postgres.stop(true);
}

async function canPrepare({ sql }: Database, statement: string): Promise<boolean> {
  return sql.unsafe(`PREPARE kept AS ${statement}`).then(
    () => sql.unsafe("DEALLOCATE kept").then(() => true),
    () => false,
  );
}

async function startScratch(settings: Record<string, string>) {
  const dataDir = await mkdtemp(path.join(folder, "scratch-"));
  await chmod(dataDir, 0o755);
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: pino({ level: "silent" }),
    settings: { fsync: "off", ...settings },
  });
  return { postgres, database: connectDatabase({ databaseUrl: postgres.url }, { max: 1 }) };
}

async function migrateTo(databaseUrl: string, level: number): Promise<void> {
  const database = connectDatabase({ databaseUrl }, { max: 1 });
  await database.sql.begin((transaction) => runMigrations(transaction, listMigrations().slice(0, level)));
  await database.close();
}
