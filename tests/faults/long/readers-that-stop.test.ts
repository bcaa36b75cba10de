/** A hundred browsers that stop reading, beside one that goes on. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { connectDatabase } from "#db/client.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { startLiveHub } from "#web/live-hub.ts";
import { startLiveStream } from "#web/live-stream.ts";
import { patience, tell } from "../figure.ts";

const READERS = 100;
const CHANGES = 400;
const LIMIT = 64 * 1024;

test("a hundred readers that stop reading cost 64 KB each at most, and the others go on", {
  timeout: 300_000,
}, async (t) => {
  const testDb = await createTestDatabase();
  const database = connectDatabase({ databaseUrl: testDb.url });
  await testDb.sql`INSERT INTO games (game_name, game_acronym, game_slug, tagline, description)
    VALUES ('Quake', 'Q', 'quake', '{"en":""}', '{"en":""}')`;
  await testDb.sql`INSERT INTO gameserver (game_id, server_name, host, game_port, adapter, visibility)
    SELECT game_id, 'Arena ' || n, '192.0.2.1', 20000 + n, 'a2s', 'public' FROM games, generate_series(1, 100) n`;
  const hub = await startLiveHub(database, {
    pollIntervalS: 3600,
    demo: false,
    siteUrl: "http://localhost",
    log: pino({ level: "silent" }),
  });
  const live = startLiveStream(hub, {}, () => "127.0.0.1");
  const accepted = new Set<Socket>();
  const server = createServer((request, response) => live.open(request, response, null));
  server.on("connection", (socket) => accepted.add(socket)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const lazy: Socket[] = [];
  for (let i = 0; i < READERS; i += 1) {
    const socket = connect(port, "127.0.0.1");
    socket.write("GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n");
    socket.pause();
    lazy.push(socket);
  }
  const reader = connect(port, "127.0.0.1");
  reader.write("GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n");
  let seen = "";
  reader.setEncoding("utf8").on("data", (part) => {
    seen = (seen + part).slice(-100_000);
  });
  while (live.count() < READERS + 1) await pause(10);

  let [most, largestEvent, sent] = [0, 0, 0];
  hub.subscribe((change) => {
    const size = JSON.stringify(change.rowsFor("public")).length + 200;
    largestEvent = Math.max(largestEvent, size);
    sent += size;
  });
  // The sockets' own buffers take some megabytes first.
  for (let i = 0; i < CHANGES; i += 1) {
    await testDb.sql`UPDATE gameserver_live_metrics SET status = 'online', last_asked_at = now(), user_online = ${i}, map = ${"x".repeat(200)}`;
    for (const socket of accepted) most = Math.max(most, socket.writableLength);
  }
  const until = performance.now() + patience(10_000);
  while (!seen.includes(`"user_online":${CHANGES - 1}`)) {
    assert.ok(performance.now() < until, "the reader that goes on did not get the newest state");
    await pause(20);
  }
  const behind = [...accepted].filter((socket) => socket.writableLength > 0).length;
  assert.ok(behind >= READERS, `${behind} of ${READERS} are behind: not enough was sent`);
  assert.ok(most <= LIMIT + largestEvent, `${most} bytes wait for one of them`);
  live.stop();
  for (const socket of [...lazy, reader]) socket.destroy();
  server.closeAllConnections();
  server.close();
  await hub.stop();
  await database.close();
  await testDb.drop();
  tell(
    t,
    "readers that stop reading",
    `${READERS} of them while ${Math.round(sent / 1024)} KB were sent to each: at most ${Math.round(most / 1024)} KB wait for one (its largest event is ${Math.round(largestEvent / 1024)} KB); the one that reads is up to date`,
  );
});
