import assert from "node:assert/strict";
import { test } from "node:test";
import { CATALOGUE } from "#content/catalogue/catalogue.ts";
import type { Finding } from "#shared/diagnosis.ts";
import { askedBy, type SiteGame, suggestGame, suggestName } from "./address-suggestion.ts";

const found = (more: Partial<Finding>): Finding => ({
  adapter: "a2s",
  adapter_options: {},
  host: "h",
  game_port: 27_015,
  query_port: null,
  game: null,
  steam_app_id: null,
  name: null,
  map: null,
  version: null,
  players: 3,
  max_players: 10,
  latency_ms: 5,
  elsewhere: false,
  ...more,
});
const own = (game_id: number, game_name: string, more: Partial<SiteGame> = {}): SiteGame => ({
  game_id,
  game_name,
  game_acronym: game_name.slice(0, 3).toUpperCase(),
  catalogue_id: null,
  join_link: null,
  asked: null,
  ...more,
});
const line = (more: { port?: number | null; typed_name?: string | null } = {}) => ({
  host: "h",
  port: 27_015,
  typed_name: null,
  ...more,
});
const suggest = (at: Parameters<typeof suggestGame>[0], finding: Finding | null, site: SiteGame[] = []) =>
  suggestGame(at, finding, { site, catalogue: CATALOGUE });

test("a game is known by its app id, whatever its mode calls itself", () => {
  assert.equal(suggest(line(), found({ game: "DarkRP", steam_app_id: 4000 })), "catalogue:garrysmod");
  assert.equal(suggest(line(), found({ game: "Rust", steam_app_id: 252_490 })), "catalogue:rust");
});

test("by the type that it was asked as, by its name, its acronym and its aliases; the site's own entry comes first", () => {
  assert.equal(
    suggest(line(), found({ adapter: "gamedig", adapter_options: { gamedigType: "openttd" } })),
    "catalogue:openttd",
  );
  assert.equal(suggest(line(), found({ adapter: "minecraft", game: "Minecraft" })), "catalogue:minecraft");
  assert.equal(suggest(line(), found({ game: "valheim" })), "catalogue:valheim");
  assert.equal(suggest(line(), found({ game: "Home Made" }), [own(7, "home-made")]), "7");
  assert.equal(suggest(line(), found({ steam_app_id: 252_490 }), [own(8, "RUST!")]), "8");
  assert.equal(suggest(line(), found({ game: "Nobody knows it" }), [own(7, "Home Made")]), "");
});

test("one that keeps silent is guessed by its name, then by its usual port; what tells another game is believed", () => {
  assert.equal(suggest(line({ typed_name: "Our Valheim 2", port: 9000 }), null), "catalogue:valheim");
  assert.equal(suggest(line({ typed_name: "Trust us", port: 9000 }), null), "", "Rust is no word of it");
  assert.equal(
    suggest(line({ port: 2456 }), null, [own(3, "Valheim", { catalogue_id: "valheim" })]),
    "catalogue:valheim",
  );
  assert.equal(suggest(line({ port: 27_015 }), null), "", "the port of many games");
  assert.equal(suggest(line({ port: 2456 }), found({ game: "Nobody knows it" })), "");
});

test("of games that answer alike, the one that the site has is meant, unless the answer or the line says another", () => {
  const fivem = own(4, "FiveM", { catalogue_id: "fivem" });
  const redm = own(5, "RedM", { catalogue_id: "redm" });
  const told = found({ adapter: "fivem" });
  assert.equal(suggest(line(), told), "");
  assert.equal(suggest(line(), told, [fivem]), "catalogue:fivem");
  assert.equal(suggest(line(), told, [fivem, redm]), "");
  assert.equal(suggest(line({ typed_name: "Our RedM" }), told, [fivem]), "catalogue:redm");
  assert.equal(suggest(line(), found({ adapter: "fivem", game: "RedM" }), [fivem]), "catalogue:redm");
  const garrysmod = own(6, "Garry's Mod", { catalogue_id: "garrysmod" });
  assert.equal(suggest(line(), found({}), [garrysmod]), "", "a Steam game of a hundred");
});

test("a name is the admin's, else its own, else its game's", () => {
  assert.equal(suggestName(line({ typed_name: "Ours" }), found({ name: "Theirs" }), "Valheim"), "Ours");
  assert.equal(suggestName(line(), found({ name: "Theirs" }), "Valheim"), "Theirs");
  assert.equal(suggestName(line(), null, "Valheim"), "Valheim");
  assert.equal(suggestName(line(), null, null), "");
});

test("a silent one is asked as its game is: beside its port, at its usual one, or not at all", () => {
  const valheim = CATALOGUE.find(({ id }) => id === "valheim") ?? null;
  const skyrim = CATALOGUE.find(({ id }) => id === "skyrimtogheter") ?? null;
  const minecraft = CATALOGUE.find(({ id }) => id === "minecraft") ?? null;
  const at = (port: number | null, ...games: [SiteGame | null, typeof valheim]) => {
    const { adapter, game_port, query_port } = askedBy({ port }, ...games);
    return [adapter, game_port, query_port];
  };
  assert.deepEqual(at(2500, null, valheim), ["a2s", 2500, 2501]);
  assert.deepEqual(at(null, null, valheim), ["a2s", 2456, 2457]);
  assert.deepEqual(at(65_535, null, valheim), ["a2s", 65_535, null]);
  assert.deepEqual(at(null, null, minecraft), ["minecraft", null, null], "the DNS tells its port");
  assert.deepEqual(at(10_600, null, skyrim), ["heartbeat", 10_600, null]);
  assert.deepEqual(at(4000, null, null), ["a2s", 4000, null]);
  const others = { adapter: "tcp", adapter_options: { expect: "connect" }, game_port: 3000, query_port: 3002 } as const;
  assert.deepEqual(at(4000, own(1, "Home Made", { asked: others }), null), ["tcp", 4000, 4002]);
});
