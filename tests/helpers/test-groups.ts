/** Which test files share a process: what a file imports is loaded and warm for the next, which halves what a short one costs. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = path.join(import.meta.dirname, "../..");
const TOGETHER = pathToFileURL(path.join(import.meta.dirname, "test-together.ts")).href;

/**
 * These have a process to themselves: most of their time they wait, so that others should not wait for them (game servers,
 * programs, Postgres that is stopped), or they measure the process that they are in.
 */
const ALONE = [
  /^(cli|collector|db|deploy|jobs|outside)\//,
  /^tests\/(faults|protocols|upgrade)\//,
  /^demo\/(fleet|protocols)/,
  // Memory, the event loop, or time to the millisecond.
  /^domain\/members\/avatars\./,
  /^domain\/sign-in\/passwords\./,
  /^tests\/site\/sign-in-timing\./,
];

/** So many processes take turns with the files that may share one. */
const GROUPS = 8;

/** The files as they are run, process by process; those of a group in the order given. */
export function groupTests(files: string[]): string[][] {
  const isAlone = (file: string) => ALONE.some((pattern) => pattern.test(file));
  const groups: string[][] = Array.from({ length: GROUPS }, () => []);
  // Dealt out, so that what is slow in one folder is spread.
  for (const [index, file] of files.filter((each) => !isAlone(each)).entries()) groups[index % GROUPS]?.push(file);
  return [...groups.filter((group) => group.length > 0), ...files.filter(isAlone).map((file) => [file])];
}

/**
 * Writes a test file for each group into `folder`, named in the order given, which is the order that node:test runs them in.
 * @returns the files' paths
 */
export function writeGroups(groups: string[][], folder: string): string[] {
  return groups.map((group, index) => {
    const file = path.join(folder, `${String(index).padStart(3, "0")}.test.mjs`);
    const urls = group.map((each) => pathToFileURL(path.join(ROOT, each)).href);
    writeFileSync(
      file,
      `import { testTogether } from ${JSON.stringify(TOGETHER)};\nawait testTogether(${JSON.stringify(urls)});\n`,
    );
    return file;
  });
}
