/** What a release says of itself, in `release.json` at its root: written when it is made, read by whoever updates to it. */
export type ReleaseFacts = {
  version: string;
  /** The commit that it was made of; `+` behind it: with changes that nobody has committed. */
  commit: string;
  /** The kind of machine that it is for, as Node names it, such as "linux-x64". */
  machine: string;
  /** The settings that an operator may write, by name, with what each is for. */
  settings: { name: string; help: string }[];
  /** What the changelog says of it, as Markdown. */
  notes: string;
};

/** The name of the file. */
export const RELEASE_FILE = "release.json";
