import assert from "node:assert/strict";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server } from "node:net";
import { after, before, describe, it } from "node:test";
import { eq, sql } from "drizzle-orm";
import { games, gameserver } from "#db/schema/index.ts";
import { seedDemoContent } from "#demo/demo-content.ts";
import { hashHeartbeatToken } from "#domain/game-servers/heartbeats.ts";
import { queryA2s } from "#outside/game-query/a2s-query.ts";
import { queryMinecraft } from "#outside/game-query/minecraft.ts";
import { checkTcp } from "#outside/game-query/tcp.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { type DemoFleet, startDemoFleet } from "./fleet.ts";
import { behaviourOf, DEMO_ONLY } from "./fleet-plan.ts";
import { playersAt } from "./player-wave.ts";
import { isDownAt } from "./pretend-server.ts";

const quiet = { info() {}, warn() {}, debug() {} };

type Heard = { token: string; players: number };

let database: TestDatabase;
let fleet: DemoFleet;
let squatter: Server;
const heard: Heard[] = [];
/** Stands for the site: takes heartbeats and remembers them. */
const site = createHttpServer(async (request, response) => {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { players: number };
  assert.equal(`${request.method} ${request.url}`, "POST /api/v1/heartbeat");
  heard.push({ token: (request.headers.authorization ?? "").replace("Bearer ", ""), players: body.players });
  response.writeHead(204).end();
});

before(async () => {
  database = await createTestDatabase();
  await seedDemoContent(database.db);
  const [valheim] = await database.db.select().from(games).where(eq(games.game_slug, "valheim"));
  assert.ok(valheim);
  await database.db.insert(gameserver).values([
    { game_id: valheim.game_id, server_name: "An operator's own", adapter: "a2s", host: "192.0.2.1", game_port: 2456 },
    { game_id: valheim.game_id, server_name: "An admin's draft", adapter: "a2s", game_port: 2456 },
  ]);
  squatter = createServer();
  // Whoever has it, it is taken.
  await new Promise((resolve) => squatter.once("error", resolve).listen(25567, "127.0.0.1", () => resolve(null)));
  await new Promise((resolve) => site.listen(0, "127.0.0.1", () => resolve(null)));
  fleet = await start(database);
  await fleet.ready;
});

after(async () => {
  await fleet.stop();
  squatter.close();
  site.close();
  site.closeAllConnections();
  await database.drop();
});

function start({ url }: TestDatabase): Promise<DemoFleet> {
  const address = site.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return startDemoFleet({ databaseUrl: url, host: "0.0.0.0", port, pollIntervalS: 1 }, { log: quiet });
}

function listRows() {
  return database.db
    .select({ server: gameserver, game_slug: games.game_slug })
    .from(gameserver)
    .innerJoin(games, eq(games.game_id, gameserver.game_id))
    .orderBy(gameserver.server_id)
    .then((rows) => rows.map(({ server, game_slug }) => ({ ...server, game_slug })));
}

type Row = Awaited<ReturnType<typeof listRows>>[number];

async function requireRow(name: string): Promise<Row> {
  const row = (await listRows()).find((candidate) => candidate.server_name === name);
  assert.ok(row, name);
  return row;
}

/** What the wave says for a row between two moments, to compare with an answer given between them. */
function expectedPlayers(row: Row, from: number, to: number): number[] {
  const wave = {
    seed: row.server_id,
    max: row.user_max ?? 50,
    busy: behaviourOf(row).busy,
    utcOffsetMinutes: -new Date(new Date().getFullYear(), 0, 1).getTimezoneOffset(),
  };
  return [playersAt(wave, from), playersAt(wave, to)];
}

/** Asks a row as the collector does. */
function ask(row: Row) {
  const target = { address: String(row.host), port: row.query_port ?? row.game_port ?? 0 };
  if (row.adapter === "a2s") return queryA2s(target);
  if (row.adapter === "minecraft") return queryMinecraft({ ...target, host: String(row.host) });
  return checkTcp(target, { expect: row.adapter_options.expect ?? "connect" });
}

describe("the demo fleet", () => {
  it("leaves alone what is not its own: an operator's address, a draft, a retired game server", async () => {
    for (const name of ["An operator's own", "An admin's draft", "ARK: Survival Evolved"]) {
      const row = await requireRow(name);
      assert.equal(row.demo, false, name);
      assert.notEqual(row.host, "127.0.0.1", name);
    }
    assert.equal((await requireRow("An admin's draft")).visibility, "hidden");
  });

  it("gives every other game server an address on this machine and shows it", async () => {
    const rows = (await listRows()).filter((row) => row.demo);
    assert.equal(rows.length, 10 + DEMO_ONLY.length);
    for (const row of rows) {
      assert.equal(row.host, "127.0.0.1");
      assert.equal(row.visibility, "public");
    }
    assert.ok(rows.some((row) => row.lifecycle === "maintenance"));
  });

  it("answers over the real protocols with the players of the wave", async () => {
    const rows = (await listRows()).filter((row) => row.demo && row.adapter !== "heartbeat");
    assert.ok(rows.length >= 8);
    for (const row of rows) {
      const from = Date.now();
      const result = await ask(row);
      const mayBeDown =
        behaviourOf(row).fails && [-2000, 0, 2000].some((shift) => isDownAt(row.server_id, from + shift));
      if (mayBeDown) continue;
      assert.ok(result.ok, `${row.server_name}: ${result.ok ? "" : result.failure}`);
      if (row.adapter === "tcp") assert.equal(result.answer.players, null);
      else assert.ok(expectedPlayers(row, from, Date.now()).includes(Number(result.answer.players)), row.server_name);
    }
  });

  it("takes a free port where the right one is taken", async () => {
    const row = await requireRow("Minecraft Anarchy");
    assert.notEqual(row.game_port, 25567);
    assert.ok((await ask(row)).ok);
  });

  it("reports Aion and Skyrim Together by heartbeat, with tokens that are stored hashed; Tera hides its players", async () => {
    const reporting = (await listRows()).filter((row) => row.heartbeat_token_hash !== null);
    assert.deepEqual(
      reporting.map((row) => row.server_name),
      ["Aion 1.9 Classic", "Aion 3.9 Fast", "Skyrim Together Node 1", "Skyrim Together Node 2"],
    );
    const deadline = Date.now() + 3000;
    const reportOf = (row: Row) => heard.find(({ token }) => hashHeartbeatToken(token) === row.heartbeat_token_hash);
    while (!reporting.every(reportOf) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
    for (const row of reporting) {
      const report = reportOf(row);
      assert.ok(report, row.server_name);
      const now = Date.now();
      assert.ok(Math.abs((expectedPlayers(row, now, now)[0] ?? -9) - report.players) <= 3, row.server_name);
    }
  });

  it("starts again on the same rows, and what an admin has hidden or given an address stays so", async () => {
    await fleet.stop();
    const { db } = database;
    await db.update(gameserver).set({ visibility: "hidden" }).where(eq(gameserver.server_name, "Valheim Vanilla"));
    await db.update(gameserver).set({ host: "192.0.2.7" }).where(eq(gameserver.server_name, "The Front"));
    const names = (await listRows()).map((row) => row.server_name);
    fleet = await start(database);
    await fleet.ready;
    assert.deepEqual(
      (await listRows()).map((row) => row.server_name),
      names,
    );
    assert.equal((await requireRow("Valheim Vanilla")).visibility, "hidden");
    assert.equal((await requireRow("The Front")).host, "192.0.2.7");
  });

  it("waits for a database that is not ready, and can be stopped while it waits", async () => {
    const later = await createTestDatabase();
    await seedDemoContent(later.db);
    await later.db.execute(sql`alter table games rename to games_away`);
    const waiting = await start(later);
    await new Promise((resolve) => setTimeout(resolve, 400));
    await later.db.execute(sql`alter table games_away rename to games`);
    await waiting.ready;
    assert.equal(await later.db.$count(gameserver, eq(gameserver.demo, true)), 10 + DEMO_ONLY.length);
    await waiting.stop();
    await later.drop();

    const nowhere = await startDemoFleet(
      { databaseUrl: "postgres://nobody@127.0.0.1:9/nothing", host: "127.0.0.1", port: 9, pollIntervalS: 1 },
      { log: quiet },
    );
    await nowhere.stop();
  });
});
