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
  /^tests\/site\/told-details\./,
  // Memory, the event loop, or time to the millisecond.
  /^domain\/members\/avatars\./,
  /^domain\/sign-in\/passwords\./,
  /^tests\/site\/sign-in-timing\./,
];

/** So many processes take turns with the files that may share one. */
const GROUPS = 8;

/**
 * What node:test is to run in place of `files`: a file of `folder` for each group, and those that are alone as they are. It
 * runs them by name, so the groups, which take longest, come first.
 */
export function groupTests(files: string[], folder: string): string[] {
  const isAlone = (file: string) => ALONE.some((pattern) => pattern.test(file));
  const groups: string[][] = Array.from({ length: GROUPS }, () => []);
  // Dealt out, so that what is slow in one folder is spread.
  for (const [index, file] of files.filter((each) => !isAlone(each)).entries()) groups[index % GROUPS]?.push(file);
  const written = groups.map((group, index) => {
    const file = path.join(folder, `group-${index + 1}.test.mjs`);
    const urls = JSON.stringify(group.map((each) => pathToFileURL(path.join(ROOT, each)).href));
    writeFileSync(file, `import { testTogether } from ${JSON.stringify(TOGETHER)};\nawait testTogether(${urls});\n`);
    return file;
  });
  return [...written, ...files.filter(isAlone)];
}
