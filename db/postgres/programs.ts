/** Finds the Postgres programs: the package's for this kind of machine, or those in the operator's folder. */
import { spawnSync } from "node:child_process";
import { chmod, stat } from "node:fs/promises";
import path from "node:path";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

export type PostgresPrograms = {
  postgres: string;
  initdb: string;
  /** Such as "18.4". */
  version: string;
  /** The number before the point: files of another one are incompatible. */
  major: number;
};

/**
 * @param folder POSTGRES_BIN, such as /usr/lib/postgresql/15/bin; undefined: the package's programs
 * @throws {EmbeddedPostgresError} when they are missing, don't run, or are too old
 */
export async function findPostgresPrograms(folder?: string): Promise<PostgresPrograms> {
  if (process.platform === "win32") {
    throw new EmbeddedPostgresError(
      "the Postgres that Spawnpoint brings runs on Linux and macOS. Set DATABASE_URL to a Postgres of your own, or use WSL",
    );
  }
  const { postgres, initdb } = folder === undefined ? await findPackaged() : await findIn(folder);
  const { stdout } = spawnSync(postgres, ["--version"], { encoding: "utf8" });
  const [, version = "", major = ""] = /^postgres \(PostgreSQL\) ((\d+)[.\w]*)/.exec(stdout ?? "") ?? [];
  if (version === "") throw new EmbeddedPostgresError(`${postgres} does not run here. ${OTHER_WAY}`);
  if (Number(major) < OLDEST) {
    throw new EmbeddedPostgresError(`${postgres} is Postgres ${version}, and Spawnpoint takes ${OLDEST} or newer`);
  }
  return { postgres, initdb, version, major: Number(major) };
}

const OLDEST = 15;
const OTHER_WAY =
  "Set DATABASE_URL to a Postgres of your own, or POSTGRES_BIN to the folder of this machine's programs";

async function findIn(folder: string): Promise<Pick<PostgresPrograms, "postgres" | "initdb">> {
  const programs = { postgres: path.join(folder, "postgres"), initdb: path.join(folder, "initdb") };
  for (const program of Object.values(programs)) {
    await stat(program).catch(() => {
      throw new EmbeddedPostgresError(
        `POSTGRES_BIN names ${folder}, where ${path.basename(program)} is missing. On Debian it is a folder such as /usr/lib/postgresql/15/bin`,
      );
    });
  }
  return programs;
}

async function findPackaged(): Promise<Pick<PostgresPrograms, "postgres" | "initdb">> {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  const programs: PostgresPrograms = await import(packageName).catch(() => {
    throw new EmbeddedPostgresError(
      `the package ${packageName} is not installed (no such machine, or optional packages were left out). ${OTHER_WAY}`,
    );
  });
  for (const program of [programs.postgres, programs.initdb]) {
    const mode = (await stat(program)).mode;
    if ((mode & 0o111) !== 0o111) await chmod(program, mode | 0o755);
  }
  return { postgres: programs.postgres, initdb: programs.initdb };
}

/** Release date of the package's version; a test compares it with the package. */
export const PACKAGED = { version: "18.4", released: "2026-05-14" };

/**
 * Returns the programs' date: the release of the packaged ones, or the build of this machine's, which package managers preserve as
 * the file time.
 * @param folder POSTGRES_BIN
 * @returns an ISO date
 */
export async function dateOfPrograms({ postgres }: PostgresPrograms, folder?: string): Promise<string> {
  return folder === undefined ? PACKAGED.released : (await stat(postgres)).mtime.toISOString().slice(0, 10);
}
