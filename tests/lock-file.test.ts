// The lock files, by which alone packages are installed: complete for every kind of machine, whichever wrote them last.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

type Entry = { optionalDependencies?: Record<string, string>; os?: string[]; cpu?: string[]; integrity?: string };

const ROOT = path.join(import.meta.dirname, "..");

/** The entries of a folder's lock file by where each package lies. */
function readLock(folder: string): Record<string, Entry> {
  return JSON.parse(readFileSync(path.join(ROOT, folder, "package-lock.json"), "utf8")).packages;
}

/** Where Node finds a package that the package at `from` asks for. */
function resolve(entries: Record<string, Entry>, from: string, name: string): Entry | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules") - 1))) {
    const found = entries[path.posix.join(folder, "node_modules", name)];
    if (found || folder === "") return found;
  }
}

for (const folder of [".", "scripts/tools", "tests/heavy"]) {
  test(`the lock file in ${folder} names every optional package, with what it must hash to`, () => {
    const entries = readLock(folder);
    const missing = Object.entries(entries).flatMap(([at, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !resolve(entries, at, name)?.integrity)
        .map((name) => `${at}: ${name}`),
    );
    assert.deepEqual(missing, [], "npm ci refuses such a lock file; choose versions whose packages are all there");
  });
}

test("tools with a program for each kind of machine have it for Linux, macOS and Windows, x64 and arm64", () => {
  const entries = { ...readLock("."), ...readLock("scripts/tools") };
  for (const tool of [
    "@biomejs/cli",
    "@oxc-parser/binding",
    "@rolldown/binding",
    "@img/sharp",
    "@typescript/typescript",
  ]) {
    const kinds = new Set(
      Object.entries(entries)
        .filter(([at]) => at.includes(`node_modules/${tool}-`))
        .flatMap(([, { os = [], cpu = [] }]) => os.flatMap((system) => cpu.map((chip) => `${system}-${chip}`))),
    );
    for (const kind of ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64", "win32-arm64"]) {
      assert.ok(kinds.has(kind), `${tool} has no package for ${kind}`);
    }
  }
});
