/** The list of README.md: which fault is held by which tests, and what a run of them says about each. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Told } from "./figures-reporter.ts";

const ROOT = path.join(import.meta.dirname, "../..");

type Fault = { name: string; condition: string; files: string[] };

/** The rows of the table in README.md; a file may be written as a pattern. */
export function readFaultList(): Fault[] {
  const rows = readFileSync(path.join(import.meta.dirname, "README.md"), "utf8").matchAll(
    /^\| (?!Fault |-)(.+?) \| (.+?) \| (.+?) \|$/gm,
  );
  return [...rows].map(([, name = "", condition = "", files = ""]) => ({
    name,
    condition,
    files: [...files.matchAll(/`([^`]+)`/g)].flatMap(([, pattern = ""]) => globSync(pattern, { cwd: ROOT }).sort()),
  }));
}

/** Prints each fault with its condition and what was measured; returns how many are not held. */
export function showFaults(faults: Fault[], told: Told[]): number {
  let open = 0;
  for (const { name, condition, files } of faults) {
    const here = told.filter(({ file }) => files.some((one) => path.resolve(ROOT, one) === file));
    const missing = files.filter((one) => !here.some((test) => test.file === path.resolve(ROOT, one)));
    const wrong = here.filter(({ kind }) => kind === "failed" || kind === "skipped");
    const passed = here.filter(({ kind }) => kind === "passed").length;
    const held = passed > 0 && missing.length === 0 && wrong.length === 0;
    if (!held) open += 1;
    console.log(`${held ? "✔" : "✖"} ${name}\n    must: ${condition}`);
    for (const test of here) {
      if (test.kind === "figure" && test.name.startsWith(`${name}: `))
        console.log(`    is: ${test.name.slice(name.length + 2)}`);
    }
    console.log(`    ${passed} tests in ${files.join(", ") || "no file"}`);
    for (const { kind, name: test } of wrong) console.log(`    ${kind}: ${test}`);
    for (const one of missing) console.log(`    did not run: ${one}`);
  }
  console.log(`${faults.length - open} of ${faults.length} faults do no harm.`);
  return open;
}
