/** `npm run bench [-- NAME …] [-- --pairs N] [-- --markdown]`: measures the claims, each in a process of its own, and prints one table. */
import { fork, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { findPostgresPrograms } from "#db/postgres/programs.ts";
import { type Bench, formatTable, keepsFloor, type Row } from "./instruments/row.ts";

/** Each file gives the rows of these claims. */
const BENCHES: [file: string, claims: string[]][] = [
  ["home-page", ["P1"]],
  ["rendering", ["P2", "P3"]],
  ["commit-to-browser", ["P4"]],
  ["many-streams", ["P5"]],
  ["poll-round", ["P6", "P7"]],
  ["a2s-cpu", ["P6"]],
  ["collector-tick", ["P8"]],
  ["sign-in", ["P9"]],
  ["saturated", ["P10"]],
  ["script-size", ["P11"]],
  ["lighthouse", ["P12"]],
  ["start-time", ["P13"]],
  ["history", ["P14"]],
  ["thirty-seconds", ["N5"]],
  ["accuracy/verdicts", ["N8"]],
  ["accuracy/down-times", ["N9"]],
  ["push-arrivals", ["N10"]],
  ["one-stranger", ["N12"]],
];
const LIMIT_MS = 15 * 60_000;
/** A load above this for each core before anything has begun: the figures are not those of a quiet machine. */
const QUIET_LOAD = 0.25;
const REPORT = path.join(import.meta.dirname, "..", "docs", "performance.md");
const MARKS = ["<!-- the table: made by `npm run bench -- --markdown` -->", "<!-- the end of the table -->"] as const;

type Told = { rows: Row[] } | { failure: string };

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { pairs: { type: "string" }, markdown: { type: "boolean" }, only: { type: "string" } },
  });
  if (values.only) return measureHere(values.only);
  if (values.pairs) process.env.BENCH_PAIRS = values.pairs;
  const wanted = BENCHES.filter(
    ([file, claims]) =>
      positionals.length === 0 || positionals.some((name) => name === file || claims.includes(name.toUpperCase())),
  );
  if (wanted.length === 0) {
    console.error(
      `There is no such bench. There are: ${BENCHES.map(([file]) => file).join(", ")}, and P1 to P14, N5, N8, N9, N10, N12.`,
    );
    return 2;
  }
  const machine = await describeMachine();
  console.log(machine);
  const rows: Row[] = [];
  const failures: string[] = [];
  for (const [file] of wanted) {
    if (!existsSync(fileOf(file))) {
      failures.push(`${file}: not written yet`);
      continue;
    }
    console.log(`… ${file}`);
    const told = await measureInChild(file);
    if ("rows" in told) rows.push(...told.rows);
    else failures.push(`${file}: ${told.failure}`);
  }
  rows.sort((a, b) => rank(a) - rank(b));
  const table = formatTable(rows);
  console.log(`\n${table}`);
  for (const failure of failures) console.log(`not measured: ${failure}`);
  if (values.markdown && positionals.length === 0)
    save(`${machine}\n\n${table}${failures.map((f) => `\n\nNot measured: ${f}`).join("")}`);
  return failures.length === 0 && rows.every(keepsFloor) ? 0 : 1;
}

/** P1 to P14 first, then the others. */
const rank = ({ claim }: Row) => Number(claim.slice(1)) + (claim.startsWith("P") ? 0 : 100);

const fileOf = (name: string) => path.join(import.meta.dirname, `${name}.ts`);

/** Nothing that one bench leaves in memory, and no descriptor, meets the next one. */
function measureInChild(file: string): Promise<Told> {
  return new Promise((resolve) => {
    const child = fork(import.meta.filename, ["--only", file], {
      env: { ...process.env, NODE_ENV: "production" },
      timeout: LIMIT_MS,
      killSignal: "SIGKILL",
    });
    let told: Told | null = null;
    child.on("message", (message: Told) => {
      told = message;
    });
    child.on("exit", (code, signal) => resolve(told ?? { failure: `ended by ${signal ?? `code ${code}`}` }));
  });
}

async function measureHere(file: string): Promise<number> {
  const told: Told = await (import(fileOf(file)) as Promise<Bench>)
    .then(async (bench) => ({ rows: await bench.measure() }))
    .catch((error: unknown) => {
      console.error(error);
      return { failure: String(error) };
    });
  await new Promise((resolve) => process.send?.(told, resolve));
  return 0;
}

async function describeMachine(): Promise<string> {
  const [cpu] = os.cpus();
  const { postgres } = await findPostgresPrograms();
  const version = spawnSync(postgres, ["--version"], { encoding: "utf8" }).stdout.trim();
  const perCore = (os.loadavg()[0] ?? 0) / os.availableParallelism();
  const busy = perCore > QUIET_LOAD ? ` The machine was busy with other work (load ${perCore.toFixed(2)} a core).` : "";
  return (
    `${new Date().toISOString().slice(0, 10)}: ${os.availableParallelism()} cores of ${cpu?.model.trim()}, ` +
    `${Math.round(os.totalmem() / 2 ** 30)} GB, ${os.type()} ${os.release()}, Node ${process.version}, ${version}.${busy}`
  );
}

function save(section: string): void {
  const report = readFileSync(REPORT, "utf8");
  const [before, rest] = report.split(MARKS[0]);
  const after = rest?.split(MARKS[1])[1];
  if (before === undefined || after === undefined) throw new Error(`${REPORT} has lost the marks around its table`);
  writeFileSync(REPORT, `${before}${MARKS[0]}\n\n${section}\n\n${MARKS[1]}${after}`);
  console.log(`\nwritten to ${path.relative(process.cwd(), REPORT)}`);
}

process.exit(await main());
