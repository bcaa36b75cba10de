/** Writes our commands as typed in this environment: in a checkout, an unpacked release, under systemd, in a container. */
import path from "node:path";
import { isRelease } from "./prepare.mjs";

const OF_RELEASE = path.join(import.meta.dirname, "..", "spawnpoint");

/**
 * Returns the command line, for texts to operators. SPAWNPOINT_COMMAND says how the program was called: by a release's program,
 * systemd's unit, or the image.
 * @param command its name with arguments, such as `backup FILE`
 */
export function typedCommand(command: string): string {
  const before = process.env.SPAWNPOINT_COMMAND || (isRelease ? OF_RELEASE : "npm run spawnpoint --");
  return `${before} ${command}`;
}

/** Name that deploy/spawnpoint uses, and the data folder of its unit. */
const UNIT = { command: "spawnpoint", dataDir: "/var/lib/spawnpoint" };

/** Returns the command that starts the site of a data folder: the unit's under systemd, else the command with that DATA_DIR. */
export function typedStart(dataDir: string): string {
  if (process.env.SPAWNPOINT_COMMAND === UNIT.command && dataDir === UNIT.dataDir) return "systemctl start spawnpoint";
  return `DATA_DIR=${quoted(dataDir)} ${typedCommand("start")}`;
}

/** Quotes a word for any shell. */
function quoted(word: string): string {
  return /^[\w/.,:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
