/** The allow-list is what the rule makes of the installed gamedig, and holds nobody who calls third parties. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { deriveGameTypes } from "../scripts/game-types-make.ts";
import { ADAPTERS } from "./game-query/adapters.ts";
import { findGameType, listGameTypes } from "./game-types.ts";

test("refused: types that ask third parties, by HTTP, on ports of their own, or with credentials", () => {
  const thirdParties = ["asa", "squad", "tie", "renown", "minetest", "factorio", "beammp", "brokeprotocol", "discord"];
  const masters = ["hawakening", "vintagestory", "renegade10", "ssl", "gta5r", "gta5am", "geneshift"];
  const http = ["eco", "terrariatshock", "palworld", "hytale", "satisfactory", "assettocorsa", "gta5f", "kspd"];
  const others = ["teamspeak2", "teamspeak3", "trackmania2", "farmingsimulator25", "minecraft", "protocol-valve", ""];
  for (const type of [...thirdParties, ...masters, ...http, ...others]) assert.equal(findGameType(type), null, type);
});

test("the list is the rule's, and each game has a name and the adapter that asks it best", () => {
  assert.deepEqual(listGameTypes(), deriveGameTypes());
  assert.ok(listGameTypes().length > 300);
  assert.equal(new Set(listGameTypes().map((row) => row.type)).size, listGameTypes().length);
  assert.ok(listGameTypes().every((row) => row.name.trim() !== ""));
  assert.deepEqual(findGameType("valheim"), {
    type: "valheim",
    name: "Valheim",
    protocol: "valve",
    port: 2456,
    query_port: 2457,
    asked: "a2s",
  });
  assert.equal(findGameType("mumble")?.asked, "gamedig");
  assert.equal(findGameType("protocol-minecraftvanilla")?.asked, "minecraft");
});

test("the doctor also tries where games are queried that are joined at the typed port", () => {
  const portsFor = (port: number) => ADAPTERS.a2s.tries(port, null).map((one) => one.port);
  assert.ok(portsFor(27_102).includes(27_131), "Insurgency: Sandstorm");
  assert.ok(portsFor(17_777).includes(27_015), "ICARUS");
  assert.ok(portsFor(7777).includes(27_015), "Abiotic Factor");
});
