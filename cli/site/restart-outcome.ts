/** Passes a restart's outcome from `spawnpoint start` to the requesting `spawnpoint restart`: by a file in the data folder. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

export type RestartOutcome = { done: boolean; text: string };

const fileIn = (dataDir: string) => path.join(dataDir, "restart.json");

export function tellOutcome(dataDir: string, outcome: RestartOutcome): void {
  writeFileSync(fileIn(dataDir), `${JSON.stringify(outcome)}\n`, { mode: 0o600 });
}

/** Null: still running, or already deleted. */
export function readOutcome(dataDir: string): RestartOutcome | null {
  try {
    const outcome: RestartOutcome = JSON.parse(readFileSync(fileIn(dataDir), "utf8"));
    return typeof outcome.text === "string" ? outcome : null;
  } catch {
    // Missing, or being written right now.
    return null;
  }
}

export function forgetOutcome(dataDir: string): void {
  rmSync(fileIn(dataDir), { force: true });
}
