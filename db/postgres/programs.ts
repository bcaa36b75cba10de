/** Finds the Postgres programs that the package for this kind of machine brought along. */
import { chmod, stat } from "node:fs/promises";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

export type PostgresPrograms = { postgres: string; initdb: string };

/** @throws {EmbeddedPostgresError} when there is no package for this machine, or it was not installed. */
export async function findPostgresPrograms(): Promise<PostgresPrograms> {
  if (process.platform === "win32") {
    throw new EmbeddedPostgresError(
      "the Postgres that Spawnpoint brings runs on Linux and macOS. Set DATABASE_URL to a Postgres of your own, or use WSL",
    );
  }
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  const programs: PostgresPrograms = await import(packageName).catch(() => {
    throw new EmbeddedPostgresError(
      `the package ${packageName} is not installed (no such machine, or optional packages were left out). Set DATABASE_URL to a Postgres of your own`,
    );
  });
  for (const program of [programs.postgres, programs.initdb]) {
    const mode = (await stat(program)).mode;
    if ((mode & 0o111) !== 0o111) await chmod(program, mode | 0o755);
  }
  return { postgres: programs.postgres, initdb: programs.initdb };
}
