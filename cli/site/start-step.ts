/** Runs a step of the start in a process of its own: the remaining one stays small. */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Config } from "#config";
import { StartError } from "../start-error.ts";

const PROGRAM = fileURLToPath(new URL("start-steps.ts", import.meta.url));

/**
 * - `wait`: until the database of DATABASE_URL is usable; returns whether it is, or was stopped.
 * - `prepare`: checks whose site it is, migrates its tables, and removes a demo's remains.
 * - `banner`: prints how to log in at `siteUrl`.
 *
 * `config` is the operator's settings, `databaseUrl` the current database.
 */
export type StartStep = { config: Config; databaseUrl: string } & (
  | { step: "wait" | "prepare" }
  | { step: "banner"; siteUrl: string }
);

/** The step's answer: its result, or an error for the operator. */
export type StepAnswer = { done: boolean } | { failed: string };

/**
 * @param told aborts a waiting step
 * @throws {StartError} with the step's error for the operator.
 */
export async function runStartStep(step: StartStep, told?: Promise<unknown>): Promise<boolean> {
  const child = fork(PROGRAM, [], { serialization: "advanced", stdio: ["ignore", "inherit", "inherit", "ipc"] });
  let answer: StepAnswer | null = null;
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
  });
  child.on("message", (said) => {
    answer = said as StepAnswer;
  });
  child.send(step, (error) => error && child.kill("SIGKILL"));
  told?.then(() => child.kill("SIGTERM"));
  const end = await ended;
  const { done, failed } = { done: undefined, failed: undefined, ...(answer as StepAnswer | null) };
  if (done !== undefined) return done;
  throw new StartError(failed ?? `The step "${step.step}" of the start ended without an answer: ${end}.`);
}
