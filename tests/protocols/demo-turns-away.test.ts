/** A real Minecraft client that tries to join the demo's server is turned away in words. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startMinecraftServer } from "#demo/protocols/minecraft-server.ts";
import { joinMinecraft } from "#tests/heavy/minecraft-game-server.ts";

test("a real client hears that the demo's server is a demo", async (context) => {
  const server = await startMinecraftServer({
    info: () => ({ players: 5, maxPlayers: 40, version: "1.20.1", protocol: 763, description: "Demo" }),
  });
  context.after(() => server.close());
  await assert.rejects(joinMinecraft({ port: server.port, username: "Ada" }), /This is a demo/);
});
