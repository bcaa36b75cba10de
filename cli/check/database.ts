/** Checks the database: reachable, ours, up to date, free connections, clock; and what it says about the site. */
import path from "node:path";
import type { Config } from "#config";
import { connectDatabase, type Database } from "#db/client.ts";
import { compareMigrations, listMigrations, readAppliedMigrations } from "#db/migrations.ts";
import { findRunningPostgres } from "#db/postgres/running.ts";
import { hasAdmin } from "#domain/members/roles.ts";
import { type BackupTrouble, backupTrouble, readBackupState } from "#domain/site/backups.ts";
import { tryWrite, type WriteTrouble } from "#domain/site/database-writes.ts";
import { countFailedMails, readCollectorHealth } from "#domain/site/health.ts";
import { typedCommand } from "../typed-command.ts";
import { AS_OWNER, errorText, type Finding, isShut, ok, warning, wrong } from "./finding.ts";

const OLDEST_VERSION = 150_000;
const SLOW_MS = 20;
const CLOCK_WARNING_S = 2;
const CLOCK_WRONG_S = 30;
const LATE_S = 60;
const BACKUP_OLD_DAYS = 8;
const DAY_MS = 86_400_000;

export async function lookAtDatabase(config: Config): Promise<Finding[]> {
  const databaseUrl = config.databaseUrl ?? (await findRunningPostgres(config.dataDir));
  if (!databaseUrl) {
    if (await isShut(path.join(config.dataDir, "postgres")))
      return [warning("database", `${config.dataDir} is shut to this user, who cannot find it there`, AS_OWNER)];
    const fix = `Start the site (\`${typedCommand("start")}\`), or set DATABASE_URL to its Postgres, and ask again.`;
    return [wrong("database", `no database runs in ${config.dataDir}, and DATABASE_URL is not set`, fix)];
  }
  const database = connectDatabase({ databaseUrl }, { max: 2, applicationName: "spawnpoint check" });
  try {
    const findings = await lookAtServer(database);
    if (findings.some(({ state }) => state === "wrong")) return findings;
    const migrations = await lookAtMigrations(database);
    if (migrations.state === "wrong") return [...findings, migrations];
    const writes = judgeWrites(await tryWrite(database));
    return [...findings, migrations, ...writes, ...(await lookAtSite(database))];
  } catch (error) {
    return [
      wrong(
        "database",
        `it cannot be reached: ${errorText(error)}`,
        "Check DATABASE_URL (name, password, port), the firewall, and whether Postgres runs.",
      ),
    ];
  } finally {
    await database.close();
  }
}

type Server = {
  version: number;
  version_text: string;
  now_ms: number;
  used: number;
  most: number;
  waiting: number;
  blockers: string;
};

async function lookAtServer({ sql }: Database): Promise<Finding[]> {
  await sql`select 1`;
  const took: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const began = performance.now();
    await sql`select 1`;
    took.push(performance.now() - began);
  }
  const ms = took.sort((a, b) => a - b)[2] ?? 0;
  const asked = Date.now();
  const [server] = await sql<Server[]>`
    select current_setting('server_version_num')::int as version, current_setting('server_version') as version_text,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms,
      current_setting('max_connections')::int as most,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
      (select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and state_change < now() - interval '5 seconds') as waiting,
      coalesce((select string_agg(distinct blocker::text, ', ') from pg_stat_activity, unnest(pg_blocking_pids(pid)) blocker
        where wait_event_type = 'Lock'), '') as blockers`;
  if (!server) return [wrong("database", "it answers nothing", "Look into its log.")];
  const findings: Finding[] = [];
  const { version_text, version, used, most, waiting, blockers } = server;
  if (version < OLDEST_VERSION)
    findings.push(
      wrong(
        "database",
        `this is Postgres ${version_text}`,
        "Upgrade to Postgres 15 or newer (18 is what is tested most).",
      ),
    );
  else if (ms > SLOW_MS)
    findings.push(
      warning(
        "database",
        `Postgres ${version_text} answers in ${ms.toFixed(0)} ms`,
        "Move it nearer or give it room: pages for members ask it a few times each.",
      ),
    );
  else findings.push(ok("database", `Postgres ${version_text} answers in ${ms.toFixed(1)} ms`));
  if (used > most * 0.9)
    findings.push(
      warning(
        "connections",
        `${used} of ${most} are taken`,
        "Raise max_connections, or run fewer web processes (WEB_WORKERS).",
      ),
    );
  else findings.push(ok("connections", `${used} of ${most} are taken`));
  if (waiting > 0)
    findings.push(
      warning(
        "locks",
        `${waiting} statements have waited over 5 s for a lock of process ${blockers}`,
        "Look at that process in pg_stat_activity; pg_terminate_backend ends it.",
      ),
    );
  findings.push(judgeClock("clock", "the database's clock", (server.now_ms - (asked + Date.now()) / 2) / 1000));
  return findings;
}

/** @param aheadS seconds that the other clock is ahead of this machine's */
export function judgeClock(check: string, whose: string, aheadS: number): Finding {
  const off = Math.abs(aheadS);
  const says = `${whose} and this machine's differ by ${off.toFixed(1)} s`;
  const fix =
    "Let both keep the time (timedatectl set-ntp true, or chrony): codes of the second factor and links depend on it.";
  if (off > CLOCK_WRONG_S) return wrong(check, says, fix);
  return off > CLOCK_WARNING_S ? warning(check, says, fix) : ok(check, says);
}

/** Reports a database that refuses writes; otherwise nothing. */
export function judgeWrites(trouble: WriteTrouble | null): Finding[] {
  if (trouble === "standby")
    return [
      wrong(
        "writes",
        "this Postgres is a replica and takes no writes",
        "Point DATABASE_URL at the primary, or promote this one.",
      ),
    ];
  if (trouble === "read_only")
    return [
      wrong(
        "writes",
        "this database is set to read-only: nobody can sign in, and nothing is recorded",
        "Look at default_transaction_read_only of the server, the database and the user (SHOW, ALTER … RESET).",
      ),
    ];
  if (trouble === "disk_full")
    return [
      wrong(
        "writes",
        "the disk of the database is full",
        "Make room there; Postgres goes on by itself once it has some.",
      ),
    ];
  return [ok("writes", "a write was tried and taken")];
}

async function lookAtMigrations({ sql }: Database): Promise<Finding> {
  const known = listMigrations();
  const level = compareMigrations(await readAppliedMigrations(sql), known);
  if (level.kind === "foreign" && level.why) return wrong("tables", level.why, "docs/backup.md says how to update.");
  if (level.kind === "foreign")
    return wrong(
      "tables",
      "they belong to something else than Spawnpoint",
      "Point DATABASE_URL at a database of Spawnpoint's own.",
    );
  if (level.steps < known.length) {
    return wrong(
      "tables",
      `${known.length - level.steps} of ${known.length} migrations have not run`,
      `\`${typedCommand("migrate")}\` (a start does it, too).`,
    );
  }
  if (level.kind === "newer")
    return warning(
      "tables",
      "a newer version has changed them",
      "This version works with those of the next; go on to that version soon.",
    );
  return ok("tables", `all ${known.length} migrations have run`);
}

async function lookAtSite({ db }: Database): Promise<Finding[]> {
  const [collectors, mails, backup, admin] = await Promise.all([
    readCollectorHealth(db),
    countFailedMails(db),
    readBackupState(db),
    hasAdmin(db),
  ]);
  const findings: Finding[] = [];
  const { collectors: running, last_tick_at, lag_s, overdue, holding_back_since } = collectors;
  if (running === 0) {
    const since = last_tick_at ? `since ${last_tick_at}` : "and none ever did";
    findings.push(
      wrong(
        "collector",
        `no collector runs ${since}: nobody asks the game servers`,
        `\`${typedCommand("start")}\` runs one; on many machines, \`spawnpoint collector\`.`,
      ),
    );
  } else if (holding_back_since) {
    findings.push(
      warning(
        "collector",
        `most game servers do not answer since ${holding_back_since}: the fault seems to be here`,
        "Look at this machine's way out, the firewall and DNS.",
      ),
    );
  } else if (lag_s > LATE_S) {
    findings.push(
      warning(
        "collector",
        `${overdue} game servers wait for their turn, the longest ${lag_s} s`,
        "Run one more collector, or raise POLL_INTERVAL_S.",
      ),
    );
  } else findings.push(ok("collector", `${running} running, ${collectors.in_flight} questions under way`));
  if (mails.given_up > 0) {
    findings.push(
      warning(
        "mails",
        `${mails.given_up} were given up in 30 days, at last: ${errorText(mails.last_error ?? "no reason")}`,
        "Mend what it says; people can ask for their mails again.",
      ),
    );
  }
  if (!admin)
    findings.push(warning("admin", "nobody is an admin", `\`${typedCommand("create-admin you@example.org")}\``));
  findings.push(judgeBackup(backup));
  return findings;
}

const BACKUP_REMEDIES: Record<BackupTrouble, string> = {
  room: "Make room on the disk of BACKUP_DIR, or lower BACKUP_KEEP; it is tried again within the hour.",
  rights:
    "Let the user that runs the site write into BACKUP_DIR (chown), and under systemd name it in ReadWritePaths= of the unit.",
  other: "Look for it in the log (journalctl -u spawnpoint -p err); it is tried again within the hour.",
};

/** Reports the newest backup; times in ISO 8601. */
export function judgeBackup(
  state: { made_at: string | null; proven_at: string | null; error: string | null },
  now = Date.now(),
): Finding {
  const age = (at: string) => Math.floor((now - Date.parse(at)) / DAY_MS);
  const howTo = "docs/backup.md says how, and how often.";
  if (state.error)
    return warning(
      "backup",
      `the newest failed: ${errorText(state.error)}`,
      BACKUP_REMEDIES[backupTrouble(state.error)],
    );
  if (!state.made_at) return warning("backup", "none was ever made", howTo);
  if (age(state.made_at) > BACKUP_OLD_DAYS)
    return warning("backup", `the newest is ${age(state.made_at)} days old`, howTo);
  if (!state.proven_at)
    return warning("backup", "none was ever proven by restoring it", `\`${typedCommand("backup --verify FILE")}\``);
  return ok("backup", `made ${age(state.made_at)} and proven ${age(state.proven_at)} days ago`);
}
