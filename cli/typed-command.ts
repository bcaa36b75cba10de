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
