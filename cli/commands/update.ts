/** `spawnpoint update --check PLACE`: shows what another version would change, without changing anything. */
import { OPERATOR_SETTINGS, readConfig } from "#config";
import { connectDatabase } from "#db/client.ts";
import { compareMigrations, type Migration, readAppliedMigrations, takesAway } from "#db/migrations.ts";
import { findRunningPostgres } from "#db/postgres/running.ts";
import { compareVersions } from "#db/tables-version.ts";
import installed from "../../package.json" with { type: "json" };
import { findKeptBackup } from "../backup/kept-backups.ts";
import { type ReleaseFacts, readRelease } from "../update/release-facts.ts";
import { SUPERVISION } from "../update/replace-processes.ts";

const USAGE = "Usage: spawnpoint update --check PLACE    (the folder or the tarball of a release)";

export async function run(args: string[]): Promise<number> {
  const [check, place, ...more] = args;
  if (check !== "--check" || place === undefined || more.length > 0) {
    console.error(USAGE);
    return 2;
  }
  const config = readConfig();
  const { facts, migrations } = readRelease(place);
  const databaseUrl = config.databaseUrl ?? (await findRunningPostgres(config.dataDir));
  const applied = databaseUrl ? await readApplied(databaseUrl) : null;
  const backup = await findKeptBackup(config);
  const tables = describeTables(facts, migrations, applied, backup?.file ?? null);
  for (const line of [...describeVersion(facts), ...tables.lines, ...describeSettings(facts, process.env)])
    console.log(line);
  if (facts.notes) console.log(`\n${facts.notes}`);
  return tables.fits ? 0 : 1;
}

async function readApplied(databaseUrl: string): Promise<string[]> {
  const { sql, close } = connectDatabase({ databaseUrl }, { max: 1, applicationName: "spawnpoint update" });
  try {
    return await readAppliedMigrations(sql);
  } finally {
    await close();
  }
}

function describeVersion({ version, machine, commit }: ReleaseFacts): string[] {
  const here = `${process.platform}-${process.arch}`;
  const order = compareVersions(version, installed.version);
  const what = order > 0 ? "newer" : order < 0 ? "older" : "the same version, or one between two";
  const lines = [`Spawnpoint ${installed.version} is installed; that is ${version} of commit ${commit}: ${what}.`];
  if (machine !== here) lines.push(`It is made for ${machine}, and this machine is ${here}: it does not run here.`);
  return lines;
}

/** `fits` false: it can't start on this database. */
function describeTables(
  facts: ReleaseFacts,
  migrations: Migration[],
  applied: string[] | null,
  backup: string | null,
): { fits: boolean; lines: string[] } {
  if (applied === null) {
    return {
      fits: true,
      lines: ["Tables: not looked at, because no database runs here. Start the site, or set DATABASE_URL."],
    };
  }
  const level = compareMigrations(applied, migrations);
  if (level.kind === "foreign")
    return { fits: false, lines: [`Tables: ${level.why ?? "the database belongs to something else"}.`] };
  if (level.kind === "newer") {
    const ahead = applied.length - migrations.length;
    return {
      fits: false,
      lines: [
        `Tables: the database has been through ${ahead} migration${ahead === 1 ? "" : "s"} that it does not know. One version back it may still run (its start says so); else restore the backup that was made before the update.`,
      ],
    };
  }
  const missing = migrations.slice(level.steps);
  if (missing.length === 0) return { fits: true, lines: ["Tables: nothing to migrate.", describeRestart(facts, [])] };
  const newest = backup ? `the newest is ${backup}` : "there is none in BACKUP_DIR";
  return {
    fits: true,
    lines: [
      `Tables: ${missing.length} migration${missing.length === 1 ? " has" : "s have"} not run: ${missing.map(({ name }) => name).join(", ")}.`,
      `Backup: make one first (\`spawnpoint backup FILE\`); ${newest}.`,
      describeRestart(facts, missing),
    ],
  };
}

function describeRestart({ supervision }: ReleaseFacts, missing: Migration[]): string {
  const taking = missing.filter(takesAway).map(({ name }) => name);
  if (supervision !== SUPERVISION)
    return "Restart: its processes cannot live below the start that runs: stop the site, then start it.";
  if (taking.length > 0)
    return `Restart: ${taking.join(", ")} takes away what this version may still use: stop the site, then start it.`;
  return "Restart: `spawnpoint restart`, while the site runs; nobody is refused.";
}

function describeSettings({ settings }: ReleaseFacts, env: NodeJS.ProcessEnv): string[] {
  const ours = new Set(OPERATOR_SETTINGS.map(({ name }) => name));
  const theirs = new Set(settings.map(({ name }) => name));
  const fresh = settings.filter(({ name }) => !ours.has(name)).map(({ name, help }) => `New setting ${name}: ${help}`);
  const gone = [...ours]
    .filter((name) => !theirs.has(name))
    .map((name) => `The setting ${name} is gone${env[name] ? ", and is set here" : ""}.`);
  return fresh.length + gone.length > 0 ? [...fresh, ...gone] : ["Settings: the same."];
}
