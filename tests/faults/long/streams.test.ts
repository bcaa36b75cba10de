/** A web process alone, two hundred browsers on its stream, and a wire between them that breaks. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { after, before, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { patience, percentile, tell } from "../figure.ts";
import { makePlace, type RealSite, startRealSite } from "../real-site.ts";
import { fetchLivePage, openStreams, type StreamBrowser } from "../stream-browser.ts";
import { startWire, type Wire } from "../wire.ts";

const BROWSERS = 200;
const SERVERS = 40;

let testDb: TestDatabase;
let place: Awaited<ReturnType<typeof makePlace>>;
let site: RealSite;
let wire: Wire;
let openPage: ReturnType<typeof openStreams>;
let ids: number[];

async function startWebAlone(): Promise<void> {
  site = startRealSite(place, {
    command: [process.execPath, "cli/spawnpoint.ts", "web"],
    // Nobody watches here: what this test writes counts as measured for hours.
    env: { DATABASE_URL: testDb.url, POLL_INTERVAL_S: "3600" },
  });
  const answers = () =>
    fetch(`${site.url}/dashboard`).then(
      (answer) => answer.ok,
      () => false,
    );
  await until("its pages are there", 30_000, answers);
}

async function until(what: string, withinMs: number, check: () => boolean | Promise<boolean>): Promise<number> {
  const began = performance.now();
  const limit = patience(withinMs);
  while (!(await check())) {
    assert.ok(
      performance.now() - began < limit,
      `not within ${Math.round(limit)} ms: ${what}; it said ${site.output()}`,
    );
    await pause(20);
  }
  return performance.now() - began;
}

before(async () => {
  testDb = await createTestDatabase();
  const [game] = await testDb.sql<{ game_id: number }[]>`
    INSERT INTO games (game_name, game_acronym, game_slug, tagline, description)
    VALUES ('Quake', 'Q', 'quake', '{"en":""}', '{"en":""}') RETURNING game_id`;
  const rows = await testDb.sql<{ server_id: number }[]>`
    INSERT INTO gameserver (game_id, server_name, host, game_port, adapter, visibility)
    SELECT ${game?.game_id ?? 0}, 'Arena ' || n, '192.0.2.1', 20000 + n, 'a2s', 'public'
    FROM generate_series(1, ${SERVERS}) n RETURNING server_id`;
  ids = rows.map(({ server_id }) => server_id);
  await testDb.sql`UPDATE gameserver_live_metrics SET status = 'online', user_online = 0, last_asked_at = now()`;
  place = await makePlace();
  await startWebAlone();
  wire = await startWire({ port: place.port });
  openPage = openStreams(`http://127.0.0.1:${wire.port}`);
});

after(async () => {
  site.process.kill("SIGTERM");
  await site.ended;
  await wire.close();
  await testDb.drop();
  await place.remove();
});

/** A browser that is gone when its test ends, however that ends: it would come back for ever. */
function openBrowser(t: TestContext, page: Parameters<typeof openPage>[0]): StreamBrowser {
  const browser = openPage(page);
  t.after(() => browser.leave());
  return browser;
}

const joined = (browser: StreamBrowser) => browser.store.state().state === "joined";

async function change(): Promise<void> {
  const id = ids[Math.floor(Math.random() * ids.length)] ?? 0;
  const online = Math.floor(Math.random() * 1000);
  await testDb.sql`UPDATE gameserver_live_metrics SET user_online = ${online}, last_asked_at = now() WHERE server_id = ${id}`;
}

/** Waits until every browser shows what the database says of all that it shows, totals too, and returns how long that took. */
async function untilTrue(browsers: StreamBrowser[]): Promise<number> {
  const rows = await testDb.sql<{ server_id: number; user_online: number }[]>`
    SELECT server_id, user_online FROM gameserver_live_metrics`;
  const online = new Map(rows.map(({ server_id, user_online }) => [`s${server_id}`, user_online]));
  const sum = rows.reduce((total, { user_online }) => total + user_online, 0);
  const shows = ({ store }: StreamBrowser) =>
    store
      .topics()
      .every((topic) =>
        topic.startsWith("s") && topic !== "site"
          ? store.row(Number(topic.slice(1)))?.user_online === online.get(topic)
          : store.totals(topic === "site" ? undefined : Number(topic.slice(1)))?.players_online === sum,
      );
  return until("every browser shows what the database says", 30_000, () => browsers.every(shows));
}

/** A page that somebody may be at. */
const somePage = () => {
  const id = ids[Math.floor(Math.random() * ids.length)] ?? 0;
  const paths = ["/", "/dashboard", "/games/quake", `/servers/${id}`, `/join/${id}`, "/login"];
  return fetchLivePage(site.url, paths[Math.floor(Math.random() * paths.length)] ?? "/");
};

test("streams cut at random, from page to page: every browser ends with what the database says", async (t) => {
  const pages = await Promise.all(Array.from({ length: BROWSERS }, somePage));
  const browsers = pages.map((page) => openBrowser(t, page));
  await until("all are joined", 20_000, () => browsers.every(joined));
  let [cuts, changes, turns] = [0, 0, 0];
  const end = performance.now() + 12_000;
  while (performance.now() < end) {
    cuts += wire.cutSome(0.02);
    const next = await somePage();
    await change();
    changes += 1;
    // The page that somebody goes to is older than the change already.
    for (let n = 0; n < 4; n += 1) browsers[Math.floor(Math.random() * BROWSERS)]?.goTo(next);
    turns += 4;
    await pause(40);
  }
  const shown = new Set(browsers.map(({ store }) => store.topics().join()));
  assert.ok(shown.size > 5, "they show different things");
  const tookMs = await untilTrue(browsers);
  assert.ok(cuts > BROWSERS / 2, `${cuts} cuts`);
  tell(
    t,
    "streams cut at random",
    `${BROWSERS} browsers, ${cuts} cuts, ${turns} times to another page, ${changes} changes: all ${BROWSERS} equal to the database ${Math.round(tookMs)} ms after the last change`,
  );
});

test("all browsers reconnecting at once are spread", async (t) => {
  const page = await fetchLivePage(site.url, "/dashboard");
  const browsers = Array.from({ length: BROWSERS }, () => openBrowser(t, page));
  const spreads: string[] = [];
  for (const [how, signal, mostAtOnce] of [
    ["killed", "SIGKILL", 0.4],
    ["told to end", "SIGTERM", 0.2],
  ] as const) {
    await until("all are joined", 30_000, () => browsers.every(joined));
    wire.arrivals.length = 0;
    const standstill = monitorEventLoopDelay({ resolution: 10 });
    standstill.enable();
    const ended = once(site.process, "exit");
    site.process.kill(signal);
    await ended;
    await startWebAlone();
    await until("all came back", 40_000, () => browsers.every(joined) && wire.count() >= BROWSERS);
    await change();
    await untilTrue(browsers);
    const perTenth = new Map<number, number>();
    for (const at of wire.arrivals) perTenth.set(Math.floor(at / 100), (perTenth.get(Math.floor(at / 100)) ?? 0) + 1);
    const most = Math.max(...perTenth.values());
    standstill.disable();
    // The browsers live in this process: those whose pause ended while it stood still come together, which is none of their doing.
    const stoodMs = standstill.max / 1e6;
    const allowed = BROWSERS * mostAtOnce * (1 + stoodMs / 100);
    assert.ok(
      most <= allowed,
      `${how}: ${most} of ${BROWSERS} came within 100 ms; this process stood still for ${stoodMs} ms`,
    );
    const spreadMs = percentile(wire.arrivals, 95) - percentile(wire.arrivals, 5);
    spreads.push(`${how}: nine tenths of tries over ${Math.round(spreadMs)} ms, at most ${most} within 100 ms`);
  }
  tell(t, "all browsers reconnecting at once", `${BROWSERS} browsers; ${spreads.join("; ")}`);
});
