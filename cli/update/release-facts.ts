/** Reads a release's description, `release.json` at its root: written when it is made, read before an update. */
import { spawnSync } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { z } from "zod";
import { listMigrations, type Migration } from "#db/migrations.ts";
import { StartError } from "../start-error.ts";
import { userName } from "../user-name.ts";

const releaseFacts = z.object({
  version: z.string(),
  /** Its commit; with `+`: plus uncommitted changes. */
  commit: z.string(),
  /** Its platform, as Node names it, such as "linux-x64". */
  machine: z.string(),
  /** The `start` that its processes need (`SUPERVISION`). */
  supervision: z.number(),
  /** The oldest version that works with its tables. */
  tables_since: z.string(),
  /** Its settings for operators, by name, with their meaning. */
  settings: z.array(z.object({ name: z.string(), help: z.string() })),
  /** Its changelog, as Markdown. */
  notes: z.string(),
});

export type ReleaseFacts = z.infer<typeof releaseFacts>;

export const RELEASE_FILE = "release.json";

/** Files to read: the rest of a tarball is skipped. */
const LOOKED_AT = [`*/${RELEASE_FILE}`, "*/db/migrations/*.sql", "*/db/migrations/meta/_journal.json"];

/**
 * Returns a release's facts and migrations. Runs nothing of it.
 * @param place its folder, or its tarball
 * @throws {StartError} if it isn't a release
 */
export function readRelease(place: string): { facts: ReleaseFacts; migrations: Migration[] } {
  const found = openPlace(place);
  if (found.isDirectory()) return readFolder(place, place);
  const scratch = mkdtempSync(path.join(os.tmpdir(), "spawnpoint-update-"));
  try {
    const choice = ["--wildcards", "--no-wildcards-match-slash", ...LOOKED_AT];
    const tar = spawnSync("tar", ["-xzf", place, "-C", scratch, "--no-same-owner", ...choice], { encoding: "utf8" });
    const [folder] = readdirSync(scratch);
    if (tar.error)
      throw new StartError(`\`tar\` cannot be run here (${tar.error.message}): unpack it, and name its folder.`);
    if (tar.status !== 0 || folder === undefined) throw notOne(place);
    return readFolder(path.join(scratch, folder), place);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @throws {StartError} if missing, or unreadable for this user: a site's user can't read /root. */
function openPlace(place: string): Stats {
  try {
    const found = statSync(place, { throwIfNoEntry: false });
    if (found === undefined) throw new StartError(`${place} is not there.`);
    accessSync(place, constants.R_OK);
    return found;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EACCES" && code !== "EPERM") throw error;
    throw new StartError(
      `${place} cannot be read by ${userName()}. Unpack it first, and name its folder: \`tar -xzf ${place} -C /opt\`.`,
    );
  }
}

function readFolder(folder: string, place: string): { facts: ReleaseFacts; migrations: Migration[] } {
  const file = path.join(folder, RELEASE_FILE);
  if (!existsSync(file)) throw notOne(place);
  const { data } = releaseFacts.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (data === undefined) throw new StartError(`${place} is a release of another kind than this version can read.`);
  return { facts: data, migrations: listMigrations(path.join(folder, "db/migrations")) };
}

const notOne = (place: string) =>
  new StartError(
    `${place} is no release of Spawnpoint: its file ${RELEASE_FILE} is missing, or the tarball is damaged.`,
  );
