/** That looking among few routes finds what looking among all finds, for every address of the built site and ways to spell it. */
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { matchRoutes, type RouteObject, type ServerBuild } from "react-router";
import { cutTo, firstWordAsked } from "./near-routes.ts";

const file = path.join(import.meta.dirname, "../../build/server/index.js");
const build: ServerBuild = await import(pathToFileURL(file).href);

function treeOf(routes: ServerBuild["routes"], parent = ""): RouteObject[] {
  return Object.values(routes).flatMap((route): RouteObject[] => {
    if (!route || (route.parentId ?? "") !== parent) return [];
    const { id, path } = route;
    return [route.index ? { id, path, index: true } : { id, path, children: treeOf(routes, id) }];
  });
}

/** What React Router takes for the path of an address, its data included (`getNormalizedPath`). */
const pathOf = (address: string) => address.replace(/\/_\.data$/, "/").replace(/\.data$/, "");

const all = treeOf(build.routes);
const idsAt = (tree: RouteObject[], address: string) =>
  (matchRoutes(tree, pathOf(address)) ?? []).map(({ route, params }) => [route.id, { ...params }]);

const cuts = new Map<string, RouteObject[]>();
function near(word: string): RouteObject[] {
  const cut = cuts.get(word) ?? treeOf(cutTo(build, word).routes);
  cuts.set(word, cut);
  return cut;
}

/** An address for every route of the map, as people, programs and attackers may spell it. */
function spellings(): string[] {
  const whole = (id: string | undefined): string =>
    id === undefined ? "" : `${whole(build.routes[id]?.parentId)}/${build.routes[id]?.path ?? ""}`;
  const plain = Object.keys(build.routes).map(
    (id) =>
      `/${whole(id)
        .split("/")
        .filter((part) => part !== "" && part !== "de?")
        .map((part) => (part === "*" ? "no/thing" : part.startsWith(":") ? "a-1" : part))
        .join("/")}`,
  );
  const odd = [
    "/de",
    "/DE",
    "/DE/dashboard",
    "/dede",
    "/de/de/dashboard",
    "/%64ashboard",
    "/d%65/dashboard",
    "/Dashboard",
  ];
  const none = [
    "//",
    "//dashboard",
    "/de//dashboard",
    "/constructor",
    "/__proto__",
    "/games//a-1",
    "/a/b/c",
    "/.data",
    "/_.data",
  ];
  const paths = [...new Set([...plain, ...odd, ...none])];
  return paths.flatMap((one) => {
    const german = one === "/" ? "/de" : `/de${one}`;
    return [one, german].flatMap((each) => [
      each,
      `${each}/`,
      `${each}.data`,
      `${each}/_.data`,
      each.toUpperCase(),
      `${each}/x`,
    ]);
  });
}

test("an address is answered by the same routes, with the same parameters, among few as among all", () => {
  let few = 0;
  for (const address of spellings()) {
    const word = firstWordAsked(address);
    if (word === null) continue;
    few += 1;
    assert.deepEqual(idsAt(near(word), address), idsAt(all, address), address);
  }
  assert.ok(few > 800, `${few} addresses`);
});

test("most addresses are looked for among few, and what can be read in two ways among all", () => {
  const size = (word: string) => Object.keys(cutTo(build, word).routes).length;
  for (const word of ["", "dashboard", "servers", "contact"]) assert.ok(size(word) < 12, `${word}: ${size(word)}`);
  for (const address of ["//dashboard", "/%64ashboard", "/DE/dashboard"])
    assert.equal(firstWordAsked(address), null, address);
});
