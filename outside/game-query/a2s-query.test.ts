/** Game servers that lie, flood, stammer and fall silent over A2S. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startA2sServer } from "#demo/protocols/a2s-server.ts";
import { startUdpStranger } from "#tests/helpers/network/udp-stranger.ts";
import { packet } from "#tests/protocols/a2s-replies.ts";
import { queryA2s } from "./a2s-query.ts";
import type { QueryResult } from "./answer.ts";

function failureOf(result: QueryResult): string | null {
  return result.ok ? null : result.failure;
}

test("a challenge and then silence is a timeout", async (context) => {
  const stranger = await startUdpStranger(context, (reply, question) => {
    if (question.length === 25) reply(packet("A1234"));
  });
  assert.equal(failureOf(await queryA2s(stranger, { deadlineMs: 200 })), "timeout");
});

test("one challenge repeated for ever is not answered for ever", async (context) => {
  let questions = 0;
  const stranger = await startUdpStranger(context, (reply) => {
    questions++;
    for (let copy = 0; copy < 600; copy++) reply(packet("A1234"));
  });
  const result = await queryA2s(stranger, { deadlineMs: 500 });
  assert.ok(["malformed", "timeout"].includes(String(failureOf(result))));
  assert.ok(questions <= 3, `${questions} questions`);
});

test("garbage is malformed", async (context) => {
  const garbage = [
    Buffer.alloc(0),
    Buffer.from("hello"),
    packet(""),
    packet("I"),
    packet("Z12345"),
    packet("A12"),
    Buffer.alloc(1400, 0xff),
    Buffer.alloc(1400, 0x41),
  ];
  for (const bytes of garbage) {
    const stranger = await startUdpStranger(context, (reply) => reply(bytes));
    assert.equal(
      failureOf(await queryA2s(stranger, { deadlineMs: 500 })),
      "malformed",
      bytes.toString("latin1").slice(0, 20),
    );
  }
});

test("a thousand at once are all answered, and leave no socket open", async (context) => {
  const info = () => ({ name: "n", map: "m", folder: "f", game: "g", players: 3, maxPlayers: 9, version: "1" });
  // Many servers, as in life: a single socket could not hold a thousand questions.
  const servers = await Promise.all(Array.from({ length: 50 }, () => startA2sServer({ info })));
  context.after(() => Promise.all(servers.map((server) => server.close())));
  // All of it is done by this one process, which may be slow.
  const ask = (index: number) =>
    queryA2s({ address: "127.0.0.1", port: servers[index % servers.length]?.port ?? 0 }, { deadlineMs: 60_000 });
  const results = await Promise.all(Array.from({ length: 1000 }, (_, index) => ask(index)));
  assert.equal(results.filter((result) => result.ok).length, 1000);
  await Promise.all(servers.map((server) => server.close()));
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(process.getActiveResourcesInfo().filter((resource) => resource === "UDPWRAP").length, 0);
});
