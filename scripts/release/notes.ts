/** What CHANGELOG.md says of a version: without it no release is made. */
import { BASELINE_VERSION } from "#db/before-baseline.ts";
import { compareVersions } from "#db/tables-version.ts";

/** A version's part of the changelog. `date` null: it is the part for what is not released yet. */
export type Notes = { version: string; date: string | null; text: string };

/** All parts, the newest first. */
export function readChangelog(text: string): Notes[] {
  const parts = text.split(/^## \[/m).slice(1);
  return parts.map((part) => {
    const [, version = "", date = null] = /^([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?\n/.exec(part) ?? [];
    return { version, date, text: part.slice(part.indexOf("\n") + 1).trim() };
  });
}

/**
 * The notes that go out with a version.
 * @throws {Error} in words, when there are none, or some that belong to no version yet
 */
export function notesOf(changelog: Notes[], version: string): Notes {
  const notes = changelog.find((part) => part.version === version);
  if (notes === undefined || notes.date === null || !/^- /m.test(notes.text)) {
    throw new Error(
      `CHANGELOG.md says nothing about ${version}. Give it a part "## [${version}] - ${new Date().toISOString().slice(0, 10)}" that says what people notice, then make the release.`,
    );
  }
  if (hasUnreleasedNotes(changelog)) {
    throw new Error(
      `CHANGELOG.md has notes under "Unreleased", and ${version} is written already. Raise the version in package.json (\`npm version --no-git-tag-version 0.X.0\`) and move them below it; or try one out with \`npm run release -- --preview\`.`,
    );
  }
  return notes;
}

/** Whether the changelog has notes that belong to no version yet. */
export const hasUnreleasedNotes = (changelog: Notes[]): boolean =>
  changelog.some((part) => part.version === "Unreleased" && part.text !== "");

/**
 * Checks `tablesSince` of package.json. Each version works with the tables of the next one, so it names the version before the one
 * that is being made: while there are unreleased notes, the version in package.json is that one. Versions before the baseline of the
 * migrations know none of today's tables.
 * @throws {Error} naming the right version, when it is another one
 */
export function checkTablesSince(changelog: Notes[], version: string, tablesSince: string): void {
  const released = changelog.filter(({ date }) => date !== null).map((part) => part.version);
  const last = hasUnreleasedNotes(changelog) ? version : (released[released.indexOf(version) + 1] ?? version);
  const before = compareVersions(last, BASELINE_VERSION) < 0 ? BASELINE_VERSION : last;
  if (tablesSince === before) return;
  throw new Error(
    `package.json says that the tables can be used since ${tablesSince}, and the oldest that works with them is ${before}: write "tablesSince": "${before}".`,
  );
}
