/** How a command of ours is typed where this runs: in a checkout, out of an unpacked release, under systemd, in a container. */
import path from "node:path";
import { isRelease } from "./prepare.mjs";

const OF_RELEASE = path.join(import.meta.dirname, "..", "spawnpoint");

/**
 * The line that does it, for texts that tell an operator what to type. What starts us says how it was called by
 * SPAWNPOINT_COMMAND: the program of a release, the unit of systemd, the image.
 * @param command its name, with what comes behind it, such as `backup FILE`
 */
export function typedCommand(command: string): string {
  const before = process.env.SPAWNPOINT_COMMAND || (isRelease ? OF_RELEASE : "npm run spawnpoint --");
  return `${before} ${command}`;
}

/** What deploy/spawnpoint calls itself, and the folder that the unit beside it works on. */
const UNIT = { command: "spawnpoint", dataDir: "/var/lib/spawnpoint" };

/** The line that starts the site of a data folder: the unit's where systemd runs it, else the command with that DATA_DIR. */
export function typedStart(dataDir: string): string {
  if (process.env.SPAWNPOINT_COMMAND === UNIT.command && dataDir === UNIT.dataDir) return "systemctl start spawnpoint";
  return `DATA_DIR=${quoted(dataDir)} ${typedCommand("start")}`;
}

/** A word as any shell takes it whole. */
function quoted(word: string): string {
  return /^[\w/.,:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
