/** Programs of the site on its machines: started, ended in order or at once, their last output kept. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Machine } from "./network.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const KEPT_OUTPUT = 20_000;

export type Program = {
  machine: Machine;
  /** Starts it (again). */
  start(): void;
  /** SIGTERM, and waits for its end; resolves to how long that took, in ms. */
  stop(): Promise<number>;
  kill(): Promise<void>;
  /** Resolves to its exit code. */
  ended(): Promise<number | null>;
  output(): string;
};

/** A program of ours, run by the Node that runs this. */
export const ourProgram = (machine: Machine, command: string, env: NodeJS.ProcessEnv): Program =>
  defineProgram(machine, [process.execPath, path.join(ROOT, "cli/spawnpoint.ts"), command], env);

/** A part of this test that has to stand on a machine of its own. */
export const testProgram = (machine: Machine, file: string, args: string[]): Program =>
  defineProgram(machine, [process.execPath, path.join(import.meta.dirname, file), ...args], {});

export function defineProgram(machine: Machine, command: string[], env: NodeJS.ProcessEnv): Program {
  let child: ChildProcess | null = null;
  let output = "";

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  }
  return {
    machine,
    start() {
      child = machine.start(command, { env: { PATH: process.env.PATH, HOME: "/root", ...env }, cwd: ROOT });
      const keep = (chunk: Buffer) => {
        output = (output + chunk).slice(-KEPT_OUTPUT);
      };
      child.stdout?.on("data", keep);
      child.stderr?.on("data", keep);
    },
    async stop() {
      const began = performance.now();
      await end("SIGTERM");
      return performance.now() - began;
    },
    kill: () => end("SIGKILL"),
    async ended() {
      if (child !== null && child.exitCode === null && child.signalCode === null) await once(child, "exit");
      return child?.exitCode ?? null;
    },
    output: () => output,
  };
}

/** Waits until something holds. @throws when it does not within `limitMs`; resolves to how long it took, in ms. */
export async function until(
  what: string | (() => string),
  limitMs: number,
  holds: () => Promise<boolean> | boolean,
): Promise<number> {
  const began = performance.now();
  for (;;) {
    if (await Promise.resolve(holds()).catch(() => false)) return performance.now() - began;
    if (performance.now() - began > limitMs) {
      throw new Error(`not within ${limitMs / 1000} s: ${typeof what === "string" ? what : what()}`);
    }
    await pause(25);
  }
}
