/** Game servers that run and that nobody here understands: real sockets, a real collector, the row that people are shown. */
import assert from "node:assert/strict";
import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import { after, before, describe, type TestContext, test } from "node:test";
import { createBed } from "#tests/helpers/test-bed.ts";
import { until } from "#tests/helpers/until.ts";

const CHALLENGE = Buffer.from("\xff\xff\xff\xffA\x01\x02\x03\x04", "latin1");
const INFO = Buffer.from("\xff\xff\xff\xffI\x11Home\0map\0folder\0Game\0\x00\x00\x03\x20\x00dl\x00\x001.0\0", "latin1");
const GARBAGE = Buffer.from("hello, who is there?");

type Stranger = { port: number; says: "valid" | "garbage" | "nothing"; onQuestion: (from: RemoteInfo) => void };

/** A UDP server whose replies a test decides. */
async function startStranger(context: TestContext, says: Stranger["says"]): Promise<Stranger> {
  const socket = createSocket("udp4");
  context.after(() => socket.close());
  const stranger: Stranger = { port: 0, says, onQuestion: () => {} };
  socket.on("message", (question, from) => {
    stranger.onQuestion(from);
    if (stranger.says === "nothing") return;
    const valid = question.length > 25 ? INFO : CHALLENGE;
    socket.send(stranger.says === "valid" ? valid : GARBAGE, from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  stranger.port = socket.address().port;
  return stranger;
}

describe("game servers that cannot be read", { timeout: 160_000, concurrency: true }, () => {
  let bed: Awaited<ReturnType<typeof createBed>>;
  before(async () => {
    bed = await createBed();
    await bed.start({ intervalS: 1 });
  });
  after(async () => {
    await bed.clear();
    await bed.end();
  });

  const viaGamedig = { adapter: "gamedig", adapter_options: { gamedigType: "arma3" } } as const;
  const failedOften = (id: number, failure: string, times = 3) =>
    until(`${times} times ${failure}`, async () => {
      const row = await bed.row(id);
      return row.failure === failure && row.failures_in_row >= times && row;
    });
  const statusesOf = async (id: number) =>
    (
      await bed.sql<{ to_status: string }[]>`
        SELECT to_status FROM gameserver_status_event WHERE server_id = ${id} ORDER BY event_id`
    ).map(({ to_status }) => to_status);

  test("never understood: unknown for garbage and for silence, offline only where the port refuses", async (context) => {
    const garbage = await startStranger(context, "garbage");
    const mute = await startStranger(context, "nothing");
    const closed = createSocket("udp4").bind(0, "127.0.0.1");
    await once(closed, "listening");
    const { port: closedPort } = closed.address();
    closed.close();
    const ids = {
      own: await bed.addServer({ game_port: garbage.port }),
      longTail: await bed.addServer({ ...viaGamedig, game_port: garbage.port }),
      silent: await bed.addServer({ game_port: mute.port }),
      refused: await bed.addServer({ game_port: closedPort }),
    };
    await until("offline", async () => (await bed.row(ids.refused)).status === "offline");
    for (const [id, failure] of [
      [ids.own, "malformed"],
      [ids.longTail, "malformed"],
      [ids.silent, "no_reply"],
    ] as const) {
      const row = await failedOften(id, failure);
      assert.deepEqual([row.status, row.user_online, row.latency_ms], ["unknown", null, null]);
      assert.deepEqual(await statusesOf(id), [], "it was never anything else");
    }
  });

  test("understood once, then only garbage: a doubt, then unknown; silence after that is offline", async (context) => {
    const game = await startStranger(context, "valid");
    const id = await bed.addServer({ game_port: game.port });
    await until("online", async () => (await bed.row(id)).status === "online");
    game.says = "garbage";
    const garbled = await failedOften(id, "malformed");
    assert.deepEqual([garbled.status, garbled.user_online, garbled.latency_ms], ["unknown", null, null]);
    game.says = "nothing";
    await until("offline", async () => (await bed.row(id)).status === "offline");
    assert.deepEqual(await statusesOf(id), ["online", "degraded", "unknown", "degraded", "offline"]);
  });

  for (const [how, asked] of [
    ["its own adapter", {}],
    ["gamedig", viaGamedig],
  ] as const) {
    test(`a stranger's packets from another port keep no dead server up (${how})`, async (context) => {
      const game = await startStranger(context, "valid");
      const attacker = createSocket("udp4");
      context.after(() => attacker.close());
      const id = await bed.addServer({ ...asked, game_port: game.port });
      await until("online", async () => (await bed.row(id)).status === "online");
      let sent = 0;
      game.says = "nothing";
      // It knows the very port that is waiting for an answer, and forges a good one besides.
      game.onQuestion = ({ port, address }) => {
        for (const packet of [GARBAGE, CHALLENGE, INFO]) attacker.send(packet, port, address, () => sent++);
      };
      const row = await until("offline", async () => {
        const now = await bed.row(id);
        return now.status === "offline" && now;
      });
      assert.deepEqual([row.failure, row.latency_ms], ["no_reply", null]);
      assert.ok(sent > 3);
    });
  }
});
