/** A newcomer finds a file in seconds, and what it may lean on: no folder holds more than a screenful of code, no import runs up. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const MOST = 25;
/** Maps of one kind of file, in which each file is found by its name. */
const MAPS = ["db/schema"];
const NOT_CODE_OF_OURS = [
  "**/node_modules",
  "build",
  "release",
  "data",
  "demo-data",
  "test-results",
  "app/paraglide",
  ".react-router",
];

/** The rooms from the ground up, neighbours side by side: each may import what is below it, and nothing beside or above it. */
const STOREYS = [
  ["config", "shared"],
  ["outside", "db"],
  ["content"],
  ["domain"],
  ["jobs"],
  ["collector", "web", "demo"],
  ["cli"],
  ["app"],
  // Whatever is not part of the running site stands above it, and leans on whatever it needs.
  ["bench", "client", "deploy", "scripts", "tests"],
];
const storeyOf = (room: string): number => STOREYS.findIndex((rooms) => rooms.includes(room));
const TOP = STOREYS.length - 1;

const root = path.join(import.meta.dirname, "..");

/** All code that runs, by its path from the root; tests not counted. */
const codeFiles = (): string[] =>
  globSync("**/*.{ts,tsx,mts,mjs}", { cwd: root, exclude: NOT_CODE_OF_OURS }).filter(
    (file) => !/\.(?:test|spec)\.tsx?$|\.d\.m?ts$/.test(file),
  );

test(`no folder holds more than ${MOST} code files, tests not counted`, () => {
  const counts = new Map<string, number>();
  for (const file of codeFiles()) {
    const folder = path.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  assert.ok((counts.get("web/request") ?? 0) > 5, "the code was found");
  const full = [...counts].filter(([folder, count]) => count > MOST && !MAPS.includes(folder));
  assert.deepEqual(full, []);
});

test("no import runs from a room to one beside it or above it", (context) => {
  const between = new Map<string, string[]>();
  for (const file of codeFiles()) {
    const room = roomOf(file);
    if (storeyOf(room) === -1) continue;
    for (const [, , named = ""] of readFileSync(path.join(root, file), "utf8").matchAll(IMPORT)) {
      const found = named.startsWith("#") ? named.slice(1) : path.join(path.dirname(file), named);
      const other = roomOf(found);
      if (other === room || storeyOf(other) === -1) continue;
      between.set(`${room} → ${other}`, [...(between.get(`${room} → ${other}`) ?? []), `${file}: ${named}`]);
    }
  }
  const up = [...between].filter(([arrow]) => {
    const [from = "", to = ""] = arrow.split(" → ");
    return storeyOf(to) >= storeyOf(from) && storeyOf(from) !== TOP;
  });
  context.diagnostic(`${between.size} arrows between rooms, ${up.length} up`);
  assert.ok((between.get("app → web")?.length ?? 0) > 50, "the imports were found");
  assert.deepEqual(up, []);
});

/** `import … from "x"`, `export … from "x"`, `import "x"` and `import("x")`, of a file of ours. */
const IMPORT = /\b(?:from|import)\s*\(?\s*(["'])([.#][^"'\n]*)\1/g;

const roomOf = (file: string): string => path.normalize(file).split(path.sep)[0] ?? "";
