/** `npm test`: gets ready what the tests need, runs every check and test there is, and sums them up in one line. */
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { installIfNeeded } from "../cli/prepare.mjs";
import { canInstallPackages, findChromium, installChromium, installPackage } from "./helpers/chromium.ts";
import { SHARED_SERVER, startTestPostgres } from "./helpers/database.ts";
import { forgetSettings } from "./helpers/forget-settings.ts";
import { NOTHING, type Outcome, runCheck, runProgram, sum } from "./helpers/run-program.ts";

const ROOT = path.join(import.meta.dirname, "..");
const bin = (name: string) => path.join(ROOT, "node_modules", name);

forgetSettings();

/** The faults alone, in their long versions. */
const FAULTS_ONLY = process.argv.includes("--faults");
/** The access journeys alone, with every menu, dialog and refusal opened: they take as long as all others together. */
const ACCESS_ONLY = process.argv.includes("--access");

async function main(): Promise<Outcome> {
  if (FAULTS_ONLY) {
    const build = await runCheck("build", [path.join(ROOT, "cli/launch.mjs"), "build"]);
    return sum([build, await runUnitTests("tests/faults/*.test.ts", { SPAWNPOINT_FAULTS: "full" })]);
  }
  installIfNeeded(path.join(ROOT, "tests/giants"));
  if (ACCESS_ONLY) {
    const build = await runCheck("build", [path.join(ROOT, "cli/launch.mjs"), "build"]);
    process.env[SHARED_SERVER] = await startTestPostgres();
    const chromium = findChromium() ?? installChromium();
    return sum([build, chromium === null ? noChromium() : await runJourneys(chromium, { SPAWNPOINT_ACCESS: "full" })]);
  }
  const chromium = findChromium() ?? installChromium();
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
  const units = await runUnitTests("**/*.test.ts");
  const journeys = chromium === null ? noChromium() : await runJourneys(chromium);
  return sum([...checks, units, journeys]);
}

async function runUnitTests(pattern: string, env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const files = globSync(pattern, { cwd: ROOT, exclude: ["**/node_modules", "build", "data", "test-results"] });
  const { output, code } = await runProgram(
    [
      "--import",
      "./tests/helpers/quick-imports.ts",
      "--test",
      // Most of them wait for something most of the time.
      `--test-concurrency=${os.availableParallelism() + 1}`,
      `--test-timeout=${FAULTS_ONLY ? 600_000 : 120_000}`,
      // A file that has told its results may not hold up the others.
      "--test-force-exit",
      "--test-reporter=spec",
      ...files.sort(),
    ],
    env,
  );
  const count = (word: string) => Number(new RegExp(`^ℹ ${word} (\\d+)$`, "m").exec(output)?.[1] ?? 0);
  const warnings = output.match(/^\(node:\d+\) .*Warning:.*$/gm) ?? [];
  for (const warning of warnings) console.log(`An unexpected warning fails the run: ${warning}`);
  const failed = count("fail") + count("cancelled") + warnings.length;
  return { passed: count("pass"), failed: code !== 0 && failed === 0 ? 1 : failed, skipped: count("skipped") };
}

async function runJourneys(chromium: string, env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "spawnpoint-journeys-"));
  const report = path.join(folder, "report.json");
  const { code } = await runProgram(
    [bin("@playwright/test/cli.js"), "test", "--config", "tests/e2e/playwright.config.ts", "--reporter", "line,json"],
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
