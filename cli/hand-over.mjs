/** Prepares the checkout, then runs Node 26: every npm script does this. Plain JavaScript for Node 20. */
import { spawn } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildIfNeeded, checkNode, installIfNeeded, isRelease, NODE, PrepareError } from "./prepare.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const [command, ...rest] = process.argv.slice(2);
const servesBuiltSite = (command === "start" || command === "web") && !rest.includes("--dev");
const needsBuild = servesBuiltSite || ["build", "screenshots", "release"].includes(command);

try {
  if (!isRelease) installIfNeeded();
  checkNode();
  if (needsBuild && !isRelease) buildIfNeeded();
  if (command === "build") process.exit(0);
} catch (error) {
  if (!(error instanceof PrepareError)) throw error;
  console.error(error.message);
  process.exit(1);
}

/** Programs that aren't operator commands. */
const PROGRAMS = {
  test: "tests/run.ts",
  screenshots: "tests/screenshots/run.ts",
  release: "scripts/release/make-release.ts",
  "client-operations": "scripts/client-operations.ts",
  tool: "scripts/tool.ts",
};
const own = Object.hasOwn(PROGRAMS, command ?? "") ? PROGRAMS[command] : null;
const script = path.join(ROOT, own ?? "cli/spawnpoint.ts");
const args = [script, ...(own ? rest : process.argv.slice(2))];
const env = { ...process.env };
// With it the first file needn't be compiled again (process/compile-cache.ts).
env.NODE_COMPILE_CACHE ??= path.join(ROOT, "node_modules/.cache/node");
// npm's shell may be killed without passing the signal on; a new parent reveals that.
const startedByNpm = process.env.npm_lifecycle_event !== undefined;

if (startedByNpm && typeof process.execve === "function") env.SPAWNPOINT_STARTED_BY = String(process.ppid);
if (typeof process.execve === "function") {
  process.execve(NODE, [NODE, ...args], env);
} else {
  // The channel's end tells the program that this process is gone, even when killed.
  const program = spawn(NODE, args, { env, stdio: ["inherit", "inherit", "inherit", "ipc"] });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => program.kill(signal));
  const parent = process.ppid;
  if (startedByNpm) setInterval(() => process.ppid !== parent && program.kill("SIGTERM"), 500).unref();
  program.on("error", (error) => {
    console.error(`Node 26 could not be started: ${error.message}`);
    process.exit(1);
  });
  program.on("exit", (code, signal) => {
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(name);
    if (signal) process.kill(process.pid, signal);
    else process.exit(code ?? 1);
  });
}
