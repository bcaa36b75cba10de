/** `npm run bench [-- NAME …] [-- --pairs N] [-- --markdown]`: measures the claims, each in a process of its own, and prints one table. */
import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { findPostgresPrograms } from "#db/postgres/programs.ts";
import { endLeftovers, markRun } from "#tests/helpers/programs/leftovers.ts";
import { exitWhenWritten } from "../cli/process/exit-when-written.ts";
import { type Bench, formatTable, keepsFloor, type Row } from "./instruments/row.ts";

/** Each file gives the rows of these claims. */
const BENCHES: [file: string, claims: string[]][] = [
  ["home-page", ["P1"]],
  ["commit-to-browser", ["P4"]],
  ["asking/poll-round", ["P6"]],
  ["asking/a2s-cpu", ["P6"]],
  ["asking/collector-tick", ["P8"]],
  ["saturated", ["P10"]],
  ["script-size", ["P11"]],
  ["lighthouse", ["P12"]],
  ["history", ["P14"]],
  ["pages-at-scale", ["N6"]],
  ["press-to-paint", ["N6"]],
  ["narrow-stream", ["N7"]],
  ["accuracy/verdicts", ["N8"]],
  ["accuracy/down-times", ["N9"]],
  ["one-stranger", ["N12"]],
  ["at-rest", ["N1", "N2"]],
];
/** A bench that says nothing for so long hangs. What it said before counts. */
const SILENCE_MS = 25 * 60_000;
/** A load above this for each core before anything has begun: the figures are not those of a quiet machine. */
const QUIET_LOAD = 0.25;
/** Where `--markdown` saves the table of a full run. */
const REPORT = path.join(import.meta.dirname, "last-run.md");
const HEADING = `# The last full run

Written by \`npm run bench -- --markdown\`. [Performance](../docs/performance.md) explains it.`;

/** Who ends the bench by hand leaves nothing behind either. */
const ENDS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

type Told = { row: Row } | { rows: Row[] } | { failure: string };

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { pairs: { type: "string" }, markdown: { type: "boolean" }, only: { type: "string" } },
  });
  if (values.only) return measureHere(values.only);
  if (values.pairs) process.env.BENCH_PAIRS = values.pairs;
  const wanted = BENCHES.filter(
    ([file, claims]) =>
      positionals.length === 0 ||
      positionals.some((name) => name === file || claims.some((claim) => claim.toUpperCase() === name.toUpperCase())),
  );
  if (wanted.length === 0) {
    console.error(
      `There is no such bench. There are: ${BENCHES.map(([file]) => file).join(", ")}, and ${[...new Set(BENCHES.flatMap(([, claims]) => claims))].join(", ")}.`,
    );
    return 2;
  }
  const described = await describeMachine();
  console.log(described);
  const beganAll = performance.now();
  const rows: Row[] = [];
  const failures: string[] = [];
  for (const [file] of wanted) {
    if (!existsSync(fileOf(file))) {
      failures.push(`${file}: not written yet`);
      continue;
    }
    console.log(`… ${file}`);
    const began = performance.now();
    const failure = await measureInChild(file, (told) => {
      rows.push(...told);
      if (told.length > 0) console.log(formatTable(told).split("\n").slice(2).join("\n"));
    });
    console.log(`  ${((performance.now() - began) / 1000).toFixed(0)} s`);
    if (failure !== null) failures.push(`${file}: ${failure}`);
  }
  const machine = `${described} All of it took ${((performance.now() - beganAll) / 60_000).toFixed(0)} minutes.`;
  rows.sort((a, b) => rank(a) - rank(b));
  const table = formatTable(rows);
  console.log(`\n${machine}\n\n${table}`);
  for (const failure of failures) console.log(`not measured: ${failure}`);
  if (values.markdown && positionals.length === 0)
    save(`${machine}\n\n${table}${failures.map((f) => `\n\nNot measured: ${f}`).join("")}`);
  return failures.length === 0 && rows.every(keepsFloor) ? 0 : 1;
}

/** P1 to P14 first, then the others. */
const rank = ({ claim }: Row) => Number.parseInt(claim.slice(1), 10) + (claim.startsWith("P") ? 0 : 100);

const fileOf = (name: string) => path.join(import.meta.dirname, `${name}.ts`);

/**
 * Nothing that one bench leaves in memory, and no descriptor, meets the next one.
 * @returns why not all was measured; null when it was
 */
async function measureInChild(file: string, onRows: (rows: Row[]) => void): Promise<string | null> {
  const { mark, env } = markRun();
  const child = fork(import.meta.filename, ["--only", file], {
    env: { ...process.env, ...env, NODE_ENV: "production" },
  });
  const end = (by: NodeJS.Signals) => void endLeftovers(mark).then(() => process.kill(process.pid, by));
  for (const by of ENDS) process.once(by, end);
  let failure: string | null = null;
  let whole = false;
  const silent = () => child.kill("SIGKILL");
  let silence = setTimeout(silent, SILENCE_MS);
  child.on("message", (told: Told) => {
    clearTimeout(silence);
    silence = setTimeout(silent, SILENCE_MS);
    if ("row" in told) onRows([told.row]);
    else {
      whole = true;
      if ("rows" in told) onRows(told.rows);
      else failure = told.failure;
    }
  });
  const [code, signal] = await once(child, "exit");
  clearTimeout(silence);
  await endLeftovers(mark);
  for (const by of ENDS) process.off(by, end);
  return whole ? failure : `ended by ${signal ?? `code ${code}`}`;
}

async function measureHere(file: string): Promise<number> {
  const tell = (told: Told) => new Promise((resolve) => process.send?.(told, resolve));
  const told: Told = await (import(fileOf(file)) as Promise<Bench>)
    .then(async (bench) => ({ rows: await bench.measure((row) => void tell({ row })) }))
    .catch((error: unknown) => {
      console.error(error);
      return { failure: String(error) };
    });
  await tell(told);
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
  writeFileSync(REPORT, `${HEADING}\n\n${section}\n`);
  console.log(`\nwritten to ${path.relative(process.cwd(), REPORT)}`);
}

await exitWhenWritten(await main());
