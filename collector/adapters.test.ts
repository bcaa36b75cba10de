import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { after, afterEach, before, describe, test } from "node:test";
import { startPalworldServer } from "#demo/protocols/palworld-server.ts";
import { startTeamspeakServer } from "#demo/protocols/teamspeak-server.ts";
import { changedSecrets } from "#domain/game-servers/adapter-secrets.ts";
import { ADAPTERS } from "#outside/game-query/adapters.ts";
import { answerWithoutFigures } from "#outside/game-query/answer.ts";
import type { AdapterId, AdapterOptions, SealedSecrets } from "#shared/adapters.ts";
import { createBed, pretendA2s } from "#tests/helpers/test-bed.ts";
import { pause, until } from "#tests/helpers/until.ts";
import type { Outside } from "./ask.ts";

describe("what each adapter is given and may not do", () => {
  let bed: Awaited<ReturnType<typeof createBed>>;
  before(async () => {
    bed = await createBed();
  });
  afterEach(() => bed.clear());
  after(() => bed.end());

  test("refusals: nothing is sent to a blocked address, a retired server, one without address or port", async () => {
    const game = await pretendA2s(3);
    const blocked = await bed.addServer({ game_port: game.port });
    const retired = await bed.addServer({ game_port: game.port, lifecycle: "retired" });
    const nowhere = await bed.addServer({ host: null });
    const newer = await bed.addServer({ game_port: game.port, adapter: "of-a-newer-version" as AdapterId });
    const portless = await bed.addServer({ game_port: null });
    const nameless = await bed.addServer({ host: "nothing.invalid", game_port: 2456 });
    const collector = await bed.start({ allow: [] });
    await until("blocked", async () => (await bed.row(blocked)).failure === "blocked");
    await until("no address", async () => (await bed.row(portless)).failure === "no_address");
    await until("dns", async () => (await bed.row(nameless)).failure === "dns");
    await pause(1_000);
    await collector.stop();
    for (const id of [blocked, portless, retired, nowhere, newer]) assert.equal((await bed.row(id)).status, "unknown");
    for (const id of [retired, nowhere, newer]) assert.equal((await bed.row(id)).last_asked_at, null);
    assert.notEqual((await bed.row(nameless)).status, "offline");
    assert.equal(game.asked, 0);
    await game.close();
  });

  test("a server in maintenance is asked; a wrong record is corrected at once, without waiting for its turn", async () => {
    const game = await pretendA2s(3);
    const id = await bed.addServer({ game_port: 9_999, lifecycle: "maintenance" });
    const collector = await bed.start({ intervalS: 30 });
    await until("degraded", async () => (await bed.row(id)).status === "degraded");
    await bed.sql`UPDATE gameserver SET query_port = ${game.port} WHERE server_id = ${id}`;
    await until("online", async () => (await bed.row(id)).status === "online");
    await collector.stop();
    await game.close();
  });

  test("what a game server wants to be shown is opened to ask it; another key makes it unknown, never offline", async () => {
    const game = await startPalworldServer({
      password: "a lamp in the harbour",
      info: () => ({ players: 5, maxPlayers: 32 }),
    });
    const site = "the secret of this very site, 32+";
    const sealed = (typed: string, by = site) =>
      changedSecrets(by, "palworld", { kept: {}, given: { adminPassword: { typed, remove: false } }, moved: false })
        .secrets;
    const add = (adapter_secrets: SealedSecrets) =>
      bed.addServer({ adapter: "palworld", game_port: 8211, query_port: game.port, adapter_secrets });
    const right = await add(sealed("a lamp in the harbour"));
    const wrong = await add(sealed("another lamp"));
    const none = await add({});
    const foreign = await add(sealed("a lamp in the harbour", "the secret of some other site, 32"));
    const collector = await bed.start({ authSecret: site });
    const online = await until("online", async () => {
      const row = await bed.row(right);
      return row.status === "online" && row;
    });
    assert.equal(online.user_online, 5);
    for (const [id, failure] of [
      [wrong, "unauthorized"],
      [none, "unauthorized"],
      [foreign, "sealed"],
    ] as const) {
      const row = await until(failure, async () => {
        const now = await bed.row(id);
        return now.failure === failure && now;
      });
      assert.equal(row.status, "unknown", failure);
    }
    assert.doesNotMatch(JSON.stringify(collector.lines), /lamp/);
    await collector.stop();
    const without = await bed.start({});
    await until(
      "a collector without the site's secret says so",
      async () => (await bed.row(right)).failure === "sealed",
    );
    await without.stop();
    await game.close();
  });

  test("TCP tells up or down and nobody's number, but a fresh heartbeat does, while the port answers", async () => {
    const door = createServer((socket) => socket.on("error", () => {}).end("hello"));
    door.unref();
    door.listen(0, "127.0.0.1");
    await once(door, "listening");
    const address = door.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const id = await bed.addServer({ adapter: "tcp", game_port: port, adapter_options: { expect: "server_first" } });
    const collector = await bed.start();
    const up = await until("up", async () => {
      const row = await bed.row(id);
      return row.status === "online" && row;
    });
    assert.equal(up.user_online, null);
    assert.equal(up.user_peak, null);
    await bed.sql`UPDATE gameserver_live_metrics SET heartbeat_at = now(), heartbeat_players = 41, heartbeat_max = 200,
      heartbeat_version = '3.9' WHERE server_id = ${id}`;
    const counted = await until("counted", async () => {
      const row = await bed.row(id);
      return row.user_online === 41 && row;
    });
    assert.equal(counted.user_max_measured, 200);
    assert.equal(counted.version_measured, "3.9");
    door.close();
    const down = await until("offline", async () => {
      const row = await bed.row(id);
      return row.status === "offline" && row;
    });
    assert.equal(down.user_online, null, "a heartbeat does not keep a dead port alive");
    assert.equal(down.user_peak, 41);
    await collector.stop();
  });

  test("heartbeat alone: never heard and silent are unknown, fresh is online", async () => {
    const id = await bed.addServer({ adapter: "heartbeat", host: null });
    const collector = await bed.start();
    await until("silent", async () => (await bed.row(id)).failure === "silent");
    assert.equal((await bed.row(id)).status, "unknown");
    await bed.sql`UPDATE gameserver_live_metrics SET heartbeat_at = now(), heartbeat_players = 5 WHERE server_id = ${id}`;
    await until("online", async () => (await bed.row(id)).user_online === 5);
    await bed.sql`UPDATE gameserver_live_metrics SET heartbeat_at = now() - interval '16 seconds' WHERE server_id = ${id}`;
    const silent = await until("unknown", async () => {
      const row = await bed.row(id);
      return row.status === "unknown" && row;
    });
    assert.equal(silent.user_online, null);
    assert.equal(silent.user_peak, 5);
    await collector.stop();
  });

  test("Minecraft is looked up by SRV only where the port is empty; options reach their adapter", async () => {
    const questions: unknown[] = [];
    const answer = { ...answerWithoutFigures, players: 1, maxPlayers: 20, name: "x" };
    const query: Outside["query"] = async (adapter, { address, port, host, options, deadlineMs }) => {
      const id = Object.keys(ADAPTERS).find((one) => Reflect.get(ADAPTERS, one) === adapter);
      questions.push([id, { address, port, host, options, deadlineMs }]);
      return { ok: true as const, latencyMs: 1, answer };
    };
    const outside: Outside = {
      resolver: {
        resolve: async (question) => {
          questions.push(question);
          return { ok: true, address: "127.0.0.9", port: question.port ?? 25_999, family: 4 };
        },
      },
      query,
    };
    await bed.addServer({ adapter: "minecraft", host: "mc.example.org" });
    await bed.addServer({ adapter: "minecraft", host: "mc2.example.org", game_port: 25567 });
    await bed.addServer({ host: "ark.example.org", game_port: 27015, adapter_options: { countFromPlayerList: true } });
    const front = await bed.addServer({
      host: "front.example.org",
      game_port: 7777,
      query_port: 27015,
      adapter_options: { trustRecord: true },
    });
    await bed.addServer({ host: "tera.example.org", game_port: 7801, adapter: "tcp" });
    const factory = { adapter: "gamedig" as const, adapter_options: { gamedigType: "openttd" } };
    await bed.addServer({ host: "trains.example.org", game_port: 3979, ...factory });
    await assert.rejects(bed.addServer({ adapter: "gamedig", game_port: 3980 }), /gameserver_gamedig_type/);
    const collector = await bed.start({ intervalS: 30, outside });
    await until("all asked", async () => (await bed.statuses()).online === 6);
    await collector.stop();
    const asking = (adapter: string, port: number, host: string, options: AdapterOptions, deadlineMs: number) => [
      adapter,
      { address: "127.0.0.9", port, host, options, deadlineMs },
    ];
    const asked = questions.map((question) => JSON.stringify(question));
    for (const expected of [
      { host: "mc.example.org", port: null, service: { name: "_minecraft._tcp", port: 25_565 } },
      { host: "mc2.example.org", port: 25567 },
      { host: "front.example.org", port: 27015 },
      asking("minecraft", 25_999, "mc.example.org", {}, 2000),
      asking("minecraft", 25_567, "mc2.example.org", {}, 2000),
      asking("a2s", 27_015, "ark.example.org", { countFromPlayerList: true }, 2000),
      asking("tcp", 7_801, "tera.example.org", {}, 2000),
      asking("gamedig", 3_979, "trains.example.org", { gamedigType: "openttd" }, 4000),
    ]) {
      assert.ok(asked.includes(JSON.stringify(expected)), `${JSON.stringify(expected)} not in ${asked.join("\n")}`);
    }
    assert.equal((await bed.row(front)).user_max_measured, null);
  });

  test("two records of one game server share one question", async () => {
    const game = await pretendA2s(3);
    const ids = [await bed.addServer({ game_port: game.port }), await bed.addServer({ game_port: game.port })];
    const collector = await bed.start({ intervalS: 1 });
    const began = performance.now();
    await until("three rounds", () => game.asked >= 3);
    await collector.stop();
    const seconds = (performance.now() - began) / 1000;
    for (const id of ids) assert.equal((await bed.row(id)).user_online, 3);
    assert.ok(game.asked <= seconds + 3, `asked ${game.asked} times in ${seconds.toFixed(1)} s`);
    await game.close();
  });

  test("two virtual servers of one machine, asked at one port, are told apart by the port that people type", async () => {
    const info = () => ({ name: "Lounge", clients: ["Ada", "Grace"], maxClients: 32, version: "3.13.7" });
    const machine = await startTeamspeakServer({ voicePort: 9988, info });
    const at = { adapter: "teamspeak" as const, query_port: machine.port };
    const running = await bed.addServer({ ...at, game_port: 9988 });
    const stopped = await bed.addServer({ ...at, game_port: 9989 });
    const collector = await bed.start({ intervalS: 1 });
    await until("people", async () => (await bed.row(running)).user_online === 2);
    await until("stopped", async () => (await bed.row(stopped)).failure === "refused");
    await collector.stop();
    await machine.close();
  });

  test("two names of one game server share it as well, but not for Minecraft, which answers by name", async () => {
    const asked: string[] = [];
    const query: Outside["query"] = async (_, { address }) => {
      asked.push(address);
      await pause(300);
      return {
        ok: true as const,
        latencyMs: 1,
        answer: { ...answerWithoutFigures, players: 3, maxPlayers: 10, version: "1", name: "x" },
      };
    };
    const resolver: Outside["resolver"] = {
      resolve: async ({ host, port }) => ({
        ok: true,
        address: host.endsWith("a2s.example") ? "10.0.0.1" : "10.0.0.2",
        port: port ?? 1,
        family: 4,
      }),
    };
    for (const adapter of ["a2s", "minecraft"] as const) {
      for (const name of ["one", "two"]) {
        await bed.addServer({ adapter, host: `${name}.${adapter}.example`, game_port: 2456 });
      }
    }
    await bed.start({ intervalS: 60, outside: { resolver, query } });
    await until("all online", async () => (await bed.statuses()).online === 4);
    assert.deepEqual(asked.sort(), ["10.0.0.1", "10.0.0.2", "10.0.0.2"]);
  });
});
