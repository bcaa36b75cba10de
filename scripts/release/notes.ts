/** What CHANGELOG.md says of a version: without it no release is made. */

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
  const [unreleased] = changelog.filter((part) => part.version === "Unreleased");
  const notes = changelog.find((part) => part.version === version);
  if (notes === undefined || notes.date === null || !/^- /m.test(notes.text)) {
    throw new Error(
      `CHANGELOG.md says nothing about ${version}. Give it a part "## [${version}] - ${new Date().toISOString().slice(0, 10)}" that says what people notice, then make the release.`,
    );
  }
  if (unreleased?.text) {
    throw new Error(
      `CHANGELOG.md has notes under "Unreleased", and ${version} is written already. Raise the version in package.json (\`npm version --no-git-tag-version 0.X.0\`) and move them below it; or try one out with \`npm run release -- --preview\`.`,
    );
  }
  return notes;
}

/**
 * Each version works with the tables of the next one, and nobody promises more: `tablesSince` of package.json is the version before.
 * @throws {Error} in words, when it is another one
 */
export function checkOldest(changelog: Notes[], version: string, tablesSince: string): void {
  const released = changelog.filter(({ date }) => date !== null).map((part) => part.version);
  const before = released[released.indexOf(version) + 1] ?? version;
  if (tablesSince === before) return;
  throw new Error(
    `package.json says that the tables of ${version} can be used since ${tablesSince}, and the version before it is ${before}: write "tablesSince": "${before}".`,
  );
}
