/** Filtered lists through the front door: what is asked for is known, or it is nothing. */
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { readConfig } from "#config";
import { seedDemoContent } from "#demo/demo-content.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { NoPlaceError } from "../request/places.ts";
import { createShares } from "../request/shares.ts";
import { startWeb, type Web } from "../server.ts";
import { createFilteredPages, filteredAddress } from "./filtered-pages.ts";
import type { ResponseCache } from "./response-cache.ts";
import { readRouteMap } from "./route-facts.ts";
import type { SiteReader, SiteSnapshot } from "./site-snapshot.ts";

const log = pino({ level: "silent" });

describe("a filtered list", () => {
  let database: TestDatabase;
  let web: Web;

  before(async () => {
    database = await createTestDatabase();
    const { sql } = database;
    await seedDemoContent(database.db);
    await sql`update gameserver set visibility = 'hidden'`;
    await sql`update gameserver set visibility = 'public', host = 'play.example.org'
      where server_name in ('Valheim Vanilla', 'Valheim Modded', 'Minecraft Anarchy', 'Aion 1.9 Classic')`;
    await sql`update gameserver set server_locations = '{Finland}' where server_name = 'Valheim Modded'`;
    await sql`update gameserver set server_locations = '{Atlantis}' where server_name = 'The Front'`;
    await sql`update gameserver_live_metrics set status = 'online', user_online = 3, last_asked_at = now() + interval '1 hour'
      where server_id in (select server_id from gameserver where server_name in ('Valheim Vanilla', 'The Front'))`;
    await sql`update gameserver_live_metrics set status = 'online', user_online = 8, last_asked_at = now() + interval '1 hour'
      where server_id = (select server_id from gameserver where server_name = 'Minecraft Anarchy')`;
    web = await startWeb(readConfig({ PORT: "0", DATABASE_URL: database.url, LOG_LEVEL: "silent" }), { log });
  });

  after(async () => {
    await web.stop();
    await database.drop();
  });

  /** A page and the names of its rows, in their order. */
  async function list(address: string) {
    const response = await fetch(`http://127.0.0.1:${web.port}${address}`, { redirect: "manual" });
    const text = await response.text();
    const names = [...text.matchAll(/<th scope="row"[^>]* aria-label="([^",]+),/g)].map(([, name]) => name);
    return {
      status: response.status,
      etag: response.headers.get("etag"),
      vary: response.headers.get("vary"),
      text,
      names,
    };
  }

  it("of what is unknown or hostile is empty, says so, offers to clear it, and repeats nothing", async () => {
    for (const query of [
      "game=rust",
      "game=%3Cscript%3Ealert(1)%3C/script%3E",
      "game=valheim%00",
      "game=__proto__",
      "kind=%22onload=%22alert(1)",
      `region=${"x".repeat(3_000)}`,
      "region=%F0%9F%A6%96%ED%A0%80",
      "game=valheim'%20or%201=1--",
    ]) {
      const { status, names, text } = await list(`/dashboard?${query}`);
      assert.equal(status, 200, query);
      assert.deepEqual(names, [], query);
      assert.ok(text.includes("No game server matches"), query);
      assert.ok(/<a[^>]* href="\/dashboard"[^>]*>Clear filters</.test(text), query);
      assert.ok(!/alert\(1\)|xxxx|=rust|or 1=1|🦖/.test(text), query);
    }
  });

  it("is one page for everything unknown, however it is asked for", async () => {
    const addresses = Array.from({ length: 40 }, (_, n) => `/dashboard?game=no-${n}&utm=${n}&x[]=${n}&page=${n + 9e5}`);
    const etags = new Set((await Promise.all(addresses.map(list))).map(({ etag }) => etag));
    assert.equal(etags.size, 1);
  });

  it("looks the same for a hidden game or region as for one that never was", async () => {
    for (const [hidden, never] of [
      ["game=thefront", "game=nowhere"],
      ["region=Atlantis", "region=Utopia"],
    ] as const) {
      const [one, other] = await Promise.all([list(`/dashboard?${hidden}`), list(`/dashboard?${never}`)]);
      assert.equal(one.etag, other.etag, hidden);
    }
    assert.ok(!/Atlantis|value="thefront"/.test((await list("/dashboard")).text));
  });

  it("is the whole list where nothing known is asked for", async () => {
    assert.equal((await list("/dashboard")).names.length, 4);
    for (const query of [
      "",
      "utm_source=x",
      "game=&kind=&region=",
      "players=yes",
      "players=0",
      "page=2",
      "page=-1",
      "page=1e9",
      "favourites=1",
    ]) {
      // The page may be made anew in between.
      const [before, asked, after] = [
        await list("/dashboard"),
        await list(`/dashboard?${query}`),
        await list("/dashboard"),
      ];
      assert.ok([before.etag, after.etag].includes(asked.etag), query);
    }
  });

  it("holds those that pass, most players first and those that nobody counts last", async () => {
    const expected = {
      "": ["Minecraft Anarchy", "Valheim Vanilla", "Aion 1.9 Classic", "Valheim Modded"],
      "?game=valheim": ["Valheim Vanilla", "Valheim Modded"],
      "?players=1": ["Minecraft Anarchy", "Valheim Vanilla"],
      "?kind=modded": ["Valheim Modded"],
      "?kind=vanilla&players=1&region=Germany": ["Minecraft Anarchy", "Valheim Vanilla"],
      "?region=Finland": ["Valheim Modded"],
      "?region=Finland&players=1": [],
    };
    for (const path of ["/", "/dashboard", "/de", "/de/dashboard"])
      for (const [query, names] of Object.entries(expected))
        assert.deepEqual((await list(path + query)).names, names, path + query);
  });

  it("keeps what was chosen in its form, and speaks the language of its address", async () => {
    const { text } = await list("/de/dashboard?region=Finland&players=1");
    for (const part of [
      /<option value="Finland" selected="">/,
      /<input type="checkbox"[^>]* name="players"[^>]* checked=""/,
      /Kein Gameserver passt/,
      /<form[^>]* method="get"/,
    ])
      assert.ok(part.test(text), String(part));
  });

  it("says at home what the answer depends on, as home does", async () => {
    const { vary } = await list("/?game=valheim");
    assert.equal(vary, (await list("/")).vary);
    assert.match(vary ?? "", /Accept-Language/);
  });
});

const list = (paged: boolean) => ({ default: () => null, handle: { filtered: { paged } } });
const map = readRouteMap({
  home: { path: "de?", index: true, module: list(false) },
  dashboard: { path: "de?/dashboard", module: list(true) },
  game: { path: "de?/games/:slug", module: { default: () => null } },
});
const site = (servers: { game_slug: string; server_locations: string[] }[]): SiteReader => ({
  read: () => ({ gameServers: servers }) as SiteSnapshot,
});

test("only lists have filters, and each has one address", () => {
  const some = site(Array.from({ length: 120 }, () => ({ game_slug: "aion", server_locations: ["Germany"] })));
  for (const url of [
    "/games/aion?game=aion",
    "/dashboard",
    "/?utm=1",
    "//?game=aion",
    "/de/x?game=aion",
    "/dashboard?q=harbour&game=aion",
    "/dashboard.data?ids=4,17",
    "/dashboard?keep=4",
  ])
    assert.equal(filteredAddress(url, some, map), null, url);
  for (const url of [
    "/dashboard?players=1&game=aion&page=3",
    "/dashboard?page=3&game=aion&game=tera&players=1&favourites=1&a=b",
  ])
    assert.equal(filteredAddress(url, some, map), "/dashboard?game=aion&players=1&page=3");
  assert.equal(filteredAddress("/dashboard.data?_routes=x&sort=name&game=aion", some, map), "/dashboard.data?game=aion&sort=name");
  assert.equal(filteredAddress("/dashboard?page=4&game=x", some, map), "/dashboard?game=-");
  assert.equal(filteredAddress("/de/?game=aion&page=2", some, map), "/de/?game=aion");
});

describe("many filtered lists at once", () => {
  let server: Server;
  let pages: ResponseCache;
  let most = 0;
  /** For whom lists were made, in their order. */
  const madeFor: string[] = [];
  /** Until then each that is made stays under way. */
  const gate = Promise.withResolvers<void>();

  before(async () => {
    let rendering = 0;
    const games = Array.from({ length: 80 }, (_, n) => ({ game_slug: `game-${n}`, server_locations: [] }));
    pages = createFilteredPages(
      {
        render: async (_request, { headers }) => {
          most = Math.max(most, ++rendering);
          madeFor.push(String(headers["x-asker"]));
          await gate.promise;
          rendering -= 1;
          return new Response("a list");
        },
        siteUrl: "http://localhost",
        headers: {},
        onError: (_request, response, error) =>
          response.writeHead(error instanceof NoPlaceError ? 503 : 500, { "Retry-After": "2" }).end(),
        log,
      },
      site(games),
      {
        map,
        places: createShares().lists,
        askerOf: ({ headers }) => ({ group: "visitors", key: String(headers["x-asker"]) }),
      },
    );
    server = createServer((request, response) => {
      if (!pages.serve(request, response)) response.writeHead(418).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  after(() => server.close());

  it("are made one at a time; beyond fifty who ask are told to come back, and then get theirs", async () => {
    const refused: number[] = [];
    const ask = async (n: number, asker = "many") => {
      const { status } = await fetch(
        `http://127.0.0.1:${(server.address() as AddressInfo).port}/dashboard?game=game-${n}`,
        { headers: { "X-Asker": asker } },
      );
      if (status === 503) refused.push(n);
      return status;
    };
    const untilRefused = async (count: number) => {
      const deadline = Date.now() + 8_000;
      while (refused.length < count) {
        assert.ok(Date.now() < deadline, `${refused.length} were told to come back, not ${count}`);
        await pause(5);
      }
    };
    const many = Array.from({ length: 79 }, (_, n) => ask(n));
    // One is being made, fifty wait.
    await untilRefused(28);
    const other = ask(79, "other");
    await untilRefused(29);
    gate.resolve();
    assert.equal(await other, 200, "who asks once is not refused for those who ask often");
    const statuses = await Promise.all(many);
    assert.equal(most, 1);
    assert.equal(statuses.filter((status) => status === 200).length, 50);
    assert.equal(refused.length, 29);
    const before = madeFor.indexOf("other");
    assert.ok(before >= 0 && before <= 2, `and does not wait behind them: ${before} were before`);
    for (const n of [...refused]) assert.equal(await ask(n), 200);
  });
});
