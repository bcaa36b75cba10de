import assert from "node:assert/strict";
import { test } from "node:test";
import { readGame } from "#outside/game-query/a2s.ts";
import type { A2sAbout } from "#outside/game-query/a2s-reply.ts";
import { answerWithoutFigures, type QueryResult } from "#outside/game-query/answer.ts";
import type { AdapterOptions } from "#shared/adapters.ts";
import type { Cause } from "#shared/diagnosis.ts";
import type { QueryFailure } from "#shared/statuses.ts";
import { newGameServerFields } from "../fields.ts";
import { type AddressSeen, diagnose, type Observations, type Probe } from "./diagnosis.ts";

const open: AddressSeen = { seen: "open", address: "203.0.113.7" };
const silent: Cause = { code: "silent", host: "h", address: "203.0.113.7" };
const failed = (failure: QueryFailure): QueryResult => ({ ok: false, latencyMs: 7, failure });
const answered = (told: Partial<Extract<QueryResult, { ok: true }>["answer"]> = {}): QueryResult => ({
  ok: true,
  latencyMs: 12.4,
  answer: {
    ...answerWithoutFigures,
    players: 3,
    maxPlayers: 10,
    version: "1.2",
    name: "Midgard",
    map: "Plains",
    ...told,
  },
});
const bare = answered({ players: null, maxPlayers: null, version: null, name: null, map: null });
const probe = (by: Probe["by"], port: number, result: QueryResult, more: Partial<Probe> = {}): Probe => ({
  by,
  port,
  viaService: false,
  options: {},
  about: null,
  result,
  ...more,
});
const a2s = (port: number, result: QueryResult, about: A2sAbout | null = null) =>
  probe("a2s", port, result, { about: about && readGame(about, port) });
const minecraft = (port: number, result: QueryResult, viaService = false) =>
  probe("minecraft", port, result, { viaService });
const tcp = (port: number, result: QueryResult, expect: AdapterOptions["expect"] = "connect") =>
  probe("tcp", port, result, { options: { expect } });
const gamedig = (port: number, gamedigType: string, result: QueryResult) =>
  probe("gamedig", port, result, { options: { gamedigType } });
const allSilent = (port: number, failure: QueryFailure = "no_reply"): Probe[] => [
  a2s(port, failed(failure)),
  a2s(port + 1, failed(failure)),
  minecraft(port, failed(failure)),
  tcp(port, failed(failure)),
];
const valheim = { folder: "valheim", game: "Valheim", gamePort: 2456, steamAppId: 892_970 };

type Case = {
  what: string;
  port?: number | null;
  address?: AddressSeen;
  probes?: Probe[];
  record?: Observations["record"];
  causes: Cause[];
  /** Adapter, game port and query port of each finding. */
  found?: [string, number | null, number | null][];
};

const cases: Case[] = [
  { what: "unreadable", address: { seen: "unreadable" }, causes: [{ code: "unreadable" }] },
  { what: "no port", address: { seen: "bad_port" }, causes: [{ code: "bad_port" }] },
  { what: "a heartbeat", address: { seen: "reports_itself" }, causes: [{ code: "reports_itself" }] },
  {
    what: "a name that is none, of a domain that is one",
    address: { seen: "unknown_name", known: "example.org" },
    causes: [{ code: "unknown_name", host: "h", known: "example.org" }],
  },
  {
    what: "a DNS that does not answer says nothing of the name",
    address: { seen: "dns_failed" },
    causes: [{ code: "dns_failed", host: "h" }],
  },
  {
    what: "a private address, with the range that would allow it",
    address: { seen: "closed_address", address: "10.1.2.3" },
    causes: [{ code: "closed_address", address: "10.1.2.3", setting: "PROBE_ALLOW_CIDRS", cidr: "10.1.2.3/32" }],
  },
  {
    what: "a private address, IPv6",
    address: { seen: "closed_address", address: "fd00::1" },
    causes: [{ code: "closed_address", address: "fd00::1", setting: "PROBE_ALLOW_CIDRS", cidr: "fd00::1/128" }],
  },
  {
    what: "an address that hides another one",
    address: { seen: "never_allowed" },
    causes: [{ code: "never_allowed", host: "h" }],
  },
  {
    what: "a database's port",
    address: { seen: "closed_port", port: 5432 },
    causes: [{ code: "closed_port", port: 5432 }],
  },
  { what: "nothing answers at all", port: 7000, probes: allSilent(7000), causes: [silent] },
  {
    what: "the machine says that nobody listens",
    port: 7000,
    probes: allSilent(7000, "refused"),
    causes: [{ code: "nobody_listens", port: 7000 }],
  },
  {
    what: "our own network is away",
    port: 7000,
    probes: allSilent(7000, "network"),
    causes: [{ code: "own_network" }],
  },
  {
    what: "Valheim that is not public",
    port: 2456,
    probes: allSilent(2456),
    causes: [{ code: "valheim_private", port: 2456 }, silent],
  },
  {
    what: "Valheim that is not public, on a machine that tells what is closed",
    port: 2456,
    probes: allSilent(2456, "refused"),
    causes: [{ code: "nobody_listens", port: 2456 }],
  },
  {
    what: "the machine is there, UDP gets lost: a container or a router",
    port: 27015,
    probes: [a2s(27015, failed("no_reply")), a2s(27016, failed("no_reply")), tcp(27015, failed("refused"))],
    causes: [{ code: "udp_lost", port: 27015 }],
  },
  {
    what: "something that wants a password",
    port: 8212,
    probes: [a2s(8212, failed("refused")), probe("palworld", 8212, failed("unauthorized"), {}), tcp(8212, bare)],
    causes: [{ code: "wants_key", port: 8212 }],
    found: [["tcp", 8212, null]],
  },
  {
    what: "Palworld by its game port, which wants a password beside it",
    port: 8211,
    probes: [
      a2s(8211, failed("refused")),
      tcp(8211, failed("refused")),
      probe("palworld", 8212, failed("unauthorized")),
    ],
    causes: [{ code: "wants_key", port: 8212 }],
  },
  {
    what: "the same, no port typed",
    port: null,
    probes: [a2s(27015, failed("refused")), probe("palworld", 8212, failed("unauthorized"))],
    causes: [{ code: "wants_key", port: 8212 }],
  },
  {
    what: "Palworld's interface at its usual port",
    port: 8212,
    probes: [probe("palworld", 8212, answered())],
    causes: [],
    found: [["palworld", 8212, null]],
  },
  {
    what: "Palworld's interface at a port of the operator's own: it would not be asked there by itself",
    port: 9000,
    probes: [probe("palworld", 9000, answered())],
    causes: [],
    found: [["palworld", 9000, 9000]],
  },
  {
    what: "Hytale at a port of its own, asked three above it",
    port: 6000,
    probes: [tcp(6000, failed("refused")), probe("hytale", 6003, answered())],
    causes: [{ code: "query_port_beside", game_port: 6000, query_port: 6003 }],
    found: [["hytale", 6000, 6003]],
  },
  {
    what: "TCP only",
    port: 2106,
    probes: [
      a2s(2106, failed("refused")),
      minecraft(2106, failed("refused")),
      tcp(2106, bare),
      tcp(2106, bare, "server_first"),
    ],
    causes: [{ code: "tcp_only", port: 2106 }],
    found: [["tcp", 2106, null]],
  },
  {
    what: "a Minecraft server that keeps its status to itself",
    port: 25565,
    probes: [a2s(25565, failed("no_reply")), minecraft(25565, failed("timeout")), tcp(25565, bare)],
    causes: [
      { code: "minecraft_mute", port: 25565 },
      { code: "tcp_only", port: 25565 },
      { code: "udp_lost", port: 25565 },
    ],
    found: [["tcp", 25565, null]],
  },
  {
    what: "something over UDP that is no A2S",
    port: 9999,
    probes: [a2s(9999, failed("malformed")), a2s(10000, failed("refused")), tcp(9999, failed("refused"))],
    causes: [{ code: "other_language", port: 9999 }],
  },
  {
    what: "a port that is silent to our own queries, and answers the query library with what cannot be read",
    port: 4534,
    probes: [...allSilent(4534), gamedig(4534, "armagetronadvanced", failed("malformed"))],
    causes: [{ code: "other_language", port: 4534 }],
  },
  {
    what: "a silent port beside one that refuses: something is there",
    port: 30_000,
    probes: [a2s(30_000, failed("no_reply")), a2s(30_001, failed("refused")), tcp(30_000, failed("refused"))],
    causes: [{ code: "mute", port: 30_000, beside: 30_001 }],
  },
  {
    what: "the same where TCP keeps silent, too",
    port: 30_000,
    probes: [a2s(30_000, failed("no_reply")), a2s(27_015, failed("refused")), tcp(30_000, failed("no_reply"))],
    causes: [{ code: "mute", port: 30_000, beside: 27_015 }],
  },
  {
    what: "the same where TCP accepts",
    port: 30_000,
    probes: [a2s(30_000, failed("no_reply")), a2s(30_001, failed("refused")), tcp(30_000, bare)],
    causes: [
      { code: "tcp_only", port: 30_000 },
      { code: "mute", port: 30_000, beside: 30_001 },
    ],
    found: [["tcp", 30_000, null]],
  },
  {
    what: "a Valheim port that is silent beside one that refuses",
    port: 2456,
    probes: [a2s(2456, failed("no_reply")), a2s(2457, failed("refused")), tcp(2456, failed("refused"))],
    causes: [
      { code: "valheim_private", port: 2456 },
      { code: "mute", port: 2456, beside: 2457 },
    ],
  },
  {
    what: "a machine that refuses only a few times a second: one refusal outweighs the silence",
    port: 30_000,
    probes: [
      a2s(30_000, failed("refused")),
      a2s(30_001, failed("no_reply")),
      gamedig(30_000, "mumble", failed("no_reply")),
      minecraft(30_000, failed("refused")),
      tcp(30_000, failed("refused")),
    ],
    causes: [{ code: "nobody_listens", port: 30_000 }],
  },
  {
    what: "refused over UDP, swallowed over TCP",
    port: 30_000,
    probes: [a2s(30_000, failed("refused")), minecraft(30_000, failed("no_reply")), tcp(30_000, failed("no_reply"))],
    causes: [{ code: "udp_closed", port: 30_000 }],
  },
  {
    what: "a game over TCP whose port refuses connections, whatever UDP does",
    port: 25_565,
    probes: [a2s(25_565, failed("no_reply")), minecraft(25_565, failed("refused")), tcp(25_565, failed("refused"))],
    record: { adapter: "minecraft", version: null, queryPort: 25_565 },
    causes: [{ code: "tcp_closed", port: 25_565 }],
  },
  {
    what: "no port, and the machine refuses all that is usual",
    port: null,
    probes: [a2s(27_015, failed("refused")), minecraft(25_565, failed("refused"))],
    causes: [{ code: "nobody_listens", port: null }],
  },
  {
    what: "no port, and one of the usual ones keeps silent",
    port: null,
    probes: [a2s(27_015, failed("no_reply")), a2s(2457, failed("refused")), minecraft(25_565, failed("refused"))],
    causes: [{ code: "which_port" }],
  },
  {
    what: "no port, and no machine",
    port: null,
    probes: [a2s(27_015, failed("no_reply")), minecraft(25_565, failed("no_reply"))],
    causes: [silent, { code: "which_port" }],
  },
  {
    what: "Skyrim Together, which answers nobody",
    port: 10578,
    probes: allSilent(10578),
    causes: [{ code: "no_protocol" }, silent],
  },
  {
    what: "Valheim, by its game port",
    port: 2456,
    probes: [a2s(2456, failed("refused")), a2s(2457, answered(), valheim), tcp(2456, failed("refused"))],
    causes: [{ code: "query_port_beside", game_port: 2456, query_port: 2457 }],
    found: [["a2s", 2456, 2457]],
  },
  {
    what: "Valheim, by its query port",
    port: 2457,
    probes: [a2s(2457, answered(), valheim), a2s(2458, failed("refused"))],
    causes: [{ code: "query_port_beside", game_port: 2456, query_port: 2457 }],
    found: [["a2s", 2456, 2457]],
  },
  {
    what: "Steam's ports, none typed",
    port: null,
    probes: [
      a2s(27015, answered(), { folder: "rust", game: "Rust", gamePort: 28015, steamAppId: 252_490 }),
      a2s(27016, failed("refused")),
    ],
    causes: [{ code: "query_port_beside", game_port: 28015, query_port: 27015 }],
    found: [["a2s", 28015, 27015]],
  },
  {
    what: "ARK, joined at 7777 and asked at 27015",
    port: 7777,
    probes: [
      a2s(7777, failed("refused")),
      a2s(27015, answered(), { folder: "ark_survival_evolved", game: "ARK", gamePort: 7777, steamAppId: 346_110 }),
    ],
    causes: [{ code: "query_port_beside", game_port: 7777, query_port: 27015 }],
    found: [["a2s", 7777, 27015]],
  },
  {
    what: "another game server of the same machine comes last and does not stand for this one",
    port: 2106,
    probes: [
      tcp(2106, bare),
      a2s(27015, answered(), { folder: "rust", game: "Rust", gamePort: 28015, steamAppId: 252_490 }),
    ],
    causes: [{ code: "tcp_only", port: 2106 }],
    found: [
      ["tcp", 2106, null],
      ["a2s", 28015, 27015],
    ],
  },
  {
    what: "Minecraft by its service record keeps the port empty",
    port: null,
    probes: [minecraft(25570, answered(), true)],
    causes: [],
    found: [["minecraft", null, null]],
  },
  {
    what: "Minecraft at its port",
    port: 25567,
    probes: [tcp(25567, bare), minecraft(25567, answered()), a2s(25567, failed("refused"))],
    causes: [],
    found: [["minecraft", 25567, null]],
  },
  {
    what: "a game of the long tail",
    port: 3979,
    probes: [a2s(3979, failed("refused")), tcp(3979, bare), gamedig(3979, "openttd", answered({ name: "Trains" }))],
    causes: [],
    found: [["gamedig", 3979, null]],
  },
  {
    what: "A2S before the long tail where both answer",
    port: 27015,
    probes: [gamedig(27015, "counterstrike15", answered()), a2s(27015, answered(), null)],
    causes: [],
    found: [
      ["a2s", 27015, null],
      ["gamedig", 27015, null],
    ],
  },
  {
    what: "Tera by its greeting",
    port: 7801,
    probes: [tcp(7801, bare), tcp(7801, bare, "server_first"), tcp(7801, bare, { prefixHex: "01000000" })],
    causes: [{ code: "tcp_only", port: 7801 }],
    found: [["tcp", 7801, null]],
  },
  {
    what: "a record of another version, with the wrong port",
    port: 2456,
    probes: [a2s(2456, failed("refused")), a2s(2457, answered({ version: "0.220" }), valheim)],
    record: { adapter: "a2s", version: "0.219", queryPort: 2456 },
    causes: [
      { code: "query_port_beside", game_port: 2456, query_port: 2457 },
      { code: "other_version", told: "0.220", recorded: "0.219" },
      { code: "record_port", query_port: 2457 },
    ],
    found: [["a2s", 2456, 2457]],
  },
];

for (const { what, port = 2456, address = open, probes = [], record, causes, found = [] } of cases) {
  test(what, () => {
    const diagnosis = diagnose({ host: "h", port, address, probes, record });
    assert.deepEqual(diagnosis.causes, causes);
    const seen = diagnosis.findings.map((one) => [one.adapter, one.game_port, one.query_port]);
    assert.deepEqual(seen, found);
  });
}

test("what is taken over carries the figures, the game, and what the adapter has to know", () => {
  const ark = { folder: "ark_survival_evolved", game: "ARK: Survival Evolved", gamePort: 7777, steamAppId: 346_110 };
  const [first] = diagnose({
    host: "h",
    port: 7777,
    address: open,
    probes: [a2s(27015, answered(), ark)],
  }).findings;
  assert.deepEqual(first, {
    host: "h",
    game_port: 7777,
    name: "Midgard",
    map: "Plains",
    version: "1.2",
    players: 3,
    max_players: 10,
    latency_ms: 13,
    elsewhere: false,
    query_port: 27015,
    adapter: "a2s",
    game: "ARK: Survival Evolved",
    steam_app_id: 346_110,
    adapter_options: { countFromPlayerList: true },
  });
  const front = { folder: "ProjectWar", game: "The Front", gamePort: null, steamAppId: null };
  const other = diagnose({
    host: "h",
    port: 27015,
    address: open,
    probes: [a2s(27015, answered(), front)],
  });
  assert.deepEqual(other.findings[0]?.adapter_options, { trustRecord: true });
});

test("a neighbour that says that it is joined at its own port is another game server", () => {
  const at = (port: number, gamePort: number | null) =>
    diagnose({
      host: "h",
      port: 2500,
      address: open,
      probes: [
        a2s(2500, failed("no_reply")),
        a2s(port, answered(), { folder: "x", game: "X", gamePort, steamAppId: null }),
      ],
    }).findings[0]?.elsewhere;
  assert.equal(at(2501, 2501), true);
  assert.equal(at(2501, 2500), false);
  assert.equal(at(2501, null), false);
  assert.equal(at(2500, 2499), false);
});

test("a query port that was pasted is not the port that players type, where the answer tells that", () => {
  const told = (by: Probe["by"], port: number, gamePort: number | null, at = port) => {
    const about = { game: null, steamAppId: null, gamePort, options: {} };
    const probes = [probe(by, port, answered(), { about })];
    const [first] = diagnose({ host: "h", port: at, address: open, probes }).findings;
    return [first?.game_port, first?.query_port, first?.elsewhere];
  };
  assert.deepEqual(told("teamspeak", 10_011, 9987), [9987, 10_011, false]);
  assert.deepEqual(told("teamspeak", 10_011, 9988, 9988), [9988, 10_011, false], "its voice port was pasted");
  assert.deepEqual(told("terraria", 7878, 7777), [7777, 7878, false]);
  assert.deepEqual(told("terraria", 7878, null), [7878, null, false], "it does not tell");
  assert.deepEqual(told("terraria", 9000, 7777), [7777, 9000, false], "a port of its own may be anything");
});

test("what was found fits the record: a long version, a name beyond the limit, a port that is none", () => {
  const about = { folder: "x", game: "X", gamePort: 0, steamAppId: null };
  const told = answered({ version: `Paper 1.8 - 1.21.11 (${"build ".repeat(20)})`, name: "🏰".repeat(90) });
  const [first] = diagnose({ host: "h", port: 27015, address: open, probes: [a2s(27015, told, about)] }).findings;
  assert.ok(first);
  const { name, version, game_port, query_port } = first;
  const record = newGameServerFields.safeParse({
    game_id: 1,
    adapter: "a2s",
    server_name: name,
    version,
    game_port,
    query_port,
  });
  assert.deepEqual(record.error?.issues ?? [], []);
  assert.equal(name, "🏰".repeat(80), "cut between characters, not inside one");
  assert.match(version ?? "", /^Paper 1\.8 - 1\.21\.11 \(build/);
  const other = diagnose({
    host: "h",
    port: 27015,
    address: open,
    probes: [a2s(27015, told, about)],
    record: { adapter: "a2s", version, queryPort: 27015 },
  });
  assert.deepEqual(other.causes, [], "a version that was cut for the record is not another one");
});

test("ways on: games whose ports are near and as which nobody has asked, and the heartbeat", () => {
  const ways = (port: number, probes: Probe[]) => diagnose({ host: "h", port, address: open, probes }).ways;
  const beside = (port: number) => [a2s(port, failed("no_reply")), a2s(port + 1, failed("refused"))];
  const near = ways(64_740, beside(64_740));
  assert.deepEqual(near.games[0], { type: "mumble", name: "Mumble" });
  assert.deepEqual(near.heartbeat, { host: "h", game_port: 64_740 });
  const asked = ways(64_740, [...beside(64_740), gamedig(64_740, "mumble", failed("no_reply"))]);
  assert.ok(
    asked.games.every(({ type }) => type !== "mumble"),
    "it was asked as that already",
  );
  assert.ok(ways(27_960, beside(27_960)).games.length <= 6);
  const overTcp = ways(3980, [a2s(3980, failed("refused")), tcp(3980, bare)]).games;
  assert.deepEqual(overTcp, [{ type: "openttd", name: "OpenTTD" }], "what refuses over UDP is no game over UDP");
  assert.deepEqual(ways(7000, allSilent(7000, "refused")), { games: [], heartbeat: null }, "nothing to ask there");
  assert.deepEqual(ways(7000, allSilent(7000)).heartbeat, { host: "h", game_port: 7000 });
  const closed = diagnose({
    host: "h",
    port: 7000,
    address: { seen: "closed_address", address: "10.1.2.3" },
    probes: [],
  });
  assert.deepEqual(closed.ways.heartbeat, { host: null, game_port: 7000 }, "a record may not hold that host");
});

test("an accepting port is named after the one game that usually listens there, and after none where there are several", () => {
  const gameAt = (port: number) =>
    diagnose({ host: "h", port, address: open, probes: [tcp(port, bare)] }).findings.map(({ game }) => game);
  assert.deepEqual([gameAt(25_565), gameAt(7777), gameAt(1025)], [[null], [null], [null]]);
  assert.deepEqual(gameAt(5556), ["Freeciv"]);
  assert.deepEqual(gameAt(15_000), ["Battle for Wesnoth"]);
});
