/** Has a step of the start done by a process that ends with it: the one that stays is small, and keeps nothing of what it takes. */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Config } from "#config";
import { StartError } from "../start-error.ts";

const PROGRAM = fileURLToPath(new URL("start-steps.ts", import.meta.url));

/**
 * - `wait`: until the database of DATABASE_URL can be used; it says whether it can, or whether it was told to stop.
 * - `prepare`: looks whose site it is, brings its tables up to date, and clears away what a demo left.
 * - `banner`: tells whoever started it how to sign in, at `siteUrl`.
 *
 * `config` is what the operator has set, `databaseUrl` where the database is by now.
 */
export type StartStep = { config: Config; databaseUrl: string } & (
  | { step: "wait" | "prepare" }
  | { step: "banner"; siteUrl: string }
);

/** What the step's process answers: what came of it, or what an operator is told in place of it. */
export type StepAnswer = { done: boolean } | { failed: string };

/**
 * @param told ends a step that waits
 * @throws {StartError} with what the step has to say to the operator.
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
