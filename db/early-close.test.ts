/** Something accepts connections for Postgres and closes them at once: no loop, each statement is told, and it comes back. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { startDatabaseWire, type Wire } from "#tests/faults/wire.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { connectDatabase } from "./client.ts";
import { isDatabaseAway } from "./database-away.ts";

/** What a pool of three may try within two seconds: all of them at once, then a few each second, and the pulse's. */
const MOST_TRIES = 40;

describe("a database that closes each connection at once", () => {
  let postgres: TestDatabase;
  let near: { wire: Wire; url: string };
  before(async () => {
    postgres = await createTestDatabase();
    near = await startDatabaseWire(postgres.url);
  });
  after(async () => {
    await near.wire.close();
    await postgres.drop();
  });

  for (const [when, refuse] of [
    ["as it comes", (from: Socket) => from.end()],
    ["after it was asked", (from: Socket) => from.once("data", () => from.end())],
    ["after a word", (from: Socket) => from.once("data", () => from.end(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0])))],
  ] as const) {
    test(`${when}: it is asked some times a second, statements fail, and the next ones succeed`, async () => {
      let away = true;
      let tries = 0;
      const proxy = createServer((from) => {
        from.on("error", () => {});
        if (away) {
          tries += 1;
          return void refuse(from);
        }
        const behind = connect(near.wire.port, "127.0.0.1");
        behind.on("error", () => from.destroy());
        from.pipe(behind).pipe(from);
      });
      proxy.listen(0, "127.0.0.1");
      await once(proxy, "listening");
      const url = Object.assign(new URL(near.url), { port: String((proxy.address() as AddressInfo).port) });
      const database = connectDatabase({ databaseUrl: url.href }, { max: 3 });
      try {
        const told = await Promise.race([
          database.sql`select 1`.then(
            () => "it answered",
            (error: unknown) => error,
          ),
          pause(15_000, "nobody was told"),
        ]);
        assert.ok(isDatabaseAway(told), String(told));
        const heard: string[] = [];
        const listening = database.listen("early_close", (payload) => heard.push(payload));
        const before = tries;
        const until = performance.now() + 2_000;
        while (performance.now() < until) await database.sql`select 1`.catch(() => pause(1));
        assert.ok(tries - before <= MOST_TRIES, `${tries - before} connections within two seconds`);
        away = false;
        const back = performance.now() + 20_000;
        while ((await database.sql`select 1`.catch(() => [])).length === 0) assert.ok(performance.now() < back);
        await listening;
        while (heard.length === 0) {
          assert.ok(performance.now() < back, "nothing is heard");
          await database.sql`select pg_notify('early_close', 'hello')`;
          await pause(50);
        }
      } finally {
        await database.close();
        proxy.close();
      }
    });
  }
});
