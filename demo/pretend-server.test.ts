import assert from "node:assert/strict";
import { it } from "node:test";
import { queryA2s } from "#outside/game-query/a2s-query.ts";
import { isDownAt, startPretendServer } from "./pretend-server.ts";

const MINUTE_MS = 60_000;
const NOON = Date.UTC(2026, 10, 20, 12);

const row = {
  server_id: 4,
  game_slug: "valheim",
  server_name: "Valheim Modded",
  adapter: "a2s" as const,
  adapter_options: {},
  game_port: null,
  query_port: null,
  user_max: 20,
  version: null,
};

it("a game server that fails is down two minutes in twelve, each at its own time", () => {
  const minutes = Array.from({ length: 120 }, (_, minute) => NOON + minute * MINUTE_MS);
  for (const seed of [1, 2, 3, 50]) {
    const down = minutes.filter((at) => isDownAt(seed, at)).length;
    assert.ok(down >= 18 && down <= 22, `${down} of 120 minutes`);
  }
  assert.notDeepEqual(
    minutes.map((at) => isDownAt(1, at)),
    minutes.map((at) => isDownAt(2, at)),
  );
});

it("closes its port while it is down and comes back on the same one", async (test) => {
  const upAt =
    NOON + MINUTE_MS * Array.from({ length: 12 }, (_, m) => m).findIndex((m) => isUpAround(NOON + m * MINUTE_MS));
  test.mock.timers.enable({ apis: ["Date", "setInterval"], now: upAt });
  const server = await startPretendServer(row, { busy: 0.5, fails: true, version: "0.221.4" }, () => 12);
  const target = { address: "127.0.0.1", port: server.port ?? 0 };
  const waitUntil = async (down: boolean) => {
    while (isDownAt(row.server_id, Date.now()) !== down) test.mock.timers.tick(MINUTE_MS / 2);
    test.mock.timers.tick(MINUTE_MS / 2);
    // Opening and closing a socket takes a turn of the event loop or two.
    await new Promise((resolve) => setTimeout(resolve, 50));
  };

  const first = await queryA2s(target);
  assert.ok(first.ok);
  assert.equal(first.answer.players, 12);
  assert.equal(first.answer.version, "0.221.4");

  await waitUntil(true);
  const whileDown = await queryA2s(target);
  assert.equal(whileDown.ok ? "ok" : whileDown.failure, "refused");

  await waitUntil(false);
  assert.ok((await queryA2s(target)).ok);

  await server.stop();
  const stopped = await queryA2s(target);
  assert.equal(stopped.ok, false);
});

function isUpAround(at: number): boolean {
  return !isDownAt(row.server_id, at) && !isDownAt(row.server_id, at + MINUTE_MS);
}
