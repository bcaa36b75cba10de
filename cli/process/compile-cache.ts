/** Compiled code is kept between starts: a good part of the time until the first page, and of the memory of each process. */
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../node_modules/.cache/node", import.meta.url));

/**
 * Keeps it, for this process and those that it starts. A process that finds all of its code compiled never loads the compiler of
 * TypeScript, which would stay with it (some 15 MB); for its very first file that is so only where the environment says so.
 */
export function keepCompiled(): void {
  process.env.NODE_COMPILE_CACHE ??= FOLDER;
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
}

/**
 * Begins anew in the same process where its first file had to be compiled; for a process that stays for months. Where a process
 * cannot be replaced, or somebody listens at the channel that would be lost, it goes on as it is.
 */
export function beginCompiled(): void {
  if (process.env.NODE_COMPILE_CACHE !== undefined || process.connected || typeof process.execve !== "function") return;
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    ...process.env,
    NODE_COMPILE_CACHE: FOLDER,
  });
}
