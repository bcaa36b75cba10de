/** Our own troubles are told apart from the game server's. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { failureOfError } from "./network-failure.ts";

const run = promisify(execFile);

test("errors get their names", () => {
  const failure = (code: string, beforeLeaving = false): string =>
    failureOfError(Object.assign(new Error(code), { code }), beforeLeaving);
  for (const code of [
    "ENETUNREACH",
    "EMFILE",
    "ENFILE",
    "ENOBUFS",
    "ENOMEM",
    "EADDRNOTAVAIL",
    "EPERM",
    "EACCES",
    "EWHATEVER",
  ]) {
    assert.equal(failure(code), "network", code);
  }
  for (const code of ["ECONNREFUSED", "ECONNRESET", "EPIPE"]) assert.equal(failure(code), "refused", code);
  assert.equal(failure("EHOSTUNREACH", true), "network");
  assert.equal(failure("EHOSTUNREACH"), "no_reply");
  assert.equal(failureOfError("no error at all", false), "network");
});

test("when this process has no sockets left, that is the network, and it recovers", {
  skip: process.platform === "win32",
}, async () => {
  const script = `
    const { queryA2s } = await import("./outside/game-query/a2s-query.ts");
    const { queryMinecraft } = await import("./outside/game-query/minecraft.ts");
    const { startA2sServer } = await import("./demo/protocols/a2s-server.ts");
    const { startMinecraftServer } = await import("./demo/protocols/minecraft-server.ts");
    const info = { name: "n", map: "m", folder: "f", game: "g", players: 1, maxPlayers: 2, version: "1", protocol: 1, description: "" };
    const udp = await startA2sServer({ info: () => info });
    const tcp = await startMinecraftServer({ info: () => info });
    const outcome = (result) => (result.ok ? "up" : result.failure);
    const a2s = async () => outcome(await queryA2s({ address: "127.0.0.1", port: udp.port }));
    const minecraft = async () => outcome(await queryMinecraft({ address: "127.0.0.1", port: tcp.port, host: "x" }, { deadlineMs: 500 }));
    const many = (ask) => Promise.all(Array.from({ length: 150 }, ask));
    const seen = [[...new Set(await many(a2s))].sort(), await a2s(), (await many(minecraft)).includes("network"), await minecraft()];
    console.log(JSON.stringify(seen));
    process.exit();
  `;
  const { stdout } = await run(
    "sh",
    ["-c", 'ulimit -n 64 && exec "$0" --input-type=module -e "$1"', process.execPath, script],
    { timeout: 20_000, cwd: new URL("../..", import.meta.url) },
  );
  assert.deepEqual(JSON.parse(stdout), [["network", "up"], "up", true, "up"]);
});
