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
import { startLiveHub } from "#web/live/hub.ts";
import { startLiveStream } from "#web/live/stream.ts";
import { patience, tell } from "../figure.ts";

const READERS = 100;
const LIMIT = 64 * 1024;

test("a hundred readers that stop reading cost 64 KB each at most, and the others go on", async (t) => {
  // What was opened last closes first; also after an assertion that failed.
  const opened: (() => unknown)[] = [];
  t.after(async () => {
    for (const close of opened.reverse()) await close();
  });
  const testDb = await createTestDatabase();
  opened.push(() => testDb.drop());
  const database = connectDatabase({ databaseUrl: testDb.url });
  opened.push(() => database.close());
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
  opened.push(() => hub.stop());
  const live = startLiveStream(hub, {}, () => "127.0.0.1");
  const accepted = new Set<Socket>();
  const server = createServer((request, response) => live.open(request, response, null));
  server.on("connection", (socket) => accepted.add(socket)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const sockets: Socket[] = [];
  opened.push(() => {
    live.stop();
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  for (let i = 0; i < READERS; i += 1) {
    const socket = connect(port, "127.0.0.1");
    socket.write("GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n");
    socket.pause();
    sockets.push(socket);
  }
  const reader = connect(port, "127.0.0.1");
  sockets.push(reader);
  reader.write("GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n");
  let seen = "";
  reader.setEncoding("utf8").on("data", (part) => {
    seen = (seen + part).slice(-100_000);
  });
  while (live.count() < READERS + 1) await pause(10);

  let [most, largestEvent, sent] = [0, 0, 0];
  hub.subscribe("public", (change) => {
    const size = JSON.stringify(change.rows.map(({ now }) => now)).length + 200;
    largestEvent = Math.max(largestEvent, size);
    sent += size;
  });
  // The sockets' own buffers take some megabytes first; who stays behind until the next pulse is cut off.
  const behind = new Set<Socket>();
  let changes = 0;
  const enoughBy = performance.now() + patience(60_000);
  while (behind.size < READERS && performance.now() < enoughBy) {
    changes += 1;
    await testDb.sql`UPDATE gameserver_live_metrics SET status = 'online', last_asked_at = now(), user_online = ${changes}, map = ${"x".repeat(200)}`;
    for (const socket of accepted) {
      most = Math.max(most, socket.writableLength);
      if (socket.writableLength > 0 || socket.destroyed) behind.add(socket);
    }
  }
  const until = performance.now() + patience(10_000);
  while (!seen.includes(`"user_online":${changes}`)) {
    assert.ok(performance.now() < until, "the reader that goes on did not get the newest state");
    await pause(20);
  }
  assert.ok(behind.size >= READERS, `${behind.size} of ${READERS} are behind: not enough was sent`);
  assert.ok(most <= LIMIT + largestEvent, `${most} bytes wait for one of them`);
  tell(
    t,
    "readers that stop reading",
    `${READERS} of them while ${Math.round(sent / 1024)} KB were sent to each: at most ${Math.round(most / 1024)} KB wait for one (its largest event is ${Math.round(largestEvent / 1024)} KB); the one that reads is up to date`,
  );
});
