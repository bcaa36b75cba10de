/** Which test files share a process: what a file imports is loaded and warm for the next, which halves what a short one costs. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = path.join(import.meta.dirname, "../..");
const TOGETHER = pathToFileURL(path.join(import.meta.dirname, "test-together.ts")).href;

/** These have a process to themselves: they change it or measure it, or wait as long as a whole group does. */
const ALONE = [
  /^cli\/(outpost|process)\//,
  /^db\/(driver\/unhandled|postgres)/,
  /^tests\/(faults|upgrade)\//,
  /^tests\/site\/told-details\./,
  // Memory, the processor's time, the event loop, or time to the millisecond.
  /^outside\/game-query\/(http|udp)-exchange\./,
  /^domain\/members\/avatars\./,
  /^domain\/accounts\/passwords\./,
  /^tests\/site\/sign-in-timing\./,
];

/** These wait most of their time, for game servers, programs, or a database that is away. */
const WAITING = [/^(cli|collector|db|deploy|jobs|outside)\//, /^tests\/protocols\//, /^demo\/(fleet|protocols)/];

/** So many processes take turns with the files that work, and with those that wait. */
const WORKING_GROUPS = 8;
const WAITING_GROUPS = 6;

const isOneOf = (patterns: RegExp[], file: string) => patterns.some((pattern) => pattern.test(file));

/** Dealt out, so that what is slow in one folder is spread. */
const deal = (files: string[], count: number): string[][] =>
  Array.from({ length: count }, (_, group) => files.filter((_file, at) => at % count === group));

/**
 * What node:test is to run in place of `files`: a file of `folder` for each process. It runs them by name, so what is long, the
 * groups, is named before what has a process to itself and fills the gaps.
 * @returns those that keep the processors busy, and those that leave them to others
 */
export function groupTests(files: string[], folder: string): { working: string[]; waiting: string[] } {
  const alone = files.filter((file) => isOneOf(ALONE, file));
  const others = files.filter((file) => !alone.includes(file));
  const waiting = others.filter((file) => isOneOf(WAITING, file));
  const working = others.filter((file) => !waiting.includes(file));
  const write = (group: string[], name: string) => {
    const file = path.join(folder, `${name}.test.mjs`);
    const urls = JSON.stringify(group.map((each) => pathToFileURL(path.join(ROOT, each)).href));
    writeFileSync(file, `import { testTogether } from ${JSON.stringify(TOGETHER)};\nawait testTogether(${urls});\n`);
    return file;
  };
  const numbered = (groups: string[][], kind: string) =>
    groups.map((group, index) => write(group, `${kind}-${String(index + 1).padStart(3, "0")}`));
  return {
    working: [
      ...numbered(deal(working, WORKING_GROUPS), "1-working"),
      ...numbered(
        alone.map((file) => [file]),
        "2-alone",
      ),
    ],
    waiting: numbered(deal(waiting, WAITING_GROUPS), "3-waiting"),
  };
}
