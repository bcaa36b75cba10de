import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { connectDatabase, type Database } from "#db/client.ts";
import { games, gameserver } from "#db/schema/index.ts";
import { readTopics } from "#shared/live/live-topics.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { type LiveHub, startLiveHub } from "./hub.ts";
import { type LiveStream, startLiveStream } from "./stream.ts";

/** The cookie of these tests is the session's name, and the account's. */
const memberOf = ({ headers: { cookie } }: IncomingMessage) =>
  cookie ? { session_id: cookie, user_id: cookie } : null;

let testDb: TestDatabase;
let database: Database;
let hub: LiveHub;
let live: LiveStream;
let server: Server;
let port: number;
const sockets = new Set<Socket>();
let gameId: number;
let openId: number;
let hiddenId: number;

type Event = {
  type: string;
  id: string | null;
  data: Record<string, unknown> & { rows?: { server_id: number; status: string; user_online: number | null }[] };
};

before(async () => {
  testDb = await createTestDatabase();
  database = connectDatabase({ databaseUrl: testDb.url });
  const [game] = await testDb.db
    .insert(games)
    .values({ game_name: "Quake", game_acronym: "Q", game_slug: "quake", tagline: { en: "" }, description: { en: "" } })
    .returning();
  gameId = game?.game_id ?? 0;
  const base = { game_id: gameId, adapter: "a2s" as const, host: "192.0.2.1", game_port: 27015 };
  const rows = await testDb.db
    .insert(gameserver)
    .values([
      { ...base, server_name: "Open", visibility: "public" },
      { ...base, server_name: "Hidden", visibility: "hidden" },
    ])
    .returning({ server_id: gameserver.server_id });
  [openId, hiddenId] = rows.map((row) => row.server_id) as [number, number];
  hub = await startLiveHub(database, {
    pollIntervalS: 30,
    demo: false,
    siteUrl: "http://localhost",
    log: pino({ level: "silent" }),
  });
  live = startLiveStream(hub, { "x-content-type-options": "nosniff" }, () => "127.0.0.1");
  server = createServer((request, response) => live.open(request, response, memberOf(request)));
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});

after(async () => {
  live.stop();
  server.closeAllConnections();
  server.close();
  await hub.stop();
  await database.close();
  await testDb.drop();
});

/** Follows the stream and collects its events. */
async function follow(query = "", session: string | null = null, headers: Record<string, string> = {}) {
  const stop = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}/live${query}`, {
    signal: stop.signal,
    headers: session ? { ...headers, cookie: session } : headers,
  });
  const events: Event[] = [];
  let text = "";
  const reading = (async () => {
    for await (const chunk of response.body ?? []) {
      text += new TextDecoder().decode(chunk);
      const parts = text.split("\n\n");
      text = parts.pop() ?? "";
      for (const part of parts) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(part)?.[1] ?? null;
        const type = field("event");
        if (type) events.push({ type, id: field("id"), data: JSON.parse(field("data") ?? "null") });
      }
    }
  })().catch(() => {});
  return {
    events,
    response,
    ended: reading,
    async next(match: (event: Event) => boolean, limit = 120_000): Promise<Event> {
      const until = Date.now() + limit;
      for (;;) {
        const found = events.find(match);
        if (found) return found;
        if (Date.now() > until) assert.fail(`no such event in ${limit} ms; there were ${JSON.stringify(events)}`);
        await pause(10);
      }
    },
    async end() {
      stop.abort();
      await reading;
    },
  };
}

type TotalsTold = { site?: { players_online?: number }; games?: Record<number, { players_online?: number }> };
const totalsIn = (data: Event["data"]) => data.totals as TotalsTold | undefined;
const positionOf = ({ epoch, seq, catalog }: ReturnType<LiveHub["read"]>) => `${epoch}.${seq}.${catalog}`;
const measure = (id: number, online: number) =>
  testDb.sql`update gameserver_live_metrics set status = 'online', user_online = ${online}, last_asked_at = now() where server_id = ${id}`;
const shows = (online: number) => (event: Event) => event.data.rows?.some((row) => row.user_online === online) ?? false;

test("a hidden game server is in no event, neither in the first state nor when it changes", async () => {
  const stream = await follow();
  await stream.next((event) => event.type === "snapshot");
  await measure(hiddenId, 66);
  await measure(openId, 5);
  await stream.next(shows(5));
  assert.ok(!JSON.stringify(stream.events).includes(`"server_id":${hiddenId}`));
  assert.equal(stream.response.headers.get("x-accel-buffering"), "no");
  assert.equal(stream.response.headers.get("content-encoding"), null);
  assert.equal(stream.response.headers.get("x-content-type-options"), "nosniff");
  await stream.end();
});

test("a change reaches every browser, and one between page and stream is not lost", async () => {
  const page = hub.read("public");
  await measure(openId, 7);
  await pause(200);
  const late = await follow(`?since=${page.epoch}.${page.seq}.${page.catalog}`);
  const early = await follow();
  assert.equal((await late.next(shows(7))).type, "delta", "only what was missed");
  assert.equal((await early.next(shows(7))).type, "snapshot");
  await measure(openId, 8);
  for (const stream of [late, early]) {
    const delta = await stream.next(shows(8));
    assert.equal(delta.id, positionOf(hub.read("public")));
    await stream.end();
  }
});

test("a browser that connects again by itself gets what it missed, whatever its address says", async () => {
  const first = await follow();
  const { id } = await first.next((event) => event.type === "snapshot");
  await first.end();
  await measure(openId, 9);
  await pause(200);
  const again = await follow("?since=elsewhere.1.x", null, { "Last-Event-ID": id ?? "" });
  assert.equal((await again.next(shows(9))).type, "delta");
  await again.end();
});

test("a browser that is up to date gets nothing twice; one from another process gets everything", async () => {
  const { epoch, seq, catalog } = hub.read("public");
  const current = await follow(`?since=${epoch}.${seq}.${catalog}`);
  const stranger = await follow(`?since=elsewhere.${seq}.${catalog}`);
  const nonsense = await follow("?since=%00<script>");
  await stranger.next((event) => event.type === "snapshot");
  await nonsense.next((event) => event.type === "snapshot");
  await current.next((event) => event.type === "session");
  // A change that comes meanwhile is sent; what the browser has is not.
  const twice = current.events.filter(({ type, data }) => type !== "session" && !(Number(data?.seq) > seq));
  assert.deepEqual(twice, []);
  for (const stream of [current, stranger, nonsense]) await stream.end();
});

test("hiding a game server sends a whole snapshot without it, and showing it brings it back", async () => {
  const stream = await follow();
  const first = await stream.next((event) => event.type === "snapshot");
  await testDb.sql`update gameserver set visibility = 'hidden' where server_id = ${openId}`;
  const without = await stream.next((event) => event.type === "snapshot" && event.data.rows?.length === 0);
  assert.notEqual(without.data.catalog, first.data.catalog);
  await testDb.sql`update gameserver set visibility = 'public' where server_id = ${openId}`;
  await stream.next(
    (event) =>
      event.type === "snapshot" && Number(event.data.seq) > Number(without.data.seq) && event.data.rows?.length === 1,
  );
  await stream.end();
});

test("what is for members reaches sessions alone, and a stream ends with its session", async () => {
  await testDb.sql`update gameserver set visibility = 'members' where server_id = ${hiddenId}`;
  const visitor = await follow();
  const member = await follow("", "session-1");
  const other = await follow("", "session-2");
  await member.next((event) => event.data.rows?.some((row) => row.server_id === hiddenId) ?? false);
  await measure(hiddenId, 44);
  await measure(openId, 4);
  await member.next(shows(44));
  await visitor.next(shows(4));
  assert.ok(!JSON.stringify(visitor.events).includes(`"server_id":${hiddenId}`));

  const page = hub.read("public");
  const signedIn = await follow(`?since=${page.epoch}.${page.seq}.${page.catalog}`, "session-1");
  await signedIn.next((event) => event.type === "snapshot" && event.data.rows?.length === 2);

  assert.deepEqual((await member.next((event) => event.type === "session")).data, { signed_in: true });
  assert.deepEqual((await visitor.next((event) => event.type === "session")).data, { signed_in: false });
  live.endSessions(new Set(["session-1"]));
  await member.next((event) => event.type === "bye");
  await Promise.all([member.ended, signedIn.ended]);
  await measure(hiddenId, 45);
  await other.next(shows(45));
  assert.ok(!member.events.some(shows(45)));

  // After a lost connection nobody knows whose session has ended: members come back and are looked up again.
  live.renewMembers();
  await other.next((event) => event.type === "bye");
  await other.ended;
  await measure(openId, 3);
  await visitor.next(shows(3));
  await testDb.sql`update gameserver set visibility = 'hidden' where server_id = ${hiddenId}`;
  await visitor.end();
});

const online = (row: { user_online?: number | null } | undefined) => row?.user_online;

test("a stream tells what is shown, of that the fields that changed, and totals once a second", async () => {
  const page = hub.read("public");
  const stream = await follow(
    `?shows=site,g${gameId},s${openId},s${hiddenId},s999999,nonsense&since=${positionOf(page)}`,
  );
  const other = await follow("?shows=g1");
  const nothing = await follow("?shows=");
  await Promise.all([other, nothing].map((one) => one.next(({ type }) => type === "snapshot")));
  await measure(openId, 21);
  const delta = await stream.next(shows(21));
  assert.deepEqual(Object.keys(delta.data), ["seq", "rows", ...("totals" in delta.data ? ["totals"] : [])]);
  assert.deepEqual(delta.data.rows, [{ server_id: openId, user_online: 21 }]);
  await measure(hiddenId, 99);
  const told = await stream.next(({ data }) => totalsIn(data)?.site?.players_online === 21, 3000);
  assert.equal(totalsIn(told.data)?.games?.[gameId]?.players_online, 21);
  assert.equal(hub.read("public").totals().players_online, 21);
  assert.ok(!nothing.events.some(({ type }) => type === "delta"), "nothing is shown there");
  assert.ok(!JSON.stringify(stream.events).includes(`"server_id":${hiddenId}`));
  for (const one of [stream, other, nothing]) await one.end();
});

test("hidden ones and those that never were are answered alike, by the first word and later", async () => {
  const answer = async (id: number) => {
    const stream = await follow(`?shows=s${id}`);
    const { data } = await stream.next(({ type }) => type === "snapshot");
    await measure(hiddenId, 55);
    await measure(openId, 12);
    await pause(150);
    const types = stream.events.map(({ type }) => type);
    await stream.end();
    return JSON.stringify([types, { ...data, seq: 0 }], (_, value) => (value === id ? "ID" : value));
  };
  assert.equal(await answer(hiddenId), await answer(987_654));
});

test("nobody can count what others are told: the numbers of the public go on with what the public sees alone", async () => {
  await testDb.sql`update gameserver set visibility = 'members' where server_id = ${hiddenId}`;
  while (!hub.read("members").hasServer(hiddenId)) await pause(10);
  const member = await follow(`?shows=s${hiddenId}`, "session-7");
  await member.next((event) => event.data.rows?.some((row) => row.server_id === hiddenId) ?? false);
  await pause(1_200);
  const before = hub.read("public");
  for (const count of [61, 62, 63]) {
    await measure(hiddenId, count);
    await member.next(shows(count));
  }
  await pause(1_200);
  const after = hub.read("public");
  assert.equal(after.seq, before.seq);
  assert.equal(after.totals().players_online, before.totals().players_online);
  assert.equal(hub.read("members").totals().players_online, after.totals().players_online + 63);
  assert.notEqual(hub.read("members").epoch, after.epoch);
  await testDb.sql`update gameserver set visibility = 'hidden' where server_id = ${hiddenId}`;
  await member.next(({ data }) => (data.gone as number[] | undefined)?.includes(hiddenId) ?? false);
  await member.end();
});

test("a browser shows something else by its stream's name; what it missed of it comes before the echo", async () => {
  const stream = await follow("?shows=");
  const { data: welcome } = await stream.next(({ type }) => type === "welcome");
  const id = String(welcome.stream);
  const page = hub.read("public");
  await measure(openId, 17);
  await pause(150);
  const show = (text: string, turn: number, since: string | null = positionOf(page)) =>
    live.show(id, { topics: readTopics(text) ?? [], since, turn, whole: false });
  assert.equal(show(`s${openId}`, 1), "shown");
  const echo = await stream.next(({ type }) => type === "shows");
  const types = stream.events.map(({ type }) => type);
  assert.deepEqual(types.slice(-2), ["delta", "shows"], "what changed between page and stream, then the echo");
  assert.equal(echo.data.turn, 1);
  // Two that overtook each other: the later word holds.
  assert.equal(show("", 3), "shown");
  assert.equal(show(`s${openId}`, 2), "shown");
  await stream.next(({ type, data }) => type === "shows" && data.turn === 3);
  await measure(openId, 18);
  await pause(150);
  assert.ok(!stream.events.some(shows(18)));
  show(`s${openId}`, 4, null);
  const again = await stream.next(({ type, data }) => type === "snapshot" && online(data.rows?.[0]) === 18);
  assert.equal(again.data.seq, hub.read("public").seq);
  // Nobody else has that name, and a stream of everything has none.
  assert.equal(live.show("A".repeat(22), { topics: [], since: null, turn: 9, whole: false }), "unknown");
  const all = await follow();
  await all.next(({ type }) => type === "snapshot");
  assert.ok(!all.events.some(({ type }) => type === "welcome"));
  for (let turn = 5; turn < 60; turn += 1) show(`s${openId}`, turn);
  assert.equal(show(`s${openId}`, 100), "often");
  const open = live.count();
  await stream.end();
  await all.end();
  while (live.count() > open - 2) await pause(10);
  assert.equal(show("", 101), "unknown", "a name ends with its stream");
});

test("a stream of a game server that appears is opened again and tells of it, and one that is hidden is gone", async () => {
  const [row] = await testDb.sql<{ next: number }[]>`select last_value::int + 1 as next from gameserver_server_id_seq`;
  const next = row?.next ?? 0;
  const early = await follow(`?shows=s${next}`);
  await early.next(({ data }) => (data.gone as number[] | undefined)?.[0] === next);
  const [added] = await testDb.sql<{ server_id: number }[]>`
    insert into gameserver (game_id, server_name, host, game_port, adapter, visibility)
    values (${gameId}, 'Late', '192.0.2.9', 27016, 'a2s', 'public') returning server_id`;
  assert.equal(added?.server_id, next);
  await early.next(({ type }) => type === "bye");
  await early.ended;
  const stream = await follow(`?shows=s${next}`);
  await stream.next(({ data }) => data.rows?.[0]?.server_id === next);
  await testDb.sql`update games set published = false where game_id = ${gameId}`;
  await stream.next(
    ({ data, type }) =>
      type === "snapshot" && data.rows?.length === 0 && stream.events.some(({ data: { rows } }) => rows?.length === 1),
  );
  await testDb.sql`update games set published = true where game_id = ${gameId}`;
  await testDb.sql`delete from gameserver where server_id = ${next}`;
  await stream.end();
});

test("more topics than a page can show are refused, and so is a text that goes on and on", async () => {
  const many = [...Array(601).keys()].map((n) => `s${n + 1}`).join();
  assert.equal((await fetch(`http://127.0.0.1:${port}/live?shows=${many}`)).status, 400);
  assert.equal((await fetch(`http://127.0.0.1:${port}/live?shows=${"s1,".repeat(2500)}`)).status, 400);
  const most = await follow(`?shows=${many.slice(0, many.lastIndexOf(","))}`);
  await most.next(({ type }) => type === "snapshot");
  await most.end();
});

test("a session that ended while it was looked up gets no stream", async () => {
  live.endSessions(new Set(["session-3"]));
  const late = await follow("", "session-3");
  await late.next((event) => event.type === "bye");
  await late.ended;
  assert.deepEqual(
    late.events.map(({ type }) => type),
    ["bye"],
  );
});

test("a reader that stops reading costs little, others go on, and it gets the newest state when it reads again", async () => {
  // Its own receive buffer is filled first, so more is sent than any socket holds.
  const lazy: Socket = connect(port, "127.0.0.1");
  lazy.write("GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n");
  lazy.pause();
  const other = await follow();
  const long = "x".repeat(50_000);
  let most = 0;
  for (let round = 0; round < 200; round += 1) {
    await testDb.sql`update gameserver_live_metrics set map = ${long + round}, user_online = ${round % 100} where server_id = ${openId}`;
    if (round % 20 === 0) await pause(5);
    for (const socket of sockets) most = Math.max(most, socket.writableLength);
  }
  await measure(openId, 77);
  await other.next(shows(77));
  assert.ok(most < 64 * 1024 + 2 * 110_000, `at most one message over 64 KB waits, it was ${most}`);
  let seen = "";
  lazy.on("data", (chunk) => {
    seen = (seen + chunk).slice(-200_000);
  });
  lazy.resume();
  const until = Date.now() + 120_000;
  while (!seen.includes('"user_online":77')) {
    assert.ok(Date.now() < until, "the newest state did not arrive");
    await pause(20);
  }
  lazy.destroy();
  await other.end();
});

test("a measurement that nobody renewed for three intervals is shown as unknown, without a count", async () => {
  await testDb.sql`update gameserver_live_metrics set user_online = 9, last_asked_at = now() - interval '91 seconds' where server_id = ${openId}`;
  const stream = await follow();
  const event = await stream.next((candidate) => candidate.data.rows?.[0]?.status === "unknown", 7000);
  assert.equal(event.data.rows?.[0]?.user_online, null);
  await stream.end();
});

test("where this machine's clock is wrong, what the database calls fresh is fresh", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 3_600_000 });
  const stream = await follow();
  await measure(openId, 31);
  await stream.next(shows(31), 7000);
  await stream.end();
});
