/** What a release says of itself, in `release.json` at its root: written when it is made, read by whoever updates to it. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const releaseFacts = z.object({
  version: z.string(),
  /** The commit that it was made of; `+` behind it: with changes that nobody has committed. */
  commit: z.string(),
  /** The kind of machine that it is for, as Node names it, such as "linux-x64". */
  machine: z.string(),
  /** The settings that an operator may write, by name, with what each is for. */
  settings: z.array(z.object({ name: z.string(), help: z.string() })),
  /** What the changelog says of it, as Markdown. */
  notes: z.string(),
});

export type ReleaseFacts = z.infer<typeof releaseFacts>;

/** The name of the file. */
export const RELEASE_FILE = "release.json";

/** This very program's folder. */
export const OWN_FOLDER = fileURLToPath(new URL("../..", import.meta.url));

/** Null: the folder holds no release, or none that this version can read. */
export function readReleaseFacts(folder: string): ReleaseFacts | null {
  const file = path.join(folder, RELEASE_FILE);
  if (!existsSync(file)) return null;
  const { data } = releaseFacts.safeParse(JSON.parse(readFileSync(file, "utf8")));
  return data ?? null;
}
