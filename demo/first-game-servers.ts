// Game servers of the demo's eight games, from the specification: without an address, and hidden, until the demo runs them.
import type { gameserver } from "#db/schema/gameserver.ts";

/** A game server as the demo inserts it: everything but its address, and the game by slug. */
export type DemoGameServer = Omit<
  typeof gameserver.$inferInsert,
  | "server_id"
  | "game_id"
  | "host"
  | "visibility"
  | "heartbeat_token_hash"
  | "demo"
  | "sort_order"
  | "created_at"
  | "updated_at"
> & { game_slug: string };

// Valheim reports a maximum of 64 in its A2S reply whatever the real limit is, so the record is right.
const valheim = {
  server_locations: ["Germany"],
  adapter: "a2s",
  adapter_options: { trustRecord: true },
  // steam://connect would query the game port, which doesn't answer; the game itself supports +connect. 892970 is its Steam id.
  join_link: "steam://run/892970//+connect%20{host}:{port}",
} satisfies Partial<DemoGameServer>;

const skyrimNode = {
  flavour: "Modded",
  mods: ["Skyrim Together Reborn", "Unofficial Skyrim Special Edition Patch", "SkyUI"],
  user_max: 60,
  server_locations: ["Germany"],
  // There is no query protocol: the game machine sends heartbeats.
  adapter: "heartbeat",
} satisfies Partial<DemoGameServer>;

/** In order of games, and of each game's page. */
export const FIRST_GAME_SERVERS: readonly DemoGameServer[] = [
  {
    game_slug: "aion",
    server_name: "Aion 1.9 Classic",
    flavour: "Classic",
    version: "1.9",
    description: {
      en: "The game as it was at 1.9: slow levels, full groups, the Abyss as the goal.",
      de: "Das Spiel im Stand von 1.9: langsames Leveln, volle Gruppen, der Abyss als Ziel.",
    },
    user_max: 500,
    server_locations: ["Germany"],
    game_port: 7777,
    query_port: 2106,
    adapter: "tcp",
    adapter_options: { expect: "server_first" },
  },
  {
    game_slug: "aion",
    server_name: "Aion 3.9 Fast",
    flavour: "Fast",
    version: "3.9",
    description: {
      en: "The content of 3.9 with raised rates: the highest level in days, not in months.",
      de: "Die Inhalte von 3.9 mit höheren Raten: das höchste Level in Tagen statt in Monaten.",
    },
    user_max: 500,
    server_locations: ["Germany"],
    game_port: 7778,
    query_port: 2107,
    adapter: "tcp",
    adapter_options: { expect: "server_first" },
  },
  {
    game_slug: "valheim",
    ...valheim,
    server_name: "Valheim Vanilla",
    flavour: "Vanilla",
    description: {
      en: "No mods, nothing made easier: the world as it was meant.",
      de: "Keine Mods, nichts erleichtert: die Welt, wie sie gedacht war.",
    },
    user_max: 10,
    game_port: 2456,
    query_port: 2457,
  },
  {
    game_slug: "valheim",
    ...valheim,
    server_name: "Valheim Modded",
    flavour: "Modded",
    description: {
      en: "More to find, more to plant, more room in your bags.",
      de: "Mehr zu finden, mehr zu pflanzen, mehr Platz in den Taschen.",
    },
    mods: ["BepInEx", "Jötunn", "Epic Loot", "PlantEverything"],
    user_max: 20,
    game_port: 2466,
    query_port: 2467,
  },
  {
    game_slug: "minecraft",
    server_name: "Minecraft Anarchy",
    flavour: "Anarchy",
    version: "1.21.4",
    description: {
      en: "No claims, no resets, no rules but those of the game.",
      de: "Kein Schutz, kein Zurücksetzen, keine Regeln außer denen des Spiels.",
    },
    user_max: 100,
    server_locations: ["Germany"],
    game_port: 25567,
    adapter: "minecraft",
  },
  {
    game_slug: "projectzomboid",
    server_name: "Project Zomboid Modded",
    flavour: "Modded",
    version: "41.78.16",
    description: {
      en: "More to drive, more to carry, and a journal that saves what your last life had learnt.",
      de: "Mehr zum Fahren, mehr zum Tragen, und ein Tagebuch, das bewahrt, was dein letztes Leben gelernt hat.",
    },
    mods: ["Common Sense", "Skill Recovery Journal", "Autotsar Trailers"],
    user_max: 32,
    server_locations: ["Germany"],
    game_port: 16261,
    adapter: "a2s",
    // Query and game port are the same, so Steam finds it by the address that players type.
    join_link: "steam://connect/{host}:{port}",
  },
  {
    game_slug: "thefront",
    server_name: "The Front",
    flavour: "PvE",
    description: {
      en: "Players against the waves, not against each other.",
      de: "Spieler gegen die Wellen, nicht gegeneinander.",
    },
    user_max: 40,
    server_locations: ["Germany"],
    game_port: 27015,
    adapter: "a2s",
    adapter_options: { trustRecord: true },
  },
  {
    game_slug: "arksurvivalevolved",
    server_name: "ARK: Survival Evolved",
    flavour: "Survival",
    lifecycle: "retired",
    description: {
      en: "Inactive. The world is kept.",
      de: "Inaktiv. Die Welt ist aufbewahrt.",
    },
    user_max: 70,
    server_locations: ["Germany"],
    game_port: 7777,
    query_port: 27015,
    adapter: "a2s",
    adapter_options: { countFromPlayerList: true },
  },
  {
    game_slug: "skyrimtogheter",
    ...skyrimNode,
    server_name: "Skyrim Together Node 1",
    description: { en: "The first node of our modded world.", de: "Der erste Knoten unserer Welt mit Mods." },
    game_port: 10578,
  },
  {
    game_slug: "skyrimtogheter",
    ...skyrimNode,
    server_name: "Skyrim Together Node 2",
    description: { en: "The second node, with the same mods.", de: "Der zweite Knoten, mit denselben Mods." },
    game_port: 10579,
  },
  {
    game_slug: "tera",
    server_name: "Spawnpoint-Alpha",
    flavour: "Alpha",
    description: {
      en: "An early test: progress may be reset before the opening.",
      de: "Ein früher Test: Vor der Eröffnung kann der Fortschritt zurückgesetzt werden.",
    },
    user_max: 200,
    server_locations: ["Germany"],
    game_port: 7801,
    adapter: "tcp",
    adapter_options: { expect: { prefixHex: "01000000" } },
  },
];
