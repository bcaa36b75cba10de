/** Our Minecraft adapter against a server that we did not write, joined by a client that we did not write. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answerWithoutFigures } from "#outside/game-query/answer.ts";
import { queryMinecraft } from "#outside/game-query/minecraft.ts";
import { joinMinecraft, startMinecraftGameServer } from "#tests/heavy/minecraft-game-server.ts";
import { until } from "#tests/helpers/until.ts";

/** However long a busy machine takes. */
const deadlineMs = 60_000;

test("players join and leave a real Minecraft server, and the adapter sees the count move", async (context) => {
  const server = await startMinecraftGameServer({ maxPlayers: 7 });
  context.after(() => server.kill());
  const ask = () => queryMinecraft({ address: "127.0.0.1", port: server.port, host: "localhost" }, { deadlineMs });
  const countBecomes = (expected: number) =>
    until(`${expected} players`, async () => {
      const result = await ask();
      return result.ok && result.answer.players === expected;
    });

  const empty = await ask();
  assert.ok(empty.ok);
  const told = { players: 0, maxPlayers: 7, version: "1.20.1", name: "A real server" };
  assert.deepEqual(empty.answer, { ...answerWithoutFigures, ...told });
  const ada = await joinMinecraft({ port: server.port, username: "Ada" });
  context.after(() => ada.leave());
  await countBecomes(1);
  const grace = await joinMinecraft({ port: server.port, username: "Grace" });
  context.after(() => grace.leave());
  await countBecomes(2);
  await ada.leave();
  await countBecomes(1);
});

test("a killed Minecraft server is refused, and answers again once it is back on its port", async (context) => {
  const first = await startMinecraftGameServer({ maxPlayers: 7 });
  context.after(() => first.kill());
  const ada = await joinMinecraft({ port: first.port, username: "Ada" });
  context.after(() => ada.leave());
  await first.kill();
  const gone = await queryMinecraft({ address: "127.0.0.1", port: first.port, host: "localhost" }, { deadlineMs });
  assert.deepEqual(gone.ok ? "up" : gone.failure, "refused");
  const second = await startMinecraftGameServer({ port: first.port, maxPlayers: 9 });
  context.after(() => second.kill());
  const back = await queryMinecraft({ address: "127.0.0.1", port: first.port, host: "localhost" }, { deadlineMs });
  assert.deepEqual(back.ok && [back.answer.players, back.answer.maxPlayers], [0, 9]);
});
