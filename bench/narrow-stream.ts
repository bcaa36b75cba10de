/**
 * N7: 5,000 game servers that all change every 30 s, evenly spread: bytes a second that a browser's stream takes at home, at a list
 * of 50 and at a game server's page, and the bytes that it begins with where nothing of its page can be gone on from.
 */
import { get, type IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { addManyGameServers } from "#tests/helpers/many-game-servers.ts";
import { median, spreadOf } from "./instruments/pairs.ts";
import type { Row } from "./instruments/row.ts";
import { streamOfPage } from "./instruments/shown-topics.ts";
import { startSite } from "./instruments/site-process.ts";

const SERVERS = 5_000;
const ROUND_S = 30;
/** Whole ones, so that a stream's pulse, every 30 s too, counts as often in each run. */
const ROUNDS = 1;
/** What a process does once at its start is no part of it. */
const START_MS = 10_000;
/** The collector writes every 50 ms what has been answered. */
const WRITES_IN_ROUND = 600;
/** Of each page. */
const BROWSERS = 10;
/** Behind the last write: totals are told once a second. */
const SETTLED_MS = 2_000;

/** @returns a row for each page's bytes a second, and one for each page's first word */
export async function measure(): Promise<Row[]> {
  const database = await createTestDatabase();
  await addManyGameServers(database, { servers: SERVERS });
  await database.sql`update gameserver_live_metrics set status = 'online', user_online = server_id % 60`;
  const site = await startSite({ database });
  const browsers: Browser[] = [];
  try {
    const list = await streamOfPage(site.url, "/dashboard");
    const pages = [
      { what: "home", streams: [await streamOfPage(site.url, "/")] },
      { what: `a list of ${list.servers.length}`, streams: [list] },
      {
        what: "a game server's page",
        streams: await Promise.all(
          list.servers.slice(0, BROWSERS).map((id) => streamOfPage(site.url, `/servers/${id}`)),
        ),
      },
    ];
    for (const { what, streams } of pages) {
      for (let n = 0; n < BROWSERS; n += 1) {
        const stream = streams[n % streams.length];
        if (stream) browsers.push(await openBrowser(what, site.url, stream));
      }
    }
    await pause(START_MS);
    for (const browser of browsers) browser.begin();
    const began = performance.now();
    await changeAll(database);
    await pause(SETTLED_MS);
    const seconds = (performance.now() - began) / 1000;
    if (seconds > ROUNDS * ROUND_S * 1.2)
      throw new Error(`${ROUNDS} rounds took ${seconds.toFixed(0)} s: too slow to count`);
    const measured = browsers.map((browser) => ({ what: browser.what, ...browser.end() }));
    const of = (page: string) => measured.filter(({ what }) => what === page);
    return [
      ...pages.map(({ what }) => {
        const rates = of(what).map(({ bytes }) => bytes / seconds / 1000);
        return {
          claim: "N7",
          what: `${what} with ${SERVERS} game servers, all changing every ${ROUND_S} s: KB a second to a browser`,
          ours: `${median(of(what).map(({ events }) => events / seconds)).toFixed(2)} events/s, ${Math.max(...of(what).map(({ again }) => again))} times as a whole`,
          value: median(rates),
          unit: " KB/s",
          spread: spreadOf(rates),
          floor: 1,
          goal: 0.2,
          better: "less" as const,
        };
      }),
      ...pages.map(({ what }) => {
        const words = of(what).map(({ first }) => first);
        return {
          claim: "N7",
          what: `${what}: what its stream begins with`,
          ours: `${median(words)} bytes`,
          value: median(words) / 1000,
          unit: " KB",
          floor: 60,
          goal: 20,
          better: "less" as const,
        };
      }),
    ];
  } finally {
    for (const browser of browsers) browser.close();
    await site.stop();
    await database.drop();
  }
}

/** Every game server once in a round, a few at a time; each has one to three players more or less. */
async function changeAll({ sql }: TestDatabase): Promise<void> {
  const began = performance.now();
  for (let write = 0; write < ROUNDS * WRITES_IN_ROUND; write += 1) {
    await sql`
      update gameserver_live_metrics set last_asked_at = now(), last_answered_at = now(), latency_ms = 20 + floor(random() * 40),
        user_online = case when user_online < 4 then user_online + 1 + floor(random() * 3)
          when user_online > 56 or random() < 0.5 then user_online - 1 - floor(random() * 3)
          else user_online + 1 + floor(random() * 3) end
      where server_id % ${WRITES_IN_ROUND} = ${write % WRITES_IN_ROUND}`;
    await pause(Math.max(0, began + ((write + 1) * ROUND_S * 1000) / WRITES_IN_ROUND - performance.now()));
  }
}

/** `again`: how often it got the whole state anew, which a change of the catalog does. */
type Told = { bytes: number; events: number; first: number; again: number };
type Browser = { what: string; begin(): void; end(): Told; close(): void };

/** Opens a stream and settles when its first word is there. */
async function openBrowser(what: string, site: string, { path, servers }: { path: string; servers: number[] }) {
  const request = get(`${site}${path}`, { agent: false });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.on("response", resolve).on("error", reject);
  });
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`);
  let text = "";
  let first = 0;
  let begun = false;
  let before = 0;
  let [events, rows, totals, again] = [0, 0, 0, 0];
  let failed: Error | null = null;
  const opened = Promise.withResolvers<void>();
  response.setEncoding("utf8").on("data", (part: string) => {
    const parts = (text + part).split("\n\n");
    text = parts.pop() ?? "";
    for (const event of parts) {
      const snapshot = event.startsWith("event: snapshot\n");
      if (!begun) first += Buffer.byteLength(event) + 2;
      if (snapshot && begun) again += 1;
      if (snapshot && !begun) {
        begun = true;
        opened.resolve();
      }
      if (!event.startsWith("event: delta\n")) continue;
      const data = JSON.parse(event.slice(event.indexOf("data: ") + 6)) as { rows?: unknown[]; totals?: object };
      events += 1;
      rows += data.rows?.length ?? 0;
      totals += data.totals ? 1 : 0;
    }
  });
  response.on("close", () => {
    failed ??= new Error(`${what}: the stream ended`);
  });
  await opened.promise;
  return {
    what,
    begin() {
      before = response.socket.bytesRead;
      [events, rows, totals, again] = [0, 0, 0, 0];
    },
    /** Throws where it was not told each change of what it shows; a state as a whole may have had one of each in it. */
    end(): Told {
      if (failed) throw failed;
      const all = servers.length * ROUNDS;
      if (rows > all || rows < all - again * servers.length) throw new Error(`${what}: ${rows} of ${all} changes came`);
      if (path.includes("site") && totals === 0) throw new Error(`${what}: no totals came`);
      return { bytes: response.socket.bytesRead - before, events, first, again };
    },
    close: () => void request.destroy(),
  };
}
