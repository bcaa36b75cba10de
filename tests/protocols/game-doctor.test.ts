/** The doctor against game servers on loopback that speak the real protocols, one of them not written by us. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { type A2sInfo, startA2sServer } from "#demo/protocols/a2s-server.ts";
import { startMinecraftServer } from "#demo/protocols/minecraft-server.ts";
import { startTcpGreetingServer } from "#demo/protocols/tcp-greeting-server.ts";
import { createGameDoctor } from "#domain/game-servers/doctor/doctor.ts";
import { joinMinecraft, startMinecraftGameServer } from "#tests/heavy/minecraft-game-server.ts";
import { startDns } from "#tests/helpers/network/dns-server.ts";
import { startMumble } from "#tests/protocols/pretend-mumble.ts";

const doctor = createGameDoctor({ allowCidrs: ["127.0.0.0/8", "::1/128"], deniedPorts: [3999] });
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
    // What may not be asked can still report itself; a record may not hold that host.
    ways: { games: [], heartbeat: { host: null, game_port: server.port } },
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

test("a name that does not resolve says which end of it does; a DNS that is away blames nobody", async (context) => {
  const dns = await startDns(context, { "A example.org": { data: ["203.0.113.7"] }, "A away.example": "fail" });
  dns.zone["AAAA away.example"] = "fail";
  const asking = createGameDoctor({ allowCidrs: [], servers: [dns.server] });
  const value = await asking.examine("plya.example.org:2456");
  assert.deepEqual(value.causes, [{ code: "unknown_name", host: "plya.example.org", known: "example.org" }]);
  const strange = await asking.examine("play.exmaple.invalid:2456");
  assert.deepEqual(strange.causes, [{ code: "unknown_name", host: "play.exmaple.invalid", known: null }]);
  const away = await asking.examine("away.example:2456");
  assert.deepEqual(away.causes, [{ code: "dns_failed", host: "away.example" }]);
});

test("A2S one port beside what was typed: found at once, cleaned, ready to take over", async (context) => {
  const port = await startBesidePort(context);
  const value = await doctor.examine(`steam://connect/127.0.0.1:${port}/secret`);
  const [first] = value.findings;
  assert.ok(first);
  const { latency_ms, ...rest } = first;
  assert.ok(latency_ms > 0);
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
  const value = await doctor.examine(`127.0.0.1:${server.port}`);
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

/** A UDP socket that says nothing, at `port` or, where that is taken, any; the port after it is silent, too (`next`) or refuses. */
async function startSilent(context: TestContext, address = "127.0.0.1", port = 0, next = false): Promise<number> {
  const open = async (at: number): Promise<Socket | null> => {
    const socket = createSocket("udp4");
    const bound = Promise.race([once(socket, "listening").then(() => true), once(socket, "error").then(() => false)]);
    socket.bind(at, address);
    return (await bound) ? socket : null;
  };
  for (;;) {
    const first = (await open(port)) ?? (await open(0));
    assert.ok(first);
    const beside = await open(first.address().port + 1);
    const found = first.address().port;
    if (beside && !next) await new Promise<void>((resolve) => beside.close(resolve));
    if (beside) {
      context.after(() => {
        first.close();
        if (next) beside.close();
      });
      return found;
    }
    first.close();
  }
}

const BLAMES = ["nobody_listens", "udp_closed", "tcp_closed", "silent"];

// All five were told that nobody listens there and that the game server is not running.
const running: { what: string; address: string; port?: number; next?: boolean; causes: string[] }[] = [
  { what: "at any port", address: "127.0.40.1", causes: ["mute"] },
  { what: "at a port of the long tail", address: "127.0.40.2", port: 64_738, causes: ["mute"] },
  { what: "at a port that a second one follows", address: "127.0.40.3", port: 18_303, next: true, causes: ["mute"] },
  { what: "at Luanti's port", address: "127.0.40.4", port: 30_000, causes: ["mute"] },
  { what: "at a port of Unreal's games", address: "127.0.40.5", port: 7777, causes: ["mute"] },
];
for (const { what, address, port, next, causes } of running) {
  test(`a game server that answers no query, ${what}, beside ports that refuse: something is there`, async (context) => {
    const at = await startSilent(context, address, port, next);
    const value = await doctor.examine(`${address}:${at}`);
    assert.deepEqual(codes(value), causes);
    assert.ok(codes(value).every((code) => !BLAMES.includes(code)));
    assert.deepEqual(value.ways.heartbeat, { host: address, game_port: at });
  });
}

test("a machine that refuses the very port: closed; the wrong port of a right machine tells what else it runs", async (context) => {
  const closed = await doctor.examine("127.0.0.1:45999");
  assert.deepEqual(closed.causes, [{ code: "nobody_listens", port: 45_999 }]);
  assert.deepEqual(closed.ways, { games: [], heartbeat: null });
  const game = await startA2sServer({ host: "127.0.41.1", port: 27_015, info: () => midgard });
  context.after(() => game.close());
  const { findings, causes } = await doctor.examine("127.0.41.1:28500");
  assert.deepEqual(causes, [{ code: "nobody_listens", port: 28_500 }]);
  assert.deepEqual(
    findings.map((one) => [one.name, one.query_port ?? one.game_port, one.elsewhere]),
    [["Midgard <b>", 27_015, true]],
  );
});

test("a TCP game whose port refuses connections is closed, though something else is silent there over UDP", async (context) => {
  const port = await startSilent(context);
  const record = { host: "127.0.0.1", game_port: port, query_port: null, adapter: "tcp" as const };
  const diagnosis = await doctor.examineRecord({ ...record, adapter_options: { expect: "connect" }, version: null });
  assert.deepEqual(diagnosis.causes, [{ code: "tcp_closed", port }]);
});

test("an IPv6 address, and a name that has no other", async (context) => {
  const game = await startA2sServer({ host: "::1", info: () => ({ ...midgard, folder: "zomboid" }) });
  context.after(() => game.close());
  const { findings } = await doctor.examine(`[::1]:${game.port}`);
  assert.deepEqual([findings[0]?.name, findings[0]?.host, findings[0]?.game_port], ["Midgard <b>", "::1", game.port]);
  assert.deepEqual((await doctor.examine("[::1]:45999")).causes, [{ code: "nobody_listens", port: 45_999 }]);
  const dns = await startDns(context, { "AAAA six.example.org": { data: ["::1"] }, "A six.example.org": "no_data" });
  const asking = createGameDoctor({ allowCidrs: ["::1/128"], servers: [dns.server] });
  assert.equal((await asking.examine(`six.example.org:${game.port}`)).findings[0]?.name, "Midgard <b>");
});

/** Answers A2S and counts every connection to its TCP port as a player, as OpenTTD does. */
async function startCounting(context: TestContext, answersAfterMs: number): Promise<number> {
  for (;;) {
    let connections = 0;
    const door = createServer((socket) => {
      connections += 1;
      socket.on("error", () => {});
      socket.on("close", () => {
        connections -= 1;
      });
      socket.resume();
    });
    door.listen(0, "127.0.0.1");
    await once(door, "listening");
    const { port } = door.address() as { port: number };
    const game = await startA2sServer({
      port,
      challenge: false,
      info: () => ({ ...midgard, players: connections }),
      answersAfterMs,
    }).catch(() => null);
    context.after(async () => {
      door.close();
      await game?.close();
    });
    if (game) return port;
  }
}

for (const answersAfterMs of [0, 900]) {
  test(`the doctor does not count itself where the answer comes after ${answersAfterMs} ms`, async (context) => {
    const port = await startCounting(context, answersAfterMs);
    const value = await doctor.examine(`127.0.0.1:${port}`);
    assert.deepEqual([value.findings[0]?.adapter, value.findings[0]?.players], ["a2s", 0]);
  });
}

const namespaces = spawnSync("unshare", ["--user", "--map-root-user", "--net", "ip", "link", "set", "lo", "up"]);
const NO_NAMESPACES = namespaces.status === 0 ? false : "network namespaces or iproute2 are not to be had here";

test("a machine that is off, a firewall that drops everything, a network that is ours and away", {
  skip: NO_NAMESPACES,
}, async () => {
  const inside = path.join(import.meta.dirname, "unreachable-machines.ts");
  const child = spawn("unshare", ["--user", "--map-root-user", "--net", process.execPath, inside], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const value = await child.stdout.toArray();
  const told: Record<string, unknown> = JSON.parse(Buffer.concat(value).toString("utf8"));
  const silent = (address: string) => [{ code: "silent", host: address, address }];
  assert.deepEqual(told, {
    off: { causes: silent("198.18.77.9"), heartbeat: { host: "198.18.77.9", game_port: 27_015 } },
    dropped: { causes: silent("198.18.77.8"), heartbeat: { host: "198.18.77.8", game_port: 27_015 } },
    "no way there": { causes: [{ code: "own_network" }], heartbeat: null },
    "no IPv6 here": { causes: [{ code: "own_network" }], heartbeat: null },
  });
});

test("a game that was picked is asked by its type; one that is not on the list is not", async (context) => {
  const mumble = await startMumble("127.0.0.1", 0);
  context.after(() => mumble.close());
  const { port } = mumble;
  const value = await doctor.examine(`127.0.0.1:${port}`, { type: "mumble" });
  const [first] = value.findings;
  assert.deepEqual(
    [first?.adapter, first?.adapter_options, first?.game, first?.players, first?.max_players],
    ["gamedig", { gamedigType: "mumble" }, "Mumble", 2, 25],
  );
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

test("a Palworld server that wants its password says so, by its game port alone and as a record without one", async (context) => {
  // An address of its own on loopback: the port is the game's usual one.
  const host = "127.82.11.12";
  const rest = createHttpServer((_, response) => response.writeHead(401).end());
  rest.listen(8212, host);
  await once(rest, "listening");
  context.after(() => rest.close());
  const wanted = [{ code: "wants_key", port: 8212 }];
  assert.deepEqual((await doctor.examine(`${host}:8211`)).causes, wanted);
  const record = { host, game_port: 8211, query_port: null, adapter_options: {}, version: null };
  assert.deepEqual((await doctor.examineRecord({ ...record, adapter: "palworld" })).causes, wanted);
});
