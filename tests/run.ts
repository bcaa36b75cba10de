/** `npm test`: gets ready what the tests need, runs every check and test there is, and sums them up in one line. */
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { installIfNeeded } from "../cli/prepare.mjs";
import { readFaultList, showFaults } from "./faults/fault-list.ts";
import type { Told } from "./faults/figures-reporter.ts";
import { canInstallPackages, findChromium, installChromium, installPackage } from "./helpers/chromium.ts";
import { SHARED_SERVER, startTestPostgres } from "./helpers/database.ts";
import { forgetSettings } from "./helpers/forget-settings.ts";
import { NOTHING, type Outcome, runCheck, runProgram, sum } from "./helpers/run-program.ts";

const ROOT = path.join(import.meta.dirname, "..");
const bin = (name: string) => path.join(ROOT, "node_modules", name);

forgetSettings();

/** The faults alone, in their long versions. */
const FAULTS_ONLY = process.argv.includes("--faults");
/**
 * Those of `*.slow.test.ts` and `*.slow.spec.ts` alone: walks over everything there is, and programs started by the dozen.
 * `npm test` is for before each commit; continuous integration runs both.
 */
const SLOW_ONLY = process.argv.includes("--slow");
/** The access journeys alone, with every menu, dialog and refusal opened: they take as long as all others together. */
const ACCESS_ONLY = process.argv.includes("--access");

async function main(): Promise<Outcome> {
  if (FAULTS_ONLY) {
    const build = await runCheck("build", [path.join(ROOT, "cli/launch.mjs"), "build"]);
    return sum([build, await runFaults()]);
  }
  installIfNeeded(path.join(ROOT, "tests/heavy"));
  if (ACCESS_ONLY) {
    const build = await runCheck("build", [path.join(ROOT, "cli/launch.mjs"), "build"]);
    process.env[SHARED_SERVER] = await startTestPostgres();
    const chromium = findChromium() ?? installChromium();
    return sum([build, chromium === null ? noChromium() : await runJourneys(chromium, { SPAWNPOINT_ACCESS: "full" })]);
  }
  const chromium = findChromium() ?? installChromium();
  // Some tests stand a pooler before the database.
  if (!existsSync("/usr/sbin/pgbouncer") && canInstallPackages()) installPackage("pgbouncer");
  if (SLOW_ONLY) {
    const build = await runCheck("build", [path.join(ROOT, "cli/launch.mjs"), "build"]);
    process.env[SHARED_SERVER] = await startTestPostgres();
    const units = await runUnitTests(listTests().filter((file) => file.endsWith(".slow.test.ts")));
    const journeys = chromium === null ? noChromium() : await runJourneys(chromium, { SPAWNPOINT_SLOW: "only" });
    return sum([build, units, journeys]);
  }
  // One test reads our answers with a query tool of others; without it that test says that it is skipped.
  const qstatMissing = !existsSync("/usr/bin/qstat") && !existsSync("/usr/bin/quakestat");
  if (qstatMissing && canInstallPackages()) installPackage("qstat");

  const build = runCheck("build", [path.join(ROOT, "cli/launch.mjs"), "build"]);
  const lint = await runCheck("lint", [bin("@biomejs/biome/bin/biome"), "check", "."]);
  // The build has compiled the messages, too.
  await build;
  const typegen = await runCheck("types of the routes", [bin("@react-router/dev/bin.cjs"), "typegen"]);
  const [types, deadCode] = await Promise.all([
    runCheck("types", [bin("typescript/bin/tsc"), "-p", "."]),
    runCheck("dead code", [bin("knip/bin/knip.js"), "--no-progress"]),
  ]);
  const checks = [await build, lint, typegen, types, deadCode];

  process.env[SHARED_SERVER] = await startTestPostgres();
  const units = await runUnitTests(listTests().filter((file) => !file.endsWith(".slow.test.ts")));
  const journeys = chromium === null ? noChromium() : await runJourneys(chromium);
  return sum([...checks, units, journeys]);
}

/** Every test but those that only `--faults` runs. */
function listTests(): string[] {
  const others = ["**/node_modules", "build", "data", "demo-data", "test-results", "tests/faults/long"];
  return globSync("**/*.test.ts", { cwd: ROOT, exclude: others });
}

async function runUnitTests(files: string[], env: NodeJS.ProcessEnv = {}, more: string[] = []): Promise<Outcome> {
  const { output, code } = await runProgram(
    [
      "--import",
      "./tests/helpers/quick-imports.ts",
      "--test",
      // Most of them wait for something most of the time; those of faults must not be each other's fault.
      `--test-concurrency=${FAULTS_ONLY ? 2 : os.availableParallelism() + 2}`,
      `--test-timeout=${FAULTS_ONLY ? 600_000 : 120_000}`,
      "--test-reporter=spec",
      ...more,
      ...files.sort(),
    ],
    // A third of what a short test costs is compiling the same modules once more.
    { NODE_COMPILE_CACHE: path.join(ROOT, "node_modules/.cache/node"), ...env },
    { limitMs: FAULTS_ONLY ? 20 * 60_000 : undefined },
  );
  const count = (word: string) => Number(new RegExp(`^ℹ ${word} (\\d+)$`, "m").exec(output)?.[1] ?? 0);
  const warnings = output.match(/^\(node:\d+\) .*Warning:.*$/gm) ?? [];
  for (const warning of warnings) console.log(`An unexpected warning fails the run: ${warning}`);
  const failed = count("fail") + count("cancelled") + warnings.length;
  return { passed: count("pass"), failed: code !== 0 && failed === 0 ? 1 : failed, skipped: count("skipped") };
}

/** Every fault of the list in its long version, wherever its test stands, and then the list with what was measured. */
async function runFaults(): Promise<Outcome> {
  installIfNeeded(path.join(ROOT, "tests/heavy"));
  // A fault whose proxy is not there was not held against the site.
  for (const [program, name] of [
    ["/usr/sbin/nginx", "nginx-light"],
    ["/usr/bin/caddy", "caddy"],
  ] as const)
    if (!existsSync(program) && canInstallPackages()) installPackage(name);
  process.env[SHARED_SERVER] = await startTestPostgres();
  const folder = mkdtempSync(path.join(os.tmpdir(), "spawnpoint-faults-"));
  const figures = path.join(folder, "figures");
  const faults = readFaultList();
  const files = new Set([
    ...globSync("tests/faults/**/*.test.ts", { cwd: ROOT }),
    ...faults.flatMap((fault) => fault.files),
  ]);
  const reporters = ["--test-reporter-destination=stdout"];
  reporters.push("--test-reporter=./tests/faults/figures-reporter.ts", `--test-reporter-destination=${figures}`);
  const tests = [...files].filter((file) => file.endsWith(".test.ts"));
  const units = await runUnitTests(tests, { SPAWNPOINT_FAULTS: "full" }, reporters);
  const told: Told[] = readFileSync(figures, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  rmSync(folder, { recursive: true });
  const outcomes = [units];
  const chromium = findChromium() ?? installChromium();
  for (const file of [...files].filter((name) => name.endsWith(".spec.ts"))) {
    const journeys =
      chromium === null ? noChromium() : await runJourneys(chromium, { SPAWNPOINT_FAULTS: "full" }, [file]);
    const kind = journeys.failed > 0 || journeys.passed === 0 ? "failed" : "passed";
    told.push({ file: path.join(ROOT, file), name: file, kind });
    outcomes.push(journeys);
  }
  const open = showFaults(faults, told);
  return sum([...outcomes, { ...NOTHING, failed: open > 0 && sum(outcomes).failed === 0 ? open : 0 }]);
}

async function runJourneys(chromium: string, env: NodeJS.ProcessEnv = {}, only: string[] = []): Promise<Outcome> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "spawnpoint-journeys-"));
  const report = path.join(folder, "report.json");
  const { code } = await runProgram(
    [
      bin("@playwright/test/cli.js"),
      "test",
      "--config",
      "tests/e2e/playwright.config.ts",
      "--reporter",
      "line,json",
      ...only,
    ],
    { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report, ...env },
  );
  if (!existsSync(report)) return { ...NOTHING, failed: 1 };
  const { stats }: { stats: Record<string, number> } = JSON.parse(readFileSync(report, "utf8"));
  rmSync(folder, { recursive: true });
  const failed = (stats.unexpected ?? 0) + (stats.flaky ?? 0);
  return { passed: stats.expected ?? 0, failed: code !== 0 && failed === 0 ? 1 : failed, skipped: stats.skipped ?? 0 };
}

function noChromium(): Outcome {
  console.log(
    "No Chromium could be found or installed; set CHROMIUM_PATH to one. The browser journeys count as failed.",
  );
  return { ...NOTHING, failed: 1 };
}

const total = await main().catch((error: unknown) => {
  console.error(error);
  return { ...NOTHING, failed: 1 };
});
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exit(total.failed === 0 ? 0 : 1);
