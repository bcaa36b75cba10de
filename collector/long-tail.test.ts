import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { after, before, describe, test } from "node:test";
import { createBed, pretendA2s } from "#tests/helpers/test-bed.ts";
import { unpackingReply } from "#tests/helpers/unpacking-reply.ts";
import { until } from "#tests/helpers/until.ts";

describe("the long tail, asked through gamedig's own process", () => {
  let bed: Awaited<ReturnType<typeof createBed>>;
  before(async () => {
    bed = await createBed();
  });
  after(async () => {
    await bed.clear();
    await bed.end();
  });

  test("a hostile game server is unknown, for bytes come from it; those beside it stay online, at any adapter", async () => {
    const game = await pretendA2s(3);
    const hostile = createSocket("udp4");
    hostile.on("message", (_, from) => hostile.send(unpackingReply, from.port, from.address));
    hostile.bind(0, "127.0.0.1");
    await once(hostile, "listening");
    hostile.unref();
    const own = await bed.addServer({ game_port: game.port });
    const beside = await bed.addServer({
      adapter: "gamedig",
      adapter_options: { gamedigType: "arma3" },
      game_port: game.port,
    });
    const bad = await bed.addServer({
      adapter: "gamedig",
      adapter_options: { gamedigType: "arma3" },
      game_port: hostile.address().port,
    });
    const unlisted = await bed.addServer({
      adapter: "gamedig",
      adapter_options: { gamedigType: "minetest" },
      game_port: game.port,
    });
    const collector = await bed.start({ intervalS: 1 });
    await until("both online", async () => (await bed.statuses()).online === 2);
    const failed = await until("malformed", async () => {
      const row = await bed.row(bad);
      return row.failure === "malformed" && row.failures_in_row >= 3 && row;
    });
    assert.deepEqual([failed.status, failed.latency_ms], ["unknown", null]);
    for (const id of [own, beside]) {
      const row = await bed.row(id);
      assert.deepEqual([row.status, row.user_online, row.failures_in_row], ["online", 3, 0]);
    }
    assert.equal((await bed.row(unlisted)).failure, "blocked");
    const [worst] = await bed.sql<{ n: number }[]>`
      SELECT count(*)::int AS n FROM gameserver_sample WHERE server_id IN (${own}, ${beside}) AND failure IS NOT NULL`;
    assert.equal(worst?.n, 0);
    await collector.stop();
    await game.close();
    hostile.close();
  });
});
