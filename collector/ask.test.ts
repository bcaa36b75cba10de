/** At which port a game server is asked, by what its record says and what is usual with its adapter. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AskedAdapterId } from "#shared/adapters.ts";
import { createAsker } from "./ask.ts";
import { createSlots } from "./slots.ts";

/** The port that is asked; a failure where nothing is. */
async function portAskedOf(adapter: AskedAdapterId, gamePort: number | null, queryPort: number | null) {
  const asked: (number | null)[] = [];
  const asker = createAsker(
    {
      resolver: {
        resolve: async ({ port }) => ({ ok: true, address: "203.0.113.7", family: 4, port: port ?? 25_565 }),
      },
      query: async (_, { port }) => {
        asked.push(port);
        return { ok: false, latencyMs: 1, failure: "no_reply" };
      },
    },
    createSlots(10, 10, () => {}),
    () => 0,
  );
  const told = await asker.ask({
    adapter,
    options: {},
    secrets: {},
    host: "pal.example.org",
    gamePort,
    queryPort,
    intervalMs: 1000,
    claimedUntil: 1e9,
    heartbeat: null,
    state: { failuresInRow: 0 },
  });
  return asked[0] ?? (told?.outcome.ok === false ? told.outcome.failure : "answered");
}

test("without a query port each adapter asks where games are usually asked so", async () => {
  for (const [adapter, gamePort, queryPort, port] of [
    ["palworld", 8211, null, 8212],
    ["palworld", null, null, 8212],
    ["palworld", 8211, 9000, 9000],
    ["palworld", 8211, 8211, 8211],
    ["terraria", 7777, null, 7878],
    ["hytale", 5520, null, 5523],
    ["hytale", 6000, null, 6003],
    ["hytale", 65_534, null, "no_address"],
    ["hytale", null, null, "no_address"],
    ["teamspeak", 9988, null, 10_011],
    ["satisfactory", 7777, null, 7777],
    ["a2s", 2456, null, 2456],
    ["a2s", 2456, 2457, 2457],
    ["a2s", null, null, "no_address"],
    ["minecraft", null, null, 25_565],
  ] as const)
    assert.equal(await portAskedOf(adapter, gamePort, queryPort), port, `${adapter} ${gamePort} ${queryPort}`);
});
