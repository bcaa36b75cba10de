/** Chooses the account that runs Postgres, which refuses root. */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { chmod, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import type { PostgresPrograms } from "./programs.ts";

export type PostgresAccount = {
  /** A program and arguments in front of the real command. */
  prefix: string[];
  /** The other user that runs the command; absent: our own. */
  uid?: number;
  gid?: number;
};

/**
 * An ordinary user runs it directly. Root on Linux runs it in a user namespace in which root has another number: the files stay
 * root's, so a folder that only root can enter works. Without namespaces another user runs it, if that user can reach the folder
 * and the programs.
 * @throws {EmbeddedPostgresError} when none of this works, naming the remedy.
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
  // The other user must pass through the data folder to its own; allow only that, not reading it.
  const before = (await stat(dataDir)).mode & 0o7777;
  await chmod(dataDir, before | 0o011);
  if (worksHere(otherUser, programs, dataDir)) return otherUser;
  await chmod(dataDir, before);
  throw new EmbeddedPostgresError(
    `Postgres refuses to run as root, user namespaces are closed here, and user ${other.uid} cannot enter ${dataDir} or run ${programs.postgres}. ` +
      "Set DATABASE_URL to a Postgres of your own, or start Spawnpoint as an ordinary user",
  );
}

/** Runs a Postgres program under the chosen account, without a locale and the caller's settings. */
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
  // Entering the folder is part of the check, and must run as that user.
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

/** initdb looks its user up by number, so the machine must know the number. */
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
