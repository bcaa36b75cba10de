/** Runs one of the programs that `npm test` consists of, and counts what came out. */
import { spawn } from "node:child_process";
import path from "node:path";
import { endLeftovers, markRun } from "./leftovers.ts";

export type Outcome = { passed: number; failed: number; skipped: number };

export const NOTHING: Outcome = { passed: 0, failed: 0, skipped: 0 };

/** Nothing here may take longer, unless it says so; what hangs is ended and counts as failed. A busy machine takes its time. */
const LIMIT_MS = 60 * 60_000;

/** Runs `node <args>` at the root of the checkout, shows what it writes, and gives it back. */
export async function runProgram(
  args: string[],
  env: NodeJS.ProcessEnv = {},
  { show = true, limitMs = LIMIT_MS }: { show?: boolean; limitMs?: number | undefined } = {},
): Promise<{ code: number | null; output: string }> {
  const { mark, env: marked } = markRun();
  const child = spawn(process.execPath, args, {
    cwd: path.join(import.meta.dirname, "../../.."),
    env: { ...process.env, ...env, ...marked },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: limitMs,
  });
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part: Buffer) => {
      parts.push(part);
      if (show) process.stdout.write(part);
    });
  }
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  await new Promise((resolve) => child.once("exit", resolve));
  // What still runs may hold the pipes that we read.
  for (const command of await endLeftovers(mark)) console.log(`It was left running, and is ended: ${command}`);
  const code = await closed;
  return { code, output: Buffer.concat(parts).toString("utf8") };
}

/** Runs a check that is right or wrong as a whole, and shows its output only when it is wrong. */
export async function runCheck(name: string, args: string[]): Promise<Outcome> {
  const startedAt = performance.now();
  const { code, output } = await runProgram(args, {}, { show: false });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(code === 0 ? `✔ ${name} (${seconds} s)` : `${output}\n✖ ${name} (${seconds} s)`);
  return { ...NOTHING, [code === 0 ? "passed" : "failed"]: 1 };
}

export function sum(outcomes: Outcome[]): Outcome {
  return outcomes.reduce((total, one) => ({
    passed: total.passed + one.passed,
    failed: total.failed + one.failed,
    skipped: total.skipped + one.skipped,
  }));
}
