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
import { askerOfAddress } from "../request/fair-queue.ts";
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

  it("is searched by name, game, place and mode, in either language, without case and accents", async () => {
    const expected: Record<string, string[]> = {
      "/dashboard?q=valheim": ["Valheim Vanilla", "Valheim Modded"],
      "/dashboard?q=VANILLA++valh%C3%89im": ["Valheim Vanilla"],
      "/dashboard?q=modded": ["Valheim Modded"],
      "/dashboard?q=finnland": [],
      "/de/dashboard?q=finnland": ["Valheim Modded"],
      "/de/dashboard?q=finland+val": ["Valheim Modded"],
      "/?q=anarchy": ["Minecraft Anarchy"],
      "/dashboard?q=valheim&players=1": ["Valheim Vanilla"],
      "/dashboard?q=the+front": [],
      "/dashboard?q=atlantis": [],
      "/dashboard?sort=name": ["Aion 1.9 Classic", "Minecraft Anarchy", "Valheim Modded", "Valheim Vanilla"],
    };
    for (const [address, names] of Object.entries(expected))
      assert.deepEqual((await list(address)).names, names, address);
    const nothing = await list("/de/dashboard?q=nirgendwo&players=1");
    assert.match(nothing.text, /So heißt hier kein Gameserver.*href="\/de\/dashboard\?q=nirgendwo"/s);
  });

  it("is answered whatever is searched for, and shows it as text alone", async () => {
    for (const [q, shown] of [
      ["%25", "%"],
      ["%25%27+or+1%3D1--", "%&#x27; or 1=1--"],
      ["%22%3E%3Cscript%3Ealert(1)%3C/script%3E", "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"],
      ["%D7%A9%D7%9C%D7%95%D7%9D%E2%80%AE", "שלום"],
      ["%00%E2%80%8B%F0%9F%A6%96", "🦖"],
      ["a".repeat(10_000), "a".repeat(60)],
    ] as const) {
      const { status, names, text } = await list(`/dashboard?q=${q}`);
      assert.equal(status, 200, q);
      assert.deepEqual(names, [], q);
      assert.ok(text.includes(`name="q" value="${shown}"`), `${q}: ${/<input[^>]*name="q"[^>]*>/.exec(text)?.[0]}`);
    }
    // What has no sign that can be searched for is no search.
    assert.equal((await list("/dashboard?q=%CC%81%20%E2%80%8B")).names.length, 4);
  });

  it("is kept for nobody when it is searched, and takes the place of nothing that is kept", async () => {
    const ask = (path: string) => fetch(`http://127.0.0.1:${web.port}${path}`);
    const kept = await (await ask("/dashboard?game=valheim")).text();
    for (const path of [
      "/dashboard?q=valheim",
      "/dashboard.data?q=valheim",
      "/dashboard?ids=1",
      "/?q=x",
      "/dashboard?keep=1",
    ]) {
      const answer = await ask(path);
      await answer.arrayBuffer();
      assert.equal(answer.headers.get("cache-control"), "no-store", path);
      assert.equal(answer.headers.get("etag"), null, path);
    }
    assert.equal((await list("/dashboard")).names.length, 4, "the whole list stays the whole list");
    assert.equal(rowsOf(kept), 2);
    assert.equal(rowsOf(await (await ask("/dashboard?game=valheim")).text()), 2);
    const data = await (await ask("/dashboard.data?game=valheim")).text();
    assert.ok(data.includes("Valheim Modded") && !data.includes("Aion 1.9 Classic"), "so does its data");
  });

  it("gives by ids what the reader may see, and nothing of what is hidden", async () => {
    const { sql } = database;
    const servers = await sql<
      { server_id: number; server_name: string }[]
    >`select server_id, server_name from gameserver`;
    const idOf = (name: string) => servers.find(({ server_name }) => server_name === name)?.server_id;
    const [hidden, one, other] = [idOf("The Front"), idOf("Aion 1.9 Classic"), idOf("Valheim Vanilla")];
    const none = 999_999_999;
    const asked = (query: string) => list(`/dashboard?favourites=1&${query}`);
    assert.deepEqual((await asked(`ids=${hidden},${one},${none},${other}`)).names, [
      "Valheim Vanilla",
      "Aion 1.9 Classic",
    ]);
    assert.deepEqual((await asked(`ids=${one},${other}&game=aion`)).names, ["Aion 1.9 Classic"]);
    const [secret, never] = await Promise.all([asked(`ids=${hidden}`), asked(`ids=${none}`)]);
    assert.deepEqual([secret.names, never.names], [[], []]);
    assert.ok(!secret.text.includes(`/servers/${hidden}`));
    // Rows that are in front of somebody stay in their order, without those that are gone; what is new comes after them.
    assert.deepEqual((await list(`/dashboard?keep=${one},${hidden},${other}`)).names, [
      "Aion 1.9 Classic",
      "Valheim Vanilla",
      "Minecraft Anarchy",
      "Valheim Modded",
    ]);
    for (const junk of ["ids=", "ids=1%20or%201", "ids=-1", "ids=1,,2", `ids=${"9".repeat(30)}`])
      assert.equal((await asked(junk)).names.length, 4, junk);
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

const rowsOf = (text: string) => text.match(/<th scope="row"/g)?.length ?? 0;

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
  assert.equal(
    filteredAddress("/dashboard.data?_routes=x&sort=name&game=aion", some, map),
    "/dashboard.data?game=aion&sort=name",
  );
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
        askerOf: ({ headers }) => askerOfAddress(String(headers["x-asker"])),
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
      const deadline = Date.now() + 120_000;
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
