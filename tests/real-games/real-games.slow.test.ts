/** Real game servers, as their makers ship them: the doctor names each from its address, and its live row follows what happens to it. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { REAL_GAMES } from "./games.ts";

const INSIDE = path.join(import.meta.dirname, "inside.ts");
const QUICK_IMPORTS = path.join(import.meta.dirname, "../helpers/quick-imports.ts");
/**
 * Root needs no user namespace, and outside of one it may still use the database's socket. Whatever is started within ends with
 * the first process there, however that ends.
 */
const APART = [
  ...(process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"]),
  "--net",
  "--pid",
  "--fork",
  "--kill-child",
];
const namespaces = spawnSync("unshare", [...APART, "ip", "link", "set", "lo", "up"]);
const NO_NAMESPACES = namespaces.status !== 0 && "network namespaces or iproute2 are not to be had here";

describe("real game servers", { concurrency: 2 }, () => {
  for (const { game, program, debian } of REAL_GAMES) {
    const missing = debian && !existsSync(program) && `${game} is not installed here (apt-get install ${debian})`;
    test(game, { skip: NO_NAMESPACES || missing }, async ({ signal }) => {
      const child = spawn("unshare", [...APART, process.execPath, "--import", QUICK_IMPORTS, INSIDE, game], {
        stdio: ["ignore", "ignore", "pipe"],
        signal,
        killSignal: "SIGKILL",
      });
      const [said, code] = await Promise.all([
        child.stderr.toArray(),
        new Promise<number | null>((resolve) => child.once("exit", resolve)),
      ]);
      assert.equal(code, 0, Buffer.concat(said).toString("utf8").slice(-3000));
    });
  }
});
