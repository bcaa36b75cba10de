/** The doctor against game servers on loopback that speak the real protocols, one of them not written by us. */
import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { type TestContext, test } from "node:test";
import { type A2sInfo, startA2sServer } from "#demo/protocols/a2s-server.ts";
import { startMinecraftServer } from "#demo/protocols/minecraft-server.ts";
import { startTcpGreetingServer } from "#demo/protocols/tcp-greeting-server.ts";
import { createGameDoctor } from "#domain/game-servers/doctor.ts";
import { joinMinecraft, startMinecraftGameServer } from "#tests/heavy/minecraft-game-server.ts";

const doctor = createGameDoctor({ allowCidrs: ["127.0.0.0/8"], deniedPorts: [3999] });
const midgard: A2sInfo = {
  name: "Midgard <b>\u0007",
  map: "Plains",
  folder: "valheim",
  game: "Valheim",
  players: 4,
  maxPlayers: 10,
  version: "1.0.0.0",
  keywords: "g=0.220.5,n=34",
};

async function timed<T>(work: Promise<T>): Promise<{ value: T; tookMs: number }> {
  const began = performance.now();
  return { value: await work, tookMs: performance.now() - began };
}

const codes = (diagnosis: { causes: { code: string }[] }) => diagnosis.causes.map((cause) => cause.code);

/** Two ports in a row, both free for UDP: the first stays closed. */
async function startBesidePort(context: TestContext): Promise<number> {
  for (;;) {
    const probe = createSocket("udp4").bind(0, "127.0.0.1");
    await once(probe, "listening");
    const { port } = probe.address();
    probe.close();
    const server = await startA2sServer({ port: port + 1, info: () => midgard }).catch(() => null);
    if (!server) continue;
    context.after(() => server.close());
    return port;
  }
}

test("refused before anything is sent, with the reason: closed ranges, ports, names, forms that hide an address", async (context) => {
  const server = await startA2sServer({ info: () => midgard });
  context.after(() => server.close());
  const strict = createGameDoctor({ allowCidrs: [] });
  const closed = await strict.examine(`127.0.0.1:${server.port}`);
  assert.deepEqual(closed, {
    findings: [],
    causes: [{ code: "closed_address", address: "127.0.0.1", setting: "PROBE_ALLOW_CIDRS", cidr: "127.0.0.1/32" }],
    tried: [],
  });
  assert.deepEqual(codes(await strict.examine("localhost:2456")), ["closed_address"]);
  assert.deepEqual(codes(await strict.examine("10.0.0.8:2456")), ["closed_address"]);
  for (const port of [22, 80, 5432, 3999]) {
    assert.deepEqual(codes(await doctor.examine(`127.0.0.1:${port}`)), ["closed_port"], `${port}`);
  }
  for (const typed of ["[::ffff:127.0.0.1]:2456", "2130706433:2456", "0x7f.1:2456", "[64:ff9b::7f00:1]:2456"]) {
    assert.deepEqual(codes(await doctor.examine(typed)), ["never_allowed"], typed);
  }
  assert.deepEqual(codes(await doctor.examine("127.0.0.1:99999")), ["bad_port"]);
  assert.deepEqual(codes(await doctor.examine("")), ["unreadable"]);
});

test("a name that does not resolve says so within 5 s", async () => {
  const { value, tookMs } = await timed(doctor.examine("nothing.invalid:2456"));
  assert.deepEqual(codes(value), ["unknown_name"]);
  assert.ok(tookMs < 5000);
});

test("A2S one port beside what was typed: found at once, cleaned, ready to take over", async (context) => {
  const port = await startBesidePort(context);
  const { value, tookMs } = await timed(doctor.examine(`steam://connect/127.0.0.1:${port}/secret`));
  const [first] = value.findings;
  assert.ok(first);
  const { latency_ms, ...rest } = first;
  assert.ok(latency_ms < 1000 && tookMs < 3000, `${latency_ms} ${tookMs}`);
  assert.deepEqual(rest, {
    adapter: "a2s",
    adapter_options: {},
    host: "127.0.0.1",
    game_port: port,
    query_port: port + 1,
    game: "Valheim",
    steam_app_id: null,
    name: "Midgard <b>",
    map: "Plains",
    version: "0.220.5",
    players: 4,
    max_players: 10,
    elsewhere: false,
  });
  assert.deepEqual(codes(value), ["query_port_beside"]);
});

test("a real Minecraft server, with somebody in it", async (context) => {
  const server = await startMinecraftGameServer({ maxPlayers: 7 });
  context.after(() => server.kill());
  const ada = await joinMinecraft({ port: server.port, username: "Ada" });
  context.after(() => ada.leave());
  const { value, tookMs } = await timed(doctor.examine(`127.0.0.1:${server.port}`));
  assert.ok(tookMs < 5000);
  const [first, ...others] = value.findings;
  assert.deepEqual(others, []);
  assert.deepEqual(
    [
      first?.adapter,
      first?.game,
      first?.game_port,
      first?.query_port,
      first?.version,
      first?.players,
      first?.max_players,
    ],
    ["minecraft", "Minecraft", server.port, null, "1.20.1", 1, 7],
  );
});

test("TCP only, and Tera by its greeting", async (context) => {
  const door = createServer((socket) => socket.on("error", () => {}).resume());
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  context.after(() => door.close());
  const tera = await startTcpGreetingServer({ greetingHex: "01 00 00 00" });
  context.after(() => tera.close());
  const { port } = door.address() as { port: number };
  const [plain, greeted] = await Promise.all([
    doctor.examine(`127.0.0.1:${port}`),
    doctor.examine(`127.0.0.1:${tera.port}`),
  ]);
  assert.ok(codes(plain).includes("tcp_only"));
  assert.deepEqual([plain.findings[0]?.adapter, plain.findings[0]?.players], ["tcp", null]);
  assert.deepEqual(greeted.findings[0]?.adapter_options, { expect: { prefixHex: "01000000" } });
  assert.equal(greeted.findings[0]?.game, "Tera");
});

test("nobody there: a machine that says so is told apart from one that keeps silent, each within 5 s", async (context) => {
  const silent = createSocket("udp4").bind(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address();
  context.after(() => silent.close());
  const [closed, mute] = await Promise.all([
    timed(doctor.examine("127.0.0.1:45999")),
    timed(doctor.examine(`127.0.0.1:${port}`)),
  ]);
  assert.deepEqual(codes(closed.value), ["nobody_listens"]);
  assert.ok(closed.tookMs < 2000 && mute.tookMs < 5000, `${closed.tookMs} ${mute.tookMs}`);
  assert.ok(!codes(mute.value).includes("silent"), "TCP was refused: the machine is there");
  assert.ok(mute.value.tried.some((one) => one.port === port && one.by === "a2s" && one.outcome === "no_reply"));
});

test("a game that was picked is asked by its type; one that is not on the list is not", async (context) => {
  const mumble = createSocket("udp4").bind(0, "127.0.0.1");
  await once(mumble, "listening");
  context.after(() => mumble.close());
  mumble.on("message", (question, from) => {
    const figures = Buffer.from([0, 0, 0, 2, 0, 0, 0, 25, 0, 0, 0, 0]);
    mumble.send(Buffer.concat([Buffer.from([0, 1, 5, 7]), question.subarray(4), figures]), from.port, from.address);
  });
  const { port } = mumble.address();
  const { value, tookMs } = await timed(doctor.examine(`127.0.0.1:${port}`, { type: "mumble" }));
  const [first] = value.findings;
  assert.deepEqual(
    [first?.adapter, first?.adapter_options, first?.game, first?.players, first?.max_players],
    ["gamedig", { gamedigType: "mumble" }, "Mumble", 2, 25],
  );
  assert.ok(tookMs < 5000);
  const refused = await doctor.examine(`127.0.0.1:${port}`, { type: "minetest" });
  assert.ok(refused.tried.every((one) => one.by !== "gamedig"));
});

test("a saved game server is asked as its record says, and what differs is told", async (context) => {
  const port = await startBesidePort(context);
  const record = {
    host: "127.0.0.1",
    game_port: port,
    query_port: null,
    adapter: "a2s" as const,
    adapter_options: {},
    version: "0.219",
  };
  const diagnosis = await doctor.examineRecord(record);
  assert.deepEqual(codes(diagnosis), ["query_port_beside", "other_version", "record_port"]);
  const server = await startMinecraftServer({
    info: () => ({ players: 2, maxPlayers: 8, version: "1.21.4", protocol: 769, description: "Demo" }),
  });
  context.after(() => server.close());
  const fine = await doctor.examineRecord({
    ...record,
    adapter: "minecraft",
    game_port: server.port,
    version: "1.21.4",
  });
  assert.equal(fine.findings[0]?.name, "Demo");
  assert.deepEqual([fine.findings[0]?.adapter, fine.findings[0]?.players, codes(fine)], ["minecraft", 2, []]);
  assert.deepEqual(codes(await doctor.examineRecord({ ...record, host: null })), ["no_address"]);
  assert.deepEqual(codes(await doctor.examineRecord({ ...record, adapter: "heartbeat" })), ["reports_itself"]);
});
