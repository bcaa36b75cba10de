/** `npm test`: gets ready what the tests need, runs every check and test there is, and sums them up in one line. */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { buildIfNeeded, installIfNeeded } from "../cli/prepare.mjs";
import { exitWhenWritten } from "../cli/process/exit-when-written.ts";
import { readFaultList, showFaults } from "./faults/fault-list.ts";
import type { Told } from "./faults/figures-reporter.ts";
import { canInstallPackages, installPackage, prepareJourneyBrowsers } from "./helpers/chromium.ts";
import { SHARED_SERVER, startTestPostgres } from "./helpers/database.ts";
import { forgetSettings } from "./helpers/forget-settings.ts";
import { endAllWhenInterrupted } from "./helpers/programs/interruption.ts";
import { NOTHING, type Outcome, runCheck, runProgram, sum } from "./helpers/programs/run-program.ts";
import { groupTests } from "./helpers/test-groups.ts";

const ROOT = path.join(import.meta.dirname, "..");
const LAUNCH = path.join(ROOT, "cli/launch.mjs");
const bin = (name: string) => path.join(ROOT, "node_modules", name);

forgetSettings();

/** What the types were found to be: where little has changed since, they are checked in two seconds instead of ten. */
const KEPT_TYPES = ["--tsBuildInfoFile", path.join(ROOT, "node_modules/.cache/types.tsbuildinfo")];

/** Ends a test that hangs. A busy machine takes ten times as long as a quiet one. */
const TEST_LIMIT_MS = 600_000;

const QUICK_IMPORTS = ["--import", "./tests/helpers/quick-imports.ts"];

/** Programs that tests use, by their Debian packages, and where each is found (a pattern). A test without its program says that it is skipped. */
const PROGRAMS = {
  /** Stood before the database. */
  pgbouncer: ["/usr/sbin/pgbouncer"],
  /** Runs in place of the embedded one (POSTGRES_BIN). */
  postgresql: ["/usr/lib/postgresql/*/bin/initdb"],
  /** Reads our answers, as others do. */
  qstat: ["/usr/bin/qstat", "/usr/bin/quakestat"],
  /** Stand before the site. */
  "nginx-light": ["/usr/sbin/nginx"],
  caddy: ["/usr/bin/caddy"],
  /** Scrapes the site and evaluates the shipped alerts. */
  prometheus: ["/usr/bin/promtool"],
  /** Makes the bare Debian on which the documents' lines are typed. */
  debootstrap: ["/usr/sbin/debootstrap"],
};

type Mode = {
  programs: (keyof typeof PROGRAMS)[];
  check(): Promise<Outcome[]>;
  /** Runs with one Postgres for all test files. */
  test(): Promise<Outcome[]>;
};

/** Before each commit. Continuous integration runs this, `--release`, and a half of `--slow`. */
const USUAL: Mode = {
  programs: ["pgbouncer", "postgresql", "qstat"],
  check: runChecks,
  test: runUsual,
};

const MODES: Record<string, Mode> = {
  /** `*.slow.test.ts` and `*.slow.spec.ts` alone: walks over everything there is, and programs started by the dozen. */
  "--slow": {
    programs: ["pgbouncer", "prometheus", "debootstrap"],
    check: async () => [await build()],
    test: async () => [await runSlowUnits(), await runSlowJourneys()],
  },
  /** The two halves of it, which continuous integration takes turns with. */
  "--slow-units": {
    programs: ["pgbouncer", "prometheus", "debootstrap"],
    check: async () => [await build()],
    test: async () => [await runSlowUnits()],
  },
  "--slow-journeys": { programs: [], check: async () => [await build()], test: async () => [await runSlowJourneys()] },
  /** Makes a release and starts it from its tarball. */
  "--release": {
    programs: [],
    check: async () => [await runCheck("release", [LAUNCH, "release"])],
    test: async () => [
      await runUnitTests(["tests/release/start-release.test.ts", "tests/release/documented-lines.test.ts"], {
        atOnce: 1,
        limitMs: TEST_LIMIT_MS,
      }),
    ],
  },
  /** The files named after it, tests in Node and journeys; the site is built when its sources are newer. */
  "--one": {
    programs: [],
    check: buildAlone,
    test: () => runFiles(process.argv.slice(process.argv.indexOf("--one") + 1)),
  },
  /** The tests beside files that aren't committed, and those that name one of them. */
  "--changed": { programs: [], check: buildAlone, test: () => runFiles(listChanged()) },
  /** The faults alone, in their long versions. A fault whose proxy is not there was not held against the site. */
  "--faults": { programs: ["nginx-light", "caddy"], check: async () => [await build()], test: runFaults },
};

/** Whether there is one for the journeys. */
let hasBrowser = false;

async function main(): Promise<Outcome> {
  const mode = process.argv.map((word) => MODES[word]).find(Boolean) ?? USUAL;
  installIfNeeded(path.join(ROOT, "tests/heavy"));
  for (const name of mode.programs)
    if (globSync(PROGRAMS[name]).length === 0 && canInstallPackages()) installPackage(name);
  hasBrowser = prepareJourneyBrowsers() !== null;
  const checks = await mode.check();
  process.env[SHARED_SERVER] = await startTestPostgres();
  return sum([...checks, ...(await mode.test())]);
}

const build = () => runCheck("build", [LAUNCH, "build"]);

async function buildAlone(): Promise<Outcome[]> {
  await buildIfNeeded();
  return [];
}

async function runFiles(files: string[]): Promise<Outcome[]> {
  const journeys = files.filter((file) => file.endsWith(".spec.ts"));
  const units = files.filter((file) => file.endsWith(".test.ts"));
  if (units.length + journeys.length === 0) {
    console.log("There is no test file to run: name files that end in .test.ts or .spec.ts.");
    return [{ ...NOTHING, failed: 1 }];
  }
  const env = journeys.some((file) => file.endsWith(".slow.spec.ts")) ? { SPAWNPOINT_SLOW: "only" } : {};
  return [
    units.length > 0
      ? await runUnitTests(units, { atOnce: os.availableParallelism(), limitMs: TEST_LIMIT_MS })
      : NOTHING,
    journeys.length > 0 ? await runJourneys(env, journeys) : NOTHING,
  ];
}

function listChanged(): string[] {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).split("\n").filter(Boolean);
  const changed = [...git("diff", "--name-only", "HEAD"), ...git("ls-files", "--others", "--exclude-standard")];
  const tests = listTests().filter((file) => !file.endsWith(".slow.test.ts"));
  return tests.filter((test) => {
    const text = readFileSync(path.join(ROOT, test), "utf8");
    return changed.some((file) => file === test || text.includes(`/${path.basename(file)}"`));
  });
}

async function runChecks(): Promise<Outcome[]> {
  installIfNeeded(path.join(ROOT, "scripts/tools"));
  const building = build();
  const lint = await runCheck("lint", [LAUNCH, "tool", "biome", "check", "."]);
  // It compiles the messages, too.
  const built = await building;
  const typegen = await runCheck("types of the routes", [bin("@react-router/dev/bin.cjs"), "typegen"]);
  // Each checker repeats some of the others' work: with four, as without being told, it is a quarter more on two processors.
  const checkers = String(os.availableParallelism());
  const [types, deadCode] = await Promise.all([
    runCheck("types", [bin("typescript/bin/tsc"), "-p", ".", "--checkers", checkers, "--incremental", ...KEPT_TYPES]),
    runCheck("dead code", [LAUNCH, "tool", "knip", "--no-progress"]),
  ]);
  return [built, lint, typegen, types, deadCode];
}

/** Every test but those that only `--faults` and `--release` run. */
function listTests(): string[] {
  const others = ["**/node_modules", "build", "data", "demo-data", "release", "test-results"];
  others.push("tests/faults/long", "tests/release");
  return globSync("**/*.test.ts", { cwd: ROOT, exclude: others });
}

/** The part of the slow test files to run, as "1/2". Set by `.ci/run`; without it all of them run. */
const SHARD = process.env.SPAWNPOINT_SHARD;

/** Whole sites that are started, killed and flooded: with more of them at once than this, each only waits for the others. */
const runSlowUnits = () =>
  runUnitTests(
    listTests().filter((file) => file.endsWith(".slow.test.ts")),
    { atOnce: os.availableParallelism() + 2, limitMs: TEST_LIMIT_MS, shard: SHARD },
  );
const runSlowJourneys = () => runJourneys({ SPAWNPOINT_SLOW: "only" });

/** Files share processes where they can; what waits most of its time does so beside the journeys, which wait now and then, too. */
async function runUsual(): Promise<Outcome[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "spawnpoint-tests-"));
  const { working, waiting } = groupTests(
    listTests()
      .filter((file) => !file.endsWith(".slow.test.ts"))
      .sort(),
    folder,
  );
  // Enough to keep the processors busy while some wait; more of them only make each other slow.
  const how = { atOnce: os.availableParallelism() + 3, limitMs: TEST_LIMIT_MS };
  const worked = await runUnitTests(working, how);
  const journeys = runJourneys();
  const waited = await runUnitTests(waiting, { ...how, beside: journeys });
  rmSync(folder, { recursive: true });
  return [worked, waited, await journeys];
}

/**
 * @param how.atOnce so many processes
 * @param how.limitMs of each test
 * @param how.wholeMs of all together
 * @param how.shard the part of the files to run, as "1/2"
 * @param how.beside what else is under way: what these write is shown after its end
 */
async function runUnitTests(
  files: string[],
  how: {
    atOnce: number;
    limitMs: number;
    wholeMs?: number;
    shard?: string;
    env?: NodeJS.ProcessEnv;
    reporters?: string[];
    beside?: Promise<unknown>;
  },
): Promise<Outcome> {
  const { output, code } = await runProgram(
    [
      ...QUICK_IMPORTS,
      "--test",
      `--test-concurrency=${how.atOnce}`,
      `--test-timeout=${how.limitMs}`,
      "--test-reporter=spec",
      ...(how.shard ? [`--test-shard=${how.shard}`] : []),
      ...(how.reporters ?? []),
      ...files.sort(),
    ],
    // A third of what a short test costs is compiling the same modules once more.
    { NODE_COMPILE_CACHE: path.join(ROOT, "node_modules/.cache/node"), ...how.env },
    { limitMs: how.wholeMs, show: !how.beside },
  );
  if (how.beside) {
    await how.beside;
    process.stdout.write(output);
  }
  const count = (word: string) => Number(new RegExp(`^ℹ ${word} (\\d+)$`, "m").exec(output)?.[1] ?? 0);
  const warnings = output.match(/^\(node:\d+\) .*Warning:.*$/gm) ?? [];
  for (const warning of warnings) console.log(`An unexpected warning fails the run: ${warning}`);
  const failed = count("fail") + count("cancelled") + warnings.length;
  return { passed: count("pass"), failed: code !== 0 && failed === 0 ? 1 : failed, skipped: count("skipped") };
}

/** Every fault of the list in its long version, wherever its test stands, and then the list with what was measured. */
async function runFaults(): Promise<Outcome[]> {
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
  const env = { SPAWNPOINT_FAULTS: "full" };
  // They must not be each other's fault, and take their time.
  const units = await runUnitTests(tests, { atOnce: 2, limitMs: TEST_LIMIT_MS, wholeMs: 40 * 60_000, env, reporters });
  const told: Told[] = readFileSync(figures, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  rmSync(folder, { recursive: true });
  const outcomes = [units];
  for (const file of [...files].filter((name) => name.endsWith(".spec.ts"))) {
    const journeys = await runJourneys(env, [file]);
    const kind = journeys.failed > 0 || journeys.passed === 0 ? "failed" : "passed";
    told.push({ file: path.join(ROOT, file), name: file, kind });
    outcomes.push(journeys);
  }
  const open = showFaults(faults, told);
  return [...outcomes, { ...NOTHING, failed: open > 0 && sum(outcomes).failed === 0 ? open : 0 }];
}

async function runJourneys(env: NodeJS.ProcessEnv = {}, only: string[] = []): Promise<Outcome> {
  if (!hasBrowser) {
    console.log(
      "No Chromium could be found or installed; set CHROMIUM_PATH to one. The browser journeys count as failed.",
    );
    return { ...NOTHING, failed: 1 };
  }
  const folder = mkdtempSync(path.join(os.tmpdir(), "spawnpoint-journeys-"));
  const report = path.join(folder, "report.json");
  const { code } = await runProgram(
    [
      ...QUICK_IMPORTS,
      bin("@playwright/test/cli.js"),
      "test",
      "--config",
      "tests/e2e/playwright.config.ts",
      "--reporter",
      "line,json",
      ...(env.SPAWNPOINT_SLOW === "only" && SHARD ? [`--shard=${SHARD}`] : []),
      ...only,
    ],
    { PLAYWRIGHT_JSON_OUTPUT_NAME: report, ...env },
  );
  if (!existsSync(report)) return { ...NOTHING, failed: 1 };
  const { stats }: { stats: Record<string, number> } = JSON.parse(readFileSync(report, "utf8"));
  rmSync(folder, { recursive: true });
  const failed = stats.unexpected ?? 0;
  return { passed: stats.expected ?? 0, failed: code !== 0 && failed === 0 ? 1 : failed, skipped: stats.skipped ?? 0 };
}

endAllWhenInterrupted();
const total = await main().catch((error: unknown) => {
  console.error(error);
  return { ...NOTHING, failed: 1 };
});
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
await exitWhenWritten(total.failed === 0 ? 0 : 1);
