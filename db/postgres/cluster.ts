/** Creates the files of a new Postgres, with one user and one empty database. */
import { chown, mkdir, rename, rm, statfs } from "node:fs/promises";
import path from "node:path";
import { type PostgresAccount, runAsPostgres } from "./account.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import type { PostgresPrograms } from "./programs.ts";

const MB = 1024 ** 2;
/** Its files, its write-ahead log, and room for the first day. */
const NEW_CLUSTER_MB = 200;

/** Created beside its final place and renamed when complete: a kill in between leaves nothing that looks like a cluster. */
export async function makePostgresCluster(
  programs: PostgresPrograms,
  account: PostgresAccount,
  cluster: string,
): Promise<void> {
  const unfinished = `${cluster}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700, recursive: true });
  const disk = await statfs(unfinished);
  const free = Math.floor((disk.bavail * disk.bsize) / MB);
  if (free < NEW_CLUSTER_MB) {
    throw new EmbeddedPostgresError(
      `The disk of ${path.dirname(cluster)} is full: ${free} MB are free, and a new site needs ${NEW_CLUSTER_MB}. Make room there, or set DATA_DIR to a folder on another disk.`,
    );
  }
  if (account.uid !== undefined) await chown(unfinished, account.uid, account.gid ?? account.uid);
  // Both order texts by code point; before Postgres 17 through the system's library.
  const builtin = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const locale = ["--encoding=UTF8", ...(programs.major >= 17 ? builtin : ["--locale=C.UTF-8"])];
  const rights = ["--username=spawnpoint", "--auth-local=trust", "--auth-host=reject"];
  await runToEnd(account, programs.initdb, ["-D", unfinished, ...locale, ...rights]);
  await runToEnd(
    account,
    programs.postgres,
    ["--single", "-D", unfinished, "-c", "log_checkpoints=off", "postgres"],
    "CREATE DATABASE spawnpoint\n",
  );
  await rename(unfinished, cluster);
}

async function runToEnd(account: PostgresAccount, program: string, args: string[], input = ""): Promise<void> {
  const child = runAsPostgres(account, program, args, { stdio: ["pipe", "ignore", "pipe"] });
  let complaint = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-4000);
  });
  child.stdin?.on("error", () => {});
  child.stdin?.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code === 0 && !/^(ERROR|FATAL|PANIC):/m.test(complaint)) return;
  const telling = complaint.split("\n").filter((line) => /error:|ERROR:|FATAL:|PANIC:/.test(line));
  throw new EmbeddedPostgresError(
    `the database cannot be made in ${args[args.indexOf("-D") + 1]}: ${telling.at(-1) ?? (complaint.trim().split("\n").at(-1) || `code ${code}`)}`,
  );
}
