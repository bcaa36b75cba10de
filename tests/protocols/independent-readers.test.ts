/** Programs that we did not write read our pretend servers, and agree with our adapters about them. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { type A2sInfo, startA2sServer } from "#demo/protocols/a2s-server.ts";
import { startBedrockServer } from "#demo/protocols/bedrock-server.ts";
import { startFivemServer } from "#demo/protocols/fivem-server.ts";
import { startMinecraftServer } from "#demo/protocols/minecraft-server.ts";
import { startTeamspeakServer } from "#demo/protocols/teamspeak-server.ts";
import { startTeeworldsServer } from "#demo/protocols/teeworlds-server.ts";
import { queryA2s } from "#outside/game-query/a2s-query.ts";
import { queryMinecraft } from "#outside/game-query/minecraft.ts";
import { queryTeamspeak } from "#outside/game-query/teamspeak.ts";
import { queryBedrock } from "#outside/game-query/udp/bedrock.ts";
import { queryFivem } from "#outside/game-query/udp/fivem.ts";
import { queryTeeworlds } from "#outside/game-query/udp/teeworlds.ts";
import { loadGamedig } from "#tests/heavy/gamedig.ts";
import { findFreePort } from "#tests/helpers/network/free-port.ts";

const run = promisify(execFile);
const address = "127.0.0.1";
const midgard: A2sInfo = {
  name: "Midgard <1>",
  map: "Midgard",
  folder: "zomboid",
  game: "Project Zomboid",
  players: 9,
  bots: 2,
  maxPlayers: 32,
  version: "41.78.16",
  keywords: "modded;pvp",
};
const names = Array.from({ length: 9 }, (_, number) => `Survivor ${number}`);

/** Debian's package qstat brings quakestat; elsewhere the program has the name of the package. */
async function findQstat(): Promise<string | null> {
  for (const program of ["quakestat", "qstat"]) {
    try {
      await run(program, ["--help"], { timeout: 5000 });
      return program;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code !== "ENOENT") return program;
    }
  }
  return null;
}

async function startMidgard(context: TestContext, playerNames = names, info = midgard) {
  const server = await startA2sServer({ info: () => info, playerNames: () => playerNames });
  context.after(() => server.close());
  return server;
}

async function readWithQstat(program: string, port: number, kind = "a2s"): Promise<Record<string, unknown>> {
  const { stdout } = await run(program, ["-json", "-P", "-R", `-${kind}`, `${address}:${port}`], { timeout: 10_000 });
  const servers: unknown = JSON.parse(stdout);
  assert.ok(Array.isArray(servers) && servers.length === 1);
  return servers[0];
}

test("qstat reads our A2S server, and agrees with our adapter", async (context) => {
  const program = await findQstat();
  if (!program) return context.skip("qstat is not installed here (Debian: apt-get install qstat)");
  const server = await startMidgard(context);
  const seen = await readWithQstat(program, server.port);
  assert.deepEqual(
    [seen.status, seen.name, seen.map, seen.numplayers, seen.maxplayers, seen.gametype],
    ["online", "Midgard <1>", "Midgard", 9, 32, "zomboid"],
  );
  const rules = seen.rules as Record<string, string>;
  assert.deepEqual([rules.bots, rules.version, rules.game_tags], ["2", "41.78.16", "modded;pvp"]);
  assert.deepEqual((seen.players as { name: string }[]).map((player) => player.name).sort(), names);
  const ours = await queryA2s({ address, port: server.port });
  assert.deepEqual(ours.ok && ours.answer, {
    players: 7,
    bots: 2,
    maxPlayers: 32,
    version: "41.78.16",
    name: "Midgard <1>",
    map: "Midgard",
    passwordProtected: false,
  });
});

test("qstat puts our long player list together", async (context) => {
  const program = await findQstat();
  if (!program) return context.skip("qstat is not installed here (Debian: apt-get install qstat)");
  const many = Array.from({ length: 120 }, (_, number) => `A survivor with a long name ${number}`);
  // qstat takes split replies for Source's only where the application's number looks like one of Source's own.
  const server = await startMidgard(context, many, { ...midgard, appId: 240 });
  const seen = await readWithQstat(program, server.port);
  assert.equal((seen.players as unknown[]).length, 120);
  const ours = await queryA2s({ address, port: server.port }, { countFromPlayerList: true });
  assert.equal(ours.ok && ours.answer.players, 120);
});

test("gamedig reads our A2S server, and agrees with our adapter", async (context) => {
  const server = await startMidgard(context);
  const seen = await new (loadGamedig())().query({
    type: "protocol-valve",
    host: address,
    address,
    port: server.port,
    givenPortOnly: true,
    portCache: false,
    requestPlayers: true,
  });
  const ours = await queryA2s({ address, port: server.port }, { countFromPlayerList: true });
  assert.ok(ours.ok);
  assert.deepEqual(
    [seen.name, seen.map, seen.version, seen.maxplayers, seen.players.length + seen.bots.length],
    [ours.answer.name, ours.answer.map, ours.answer.version, ours.answer.maxPlayers, ours.answer.players],
  );
  assert.equal(seen.numplayers, 9);
});

test("gamedig reads our TeamSpeak server, and agrees with our adapter", async (context) => {
  const clients = ["Ada Lovelace", "Grace|Hopper"];
  const info = () => ({ name: "The / Lounge", clients, maxClients: 32, version: "3.13.7" });
  const server = await startTeamspeakServer({ voicePort: 9988, info });
  context.after(() => server.close());
  const seen = await new (loadGamedig())().query({
    type: "teamspeak3",
    host: address,
    address,
    port: 9988,
    teamspeakQueryPort: server.port,
    givenPortOnly: true,
    portCache: false,
  });
  const ours = await queryTeamspeak({ address, port: server.port }, { voicePort: 9988 });
  assert.ok(ours.ok);
  assert.deepEqual([seen.name, seen.players.length], ["The / Lounge", 2]);
  assert.deepEqual([ours.answer.name, ours.answer.players, ours.answer.maxPlayers], [seen.name, 2, 32]);
  assert.equal(Number(seen.maxplayers), 32);
  assert.equal(Number(seen.numplayers), 3, "it counts itself");
});

test("gamedig reads our Minecraft server, and agrees with our adapter", async (context) => {
  const server = await startMinecraftServer({
    info: () => ({ players: 5, maxPlayers: 40, version: "1.21.4", protocol: 769, description: "Anarchy" }),
  });
  context.after(() => server.close());
  const seen = await new (loadGamedig())().query({
    type: "protocol-minecraftvanilla",
    host: address,
    address,
    port: server.port,
    givenPortOnly: true,
    portCache: false,
  });
  const ours = await queryMinecraft({ address, port: server.port, host: address });
  assert.ok(ours.ok);
  assert.deepEqual(
    [seen.numplayers, seen.maxplayers, (seen.raw.version as { name: string }).name],
    [ours.answer.players, ours.answer.maxPlayers, ours.answer.version],
  );
  assert.deepEqual([ours.answer.players, ours.answer.maxPlayers, ours.answer.version], [5, 40, "1.21.4"]);
});

const askWithGamedig = (type: string, port: number) =>
  new (loadGamedig())().query({ type, host: address, address, port, givenPortOnly: true, portCache: false });

test("gamedig reads our Bedrock server, and agrees with our adapter", async (context) => {
  const about = { name: "Midgard", level: "Plains", version: "1.21.50", protocol: 766 };
  const server = await startBedrockServer({ info: () => ({ ...about, players: 5, maxPlayers: 40 }) });
  context.after(() => server.close());
  const seen = await askWithGamedig("protocol-minecraftbedrock", server.port);
  const ours = await queryBedrock({ address, port: server.port });
  assert.ok(ours.ok);
  const { players, maxPlayers, name, map, version } = ours.answer;
  assert.deepEqual([players, maxPlayers, name, map, version], [5, 40, "Midgard", "Plains", "1.21.50"]);
  assert.deepEqual(
    [seen.numplayers, seen.maxplayers, seen.name, seen.map, seen.version],
    [players, maxPlayers, name, map, version],
  );
});

test("gamedig reads our FiveM server, and agrees with our adapter", async (context) => {
  const info = () => ({ name: "Los Santos", players: 217, maxPlayers: 512, map: "San Andreas", gameType: "Roleplay" });
  // It also asks over HTTP, at the same port, for what we leave alone.
  const port = await findFreePort();
  const server = await startFivemServer({ port, info });
  context.after(() => server.close());
  const web = createServer((_request, response) => response.end("{}")).listen(port, address);
  context.after(() => web.close());
  const seen = await askWithGamedig("gta5f", server.port);
  const ours = await queryFivem({ address, port: server.port });
  assert.ok(ours.ok);
  const { players, maxPlayers, name, map } = ours.answer;
  assert.deepEqual([players, maxPlayers, name, map], [217, 512, "Los Santos", "San Andreas"]);
  assert.deepEqual(
    [Number(seen.raw.clients), Number(seen.maxplayers), seen.name, seen.map],
    [players, maxPlayers, name, map],
  );
});

test("qstat reads our Teeworlds servers of 0.6, and agrees with our adapter", async (context) => {
  const program = await findQstat();
  if (!program) return context.skip("qstat is not installed here (Debian: apt-get install qstat)");
  for (const protocol of ["0.6", "ddnet"] as const) {
    const about = { name: "Midgard", map: "ctf5", gameType: "CTF", version: "0.6.5" };
    const info = () => ({ ...about, players: 5, maxPlayers: 12 });
    const server = await startTeeworldsServer({ protocol, info });
    context.after(() => server.close());
    const seen = await readWithQstat(program, server.port, "tees");
    assert.deepEqual([seen.status, seen.name, seen.map, seen.gametype], ["online", "Midgard", "ctf5", "CTF"]);
    assert.deepEqual([seen.numplayers, (seen.players as unknown[]).length], [5, 5]);
    const ours = await queryTeeworlds({ address, port: server.port });
    assert.deepEqual(ours.ok && [ours.answer.players, ours.answer.name, ours.answer.map], [5, "Midgard", "ctf5"]);
  }
});
