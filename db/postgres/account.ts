/** Decides as whom Postgres runs, because it refuses root. */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { chmod, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import type { PostgresPrograms } from "./programs.ts";

export type PostgresAccount = {
  /** A program and its arguments that stand before the real command. */
  prefix: string[];
  /** The other user that the command runs as; absent: ourselves. */
  uid?: number;
  gid?: number;
};

/**
 * An ordinary user runs it as is. Root on Linux runs it in a user namespace in which root is called by another number:
 * the files stay root's, so a folder that only root can enter will do. Where namespaces are closed, another user runs
 * it, if that user can reach the folder and the programs.
 * @throws {EmbeddedPostgresError} when no way is open, naming the way out.
 */
export async function choosePostgresAccount(
  programs: PostgresPrograms,
  dataDir: string,
  unshare = "unshare",
): Promise<PostgresAccount> {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const other = await findOrdinaryUser(path.join(dataDir, "postgres"));
  const namespace = { prefix: [unshare, "--user", `--map-user=${other.uid}`, `--map-group=${other.gid}`] };
  const ownedByRoot = (await ownerOf(path.join(dataDir, "postgres"))) ?? 0;
  if (ownedByRoot === 0 && worksHere(namespace, programs, dataDir)) return namespace;
  const otherUser = { prefix: [], uid: other.uid, gid: other.gid };
  if (worksHere(otherUser, programs, dataDir)) return otherUser;
  // The other user must pass through the data folder on the way to its own; that alone is allowed, not reading it.
  const before = (await stat(dataDir)).mode & 0o7777;
  await chmod(dataDir, before | 0o011);
  if (worksHere(otherUser, programs, dataDir)) return otherUser;
  await chmod(dataDir, before);
  throw new EmbeddedPostgresError(
    `Postgres refuses to run as root, user namespaces are closed here, and user ${other.uid} cannot enter ${dataDir} or run ${programs.postgres}. ` +
      "Set DATABASE_URL to a Postgres of your own, or start Spawnpoint as an ordinary user",
  );
}

/** Runs one of the Postgres programs under the chosen account, in no locale and without the caller's settings. */
export function runAsPostgres(
  account: PostgresAccount,
  program: string,
  args: string[],
  options: SpawnOptions,
): ChildProcess {
  const [command = program, ...rest] = [...account.prefix, program, ...args];
  return spawn(command, rest, { ...options, ...identityOf(account), env: environment() });
}

function worksHere(account: PostgresAccount, programs: PostgresPrograms, dataDir: string): boolean {
  // Entering the folder is part of the question, and must be asked as that user.
  const enter = ["/bin/sh", "-c", 'cd "$0" && exec "$1" --version', dataDir, programs.postgres];
  const [command = "", ...rest] = [...account.prefix, ...enter];
  const run = spawnSync(command, rest, { ...identityOf(account), env: environment(), timeout: 5000 });
  return run.status === 0;
}

function identityOf(account: PostgresAccount): { uid?: number; gid?: number } {
  return account.uid === undefined ? {} : { uid: account.uid, gid: account.gid ?? account.uid };
}

function environment(): NodeJS.ProcessEnv {
  return { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C", TZ: "UTC" };
}

/** initdb looks its user up by number, so the number must be one that the machine knows. */
async function findOrdinaryUser(cluster: string): Promise<{ uid: number; gid: number }> {
  const owner = await ownerOf(cluster);
  const users = (await readFile("/etc/passwd", "utf8"))
    .split("\n")
    .map((line) => line.split(":"))
    .filter((fields) => fields.length > 3 && Number(fields[2]) > 0)
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
  const chosen = users.find((user) => user.uid === owner) ?? users.find((user) => user.name === "nobody") ?? users[0];
  if (chosen === undefined) {
    throw new EmbeddedPostgresError(
      "Postgres refuses to run as root, and this machine has no other user. Set DATABASE_URL to a Postgres of your own",
    );
  }
  return chosen;
}

async function ownerOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    (found) => found.uid,
    () => undefined,
  );
}
