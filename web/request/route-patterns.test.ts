import assert from "node:assert/strict";
import { test } from "node:test";
import { createRoutePatterns, NO_PATTERN } from "./route-patterns.ts";

const patternOf = createRoutePatterns([
  "/",
  "/games/:slug",
  "/servers/:serverId",
  "/servers/:serverId/history",
  "/admin/*",
  "/admin/games/create",
  "/admin/games/:gameId/edit",
  "/api/v1/heartbeat",
]);

test("what a stranger makes up never becomes a name of its own", () => {
  for (const path of [
    "/wp-login.php",
    "/games",
    "/games/a/b",
    "/%00",
    "/api/v1/heartbeat/x",
    "/de/x",
    "//",
    "/de//",
    "",
    "x",
  ]) {
    assert.equal(patternOf(path), path === "" ? "/" : NO_PATTERN, path);
  }
});

test("an address is known by its pattern, in both languages, as page and as data, with and without a slash", () => {
  for (const path of ["/", "/de", "/de/", "/_.data", "/de.data", "/de/_.data"])
    assert.equal(patternOf(path), "/", path);
  for (const path of [
    "/games/valheim",
    "/games/valheim/",
    "/games/x/_.data",
    "/de/games/valheim",
    "/de/games/x.data",
  ]) {
    assert.equal(patternOf(path), "/games/:slug", path);
  }
  assert.equal(patternOf("/servers/7/history"), "/servers/:serverId/history");
});

test("the nearer pattern wins", () => {
  assert.equal(patternOf("/admin/games/create"), "/admin/games/create");
  assert.equal(patternOf("/admin/games/7/edit"), "/admin/games/:gameId/edit");
  assert.equal(patternOf("/admin/anything/else"), "/admin/*");
});
