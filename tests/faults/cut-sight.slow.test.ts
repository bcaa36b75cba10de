/** The site cut off from half of its game servers, packet by packet, while an outpost elsewhere still reaches them: in networks of their own. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import path from "node:path";
import { test } from "node:test";

const INSIDE = path.join(import.meta.dirname, "cut-sight-inside.ts");
const QUICK_IMPORTS = path.join(import.meta.dirname, "../helpers/quick-imports.ts");
/** Root needs no user namespace, and outside of one it may still use the database's socket. */
const APART = [...(process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"]), "--net", "--fork", "--kill-child"];
const tried = spawnSync("unshare", [...APART, "ip", "link", "add", "one", "type", "veth", "peer", "name", "two"]);
const NO_NAMESPACES = tried.status !== 0 && "network namespaces or iproute2 are not to be had here";

test("cut off from half of them while an outpost sees: 0 offline events and the right words, until the cut ends", {
  skip: NO_NAMESPACES,
}, async (context) => {
  const child = spawn("unshare", [...APART, process.execPath, "--import", QUICK_IMPORTS, INSIDE, "site"], {
    stdio: ["ignore", "pipe", "pipe"],
    signal: context.signal,
    killSignal: "SIGKILL",
  });
  const [told, said, code] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    new Promise<number | null>((resolve) => child.once("exit", resolve)),
  ]);
  context.diagnostic(Buffer.concat(told).toString("utf8").trim());
  assert.equal(code, 0, Buffer.concat(said).toString("utf8").slice(-3000));
});
