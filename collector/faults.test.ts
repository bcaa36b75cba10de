import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { createBed, createDoor, fakeWorld, pretendA2s } from "#tests/helpers/test-bed.ts";
import { pause, until } from "#tests/helpers/until.ts";

describe("faults that must do no harm", () => {
  let bed: Awaited<ReturnType<typeof createBed>>;
  before(async () => {
    bed = await createBed();
  });
  afterEach(() => bed.clear());
  after(() => bed.end());

  const addServers = async (n: number) => {
    const ids = [];
    for (let i = 0; i < n; i++) ids.push(await bed.addServer({ host: `10.0.${i >> 8}.${i & 255}`, game_port: 2456 }));
    return ids;
  };
  const events = async () => (await bed.sql`SELECT to_status FROM gameserver_status_event`).map((row) => row.to_status);

  test("most servers silent at once: held back, said so, nobody offline; judged again when they answer", async () => {
    let down = false;
    const { outside } = fakeWorld((address) => (down && address !== "10.0.0.0" ? "refused" : "up"));
    await addServers(12);
    const collector = await bed.start({ outside });
    await until("all online", async () => (await bed.statuses()).online === 12);
    down = true;
    await until("frozen", async () => {
      const [row] = await bed.sql`SELECT delayed_since FROM collector_process WHERE delayed_since IS NOT NULL`;
      return row;
    });
    await pause(3_500);
    const statuses = await bed.statuses();
    assert.equal(statuses.offline, undefined);
    assert.ok((statuses.degraded ?? 0) <= 7, "only what failed before it was clear");
    assert.ok(collector.lines.some((line) => line.level === 50 && /fault is on our side/.test(line.msg)));
    down = false;
    await until("all online again", async () => (await bed.statuses()).online === 12);
    await until("no longer delayed", async () => {
      const [row] = await bed.sql`SELECT FROM collector_process WHERE delayed_since IS NULL`;
      return row;
    });
    assert.ok(!(await events()).includes("offline"));
  });

  test("a tenth of the servers dead does not hold up the others", async () => {
    const deadline = Promise.withResolvers<void>();
    const isDead = (address: string) => Number(address.split(".")[3]) % 10 === 0;
    const { outside } = fakeWorld(
      (address) => (isDead(address) ? "silent" : "up"),
      () => deadline.promise,
    );
    await addServers(200);
    await bed.start({ intervalS: 30, outside });
    // All of it before a single deadline of a dead one is over.
    await until("all living out", async () => (await bed.statuses()).online === 180);
    deadline.resolve();
  });

  test("a machine with many silent servers holds up nobody elsewhere", async () => {
    const deadline = Promise.withResolvers<void>();
    const { outside } = fakeWorld(
      (address) => (address === "10.9.9.9" ? "silent" : "up"),
      () => deadline.promise,
    );
    for (let i = 0; i < 150; i++) await bed.addServer({ host: "10.9.9.9", game_port: 3000 + i });
    await addServers(100);
    await bed.start({ intervalS: 30, outside });
    await until("all living out", async () => (await bed.statuses()).online === 100);
    deadline.resolve();
  });

  for (const kind of ["pause", "cut"] as const) {
    test(`database ${kind === "pause" ? "frozen" : "gone"} for three intervals: nobody offline, live again at once`, async () => {
      const door = await createDoor(bed.url);
      const game = await pretendA2s(3);
      const id = await bed.addServer({ game_port: game.port });
      const collector = await bed.start({ databaseUrl: door.url });
      await until("online", async () => (await bed.row(id)).status === "online");
      door[kind]();
      // What is asked meanwhile fails: its result must never be written as truth of later.
      game.mute = true;
      await pause(4_000);
      game.mute = false;
      game.players = 8;
      door.heal();
      await until("live again", async () => (await bed.row(id)).user_online === 8);
      assert.ok(!(await events()).includes("offline"));
      await collector.stop();
      await door.close();
      await game.close();
    });
  }

  test("our own process standing still: what timed out meanwhile is asked again, not believed", async () => {
    const game = await pretendA2s(3);
    const id = await bed.addServer({ game_port: game.port });
    let stall = true;
    const collector = await bed.start({
      outside: {
        query: async (adapter, question) => {
          const result = adapter.query({ ...question, deadlineMs: 300 });
          if (stall) {
            stall = false;
            const end = performance.now() + 1_500;
            while (performance.now() < end);
          }
          return result;
        },
      },
    });
    await until("online", async () => (await bed.row(id)).status === "online");
    const all = await bed.sql`SELECT status FROM gameserver_sample WHERE server_id = ${id}`;
    assert.ok(all.every((row) => row.status === "online"));
    assert.ok(collector.lines.some((line) => /stood still/.test(line.msg)));
    await game.close();
  });

  test("a question that throws costs its turn and nothing else", async () => {
    const { outside } = fakeWorld(() => "up");
    const [bad = 0] = await addServers(3);
    const collector = await bed.start({
      outside: {
        ...outside,
        query: async (adapter, question) => {
          if (question.address === "10.0.0.0") throw new Error("poisoned");
          return outside.query(adapter, question);
        },
      },
    });
    await until("the others online", async () => (await bed.statuses()).online === 2);
    await until("said so", () => collector.lines.some((line) => line.level === 50 && line.server_id === bad));
    assert.equal((await bed.row(bad)).status, "unknown");
  });

  test("a collector that is stopped writes what is in flight and is gone within seconds", async () => {
    const { asked, outside } = fakeWorld(() => "silent");
    const [id = 0] = await addServers(1);
    const collector = await bed.start({ intervalS: 30, outside });
    await until("asked", () => asked.length > 0);
    await collector.stop();
    const row = await bed.row(id);
    assert.deepEqual([row.status, row.failure], ["unknown", "no_reply"]);
    assert.equal(row.claimed_by, null);
  });

  test("without a database it waits, says so once, and still stops within seconds", async () => {
    const door = await createDoor(bed.url);
    door.cut();
    const collector = await bed.start({ databaseUrl: door.url });
    await pause(2_000);
    await collector.stop();
    assert.equal(collector.lines.filter((line) => /database is away/.test(line.msg)).length, 1);
    await door.close();
  });
});
