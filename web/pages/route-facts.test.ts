/** The map of a few routes: what layouts say for those below them, and which paths are which page. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { footerLinks, isForAll, listedPages, type RouteFacts, readRouteMap } from "./route-facts.ts";
import type { SiteSnapshot } from "./site-snapshot.ts";

const page = (handle?: RouteFacts) => ({ default: () => null, handle });
const map = readRouteMap({
  root: { path: "", module: page() },
  frame: { parentId: "root", module: page() },
  home: { parentId: "frame", path: "de?", index: true, module: page() },
  game: {
    parentId: "frame",
    path: "de?/games/:slug",
    module: page({ turn: "site", sitemap: ({ games }) => games.map(({ game_slug: slug }) => ({ params: { slug } })) }),
  },
  maps: { parentId: "game", path: "maps", module: page() },
  moved: { parentId: "frame", path: "de?/games/moved", module: {} },
  order: { parentId: "frame", path: "de?/games/order", module: page({ kept: false }) },
  text: {
    parentId: "frame",
    path: "de?/terms",
    module: page({ footer: () => "The terms", sitemap: () => [{ changed: "2024-01-18" }] }),
  },
  staff: { parentId: "frame", module: page({ kept: false, robots: false }) },
  desk: { parentId: "staff", path: "de?/staff/desk", module: page({ maxBody: 9 }) },
  board: { parentId: "staff", path: "de?/staff/board", module: page({ kept: true }) },
  rest: { parentId: "frame", path: "de?/*", module: page() },
});
const site = { games: [{ game_slug: "aion" }], gameServers: [] } as unknown as SiteSnapshot;

test("an address has what its layouts say and what it says itself; what answers every other address is none", () => {
  assert.deepEqual(
    map.addresses.map(({ pattern }) => pattern),
    ["/", "/games/:slug", "/games/:slug/maps", "/games/moved", "/games/order", "/terms", "/staff/desk", "/staff/board"],
  );
  assert.deepEqual(map.find("/de/staff/desk/_.data")?.facts, { kept: false, robots: false, maxBody: 9 });
  assert.equal(map.find("/staff"), undefined);
});

test("pages are kept as they are spelt in links, in both languages and as data", () => {
  for (const path of ["/", "/de", "/de/", "/_.data", "/de.data", "/games/aion", "/de/games/aion.data", "/staff/board"])
    assert.ok(map.isKept(path), path);
  for (const path of [
    "//",
    "/de//",
    "/nothing",
    "/games",
    "/games/..",
    "/games/a.b",
    "/games/%61ion",
    `/games/${"x".repeat(81)}`,
    "/games/aion/maps/x",
    "/GAMES/aion",
    "/dedede",
    "/staff/desk",
  ])
    assert.ok(!map.isKept(path), path);
});

test("what is not kept is not kept as one of its neighbours with a parameter either", () => {
  for (const path of ["/games/order", "/de/games/order.data", "/games/order/", "/games/moved"])
    assert.ok(!map.isKept(path), path);
  assert.ok(map.isKept("/games/order-2"));
});

test("listed is each page without parameters, and of the others what they say there is", () => {
  const listed = map.addresses.flatMap((address) => listedPages(address, site));
  assert.deepEqual(
    listed.map(({ path, changed }) => [path, changed]),
    [
      ["/", undefined],
      ["/games/aion", undefined],
      ["/games/aion/maps", undefined],
      ["/games/order", undefined],
      ["/terms", "2024-01-18"],
    ],
  );
});

test("the footer leads to the pages that say what their link there is called", () => {
  assert.deepEqual(footerLinks(map), [{ to: "/terms", text: "The terms" }]);
});

test("in the site's own turn are pages that all need, and of those with a parameter the ones that there are", () => {
  for (const path of ["/", "/de/terms.data", "/games/aion", "/de/games/aion.data"])
    assert.ok(isForAll(map, path, site), path);
  for (const path of ["/games/nowhere", "/games/moved", "/staff/desk", "/nothing"])
    assert.ok(!isForAll(map, path, site), path);
});
