/** Each adapter against the demo's game server of its protocol: what every way to ask must do, new ones included. */
import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { type TestContext, test } from "node:test";
import { EMULATORS } from "#demo/emulators.ts";
import { createGameDoctor } from "#domain/game-servers/doctor/doctor.ts";
import type { Adapter } from "#outside/game-query/adapter.ts";
import { ADAPTERS } from "#outside/game-query/adapters.ts";
import { ADAPTER_FACTS, ADAPTER_SECRETS, ASKED_ADAPTERS, isOwnAnswer } from "#shared/adapters.ts";

const shown = {
  name: "Midgard",
  game_slug: "pretend",
  version: "366202",
  map: "Plains",
  maxPlayers: 60,
  players: () => 7,
  options: {},
  secrets: { adminPassword: "a lamp", applicationToken: "ewoJInBsIjog.4F2A", restToken: "0A1B2C" },
};
const HOST = "127.0.0.1";
/** A port that is given to nobody who asks for any: what was free a moment ago may be another test's by now. */
const NOBODYS_PORT = 1;
/** One that the protocol can say: some say it as three bytes, others as one number. */
const versionOf = ({ replies }: Adapter) => {
  const [golden] = replies?.golden ?? [];
  return (golden && replies?.read(golden).answer?.version) ?? shown.version;
};

/** A port of this machine at which both UDP and TCP get this for whatever they say; null: nothing, ever. */
async function startStranger(context: TestContext, says: Buffer | null): Promise<number> {
  const door = createServer((visitor) => {
    visitor.on("error", () => {}).resume();
    if (says) visitor.end(says);
  });
  const socket = createSocket("udp4");
  context.after(() => {
    door.close();
    socket.close();
  });
  door.listen(0, HOST);
  await once(door, "listening");
  const { port } = door.address() as { port: number };
  socket.bind(port, HOST);
  // What is free over TCP may be somebody's over UDP.
  const isBound = await once(socket, "listening").then(
    () => true,
    () => false,
  );
  if (!isBound) return startStranger(context, says);
  socket.on("message", (_, from) => says && socket.send(says, from.port, from.address, () => {}));
  return port;
}

for (const id of ASKED_ADAPTERS) {
  const emulate = EMULATORS[id];
  if (emulate === null) continue;
  const adapter: Adapter = ADAPTERS[id];
  const { tells } = ADAPTER_FACTS[id];
  const ask = (port: number, deadlineMs = 400) =>
    adapter.query({ address: HOST, port, host: HOST, options: {}, secrets: shown.secrets, deadlineMs });

  test(`${id}: what a game server says is heard, and the doctor finds it by its address`, async (context) => {
    const version = versionOf(adapter);
    const server = await emulate({ ...shown, version }, 0);
    context.after(() => server.close());
    const result = await ask(server.port, adapter.deadlineMs);
    assert.ok(result.ok, JSON.stringify(result));
    const { players, name } = result.answer;
    const isTold = (what: "name" | "version") => adapter.replies !== null && !adapter.replies.untold?.includes(what);
    assert.deepEqual(
      [players, name, result.answer.version],
      [tells.players ? 7 : null, isTold("name") ? "Midgard" : null, isTold("version") ? version : null],
    );
    const doctor = createGameDoctor({ allowCidrs: ["127.0.0.0/8"] });
    const { secrets } = shown;
    const at = { game_port: server.port, query_port: server.port };
    const record = { host: HOST, ...at, adapter: id, adapter_options: {}, secrets };
    // Where something has to be shown, an address alone is not enough.
    const isKeyed = ADAPTER_SECRETS.some(({ adapter: of }) => of === id);
    const { findings } = isKeyed
      ? await doctor.examineRecord({ ...record, version: null })
      : await doctor.examine(`${HOST}:${server.port}`);
    assert.deepEqual([findings[0]?.adapter, findings[0]?.players], [id, players]);
  });

  test(`${id}: where nobody listens it fails by name`, async () => {
    const result = await ask(NOBODYS_PORT);
    assert.ok(!result.ok && ["refused", "no_reply"].includes(result.failure), JSON.stringify(result));
  });

  // Of a port that tells nothing it is asked no more than that somebody is there.
  if (!isOwnAnswer(id)) continue;
  test(`${id}: a stranger who says anything else is no game server, one who is mute is not waited for`, async (context) => {
    const talking = await ask(await startStranger(context, Buffer.alloc(600, "\u0001{}\n")));
    assert.ok(!talking.ok && talking.failure !== "network", JSON.stringify(talking));
    const mute = await ask(await startStranger(context, null));
    assert.ok(!mute.ok && ["timeout", "no_reply"].includes(mute.failure), JSON.stringify(mute));
    assert.ok(mute.latencyMs < adapter.deadlineMs, `${mute.latencyMs} ms`);
  });
}
