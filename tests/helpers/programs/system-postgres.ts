/** This machine's own Postgres, as Debian installs it. */
import { existsSync, globSync } from "node:fs";
import path from "node:path";

/** The folder of its programs, of the newest version; null: there is none. */
export function findSystemPostgres(): string | null {
  const folders = globSync("/usr/lib/postgresql/*/bin").filter((folder) => existsSync(path.join(folder, "initdb")));
  const major = (folder: string) => Number(path.basename(path.dirname(folder)));
  return folders.sort((a, b) => major(b) - major(a))[0] ?? null;
}
