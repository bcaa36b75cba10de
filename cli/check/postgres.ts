/** Checks the Postgres binaries of the start: version and age. */
import type { Config } from "#config";
import { EmbeddedPostgresError } from "#db/postgres/embedded-postgres-error.ts";
import { dateOfPrograms, findPostgresPrograms } from "#db/postgres/programs.ts";
import { type Finding, ok, warning, wrong } from "./finding.ts";

const DAY_MS = 86_400_000;
/** Postgres has a minor release every three months, most of them with security fixes. */
const OLD_DAYS = 270;

/** Reports nothing if the site uses the operator's own database. */
export async function lookAtPostgres(config: Pick<Config, "databaseUrl" | "postgresBin">): Promise<Finding[]> {
  const { databaseUrl, postgresBin } = config;
  if (databaseUrl) return [];
  try {
    const programs = await findPostgresPrograms(postgresBin);
    const from = postgresBin === undefined ? "brought by Spawnpoint" : `in ${postgresBin}`;
    return [
      judgePostgres(`Postgres ${programs.version}, ${from}`, await dateOfPrograms(programs, postgresBin), Date.now()),
    ];
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError)) throw error;
    return [wrong("postgres", error.message, "Set POSTGRES_BIN or DATABASE_URL; docs/operating.md describes both.")];
  }
}

/**
 * @param which version and origin
 * @param date ISO date of the binaries
 */
export function judgePostgres(which: string, date: string, now: number): Finding {
  const days = Math.max(0, Math.floor((now - Date.parse(date)) / DAY_MS));
  const says = `${which}, from ${date} (${days} days old)`;
  if (days <= OLD_DAYS) return ok("postgres", says);
  return warning(
    "postgres",
    says,
    "Update Spawnpoint or this machine's packages. POSTGRES_BIN runs this machine's Postgres in place of the one that Spawnpoint brings.",
  );
}
