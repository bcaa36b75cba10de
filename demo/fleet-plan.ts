// Describes the demo's fleet: how each mock game server behaves, and the ones that only the demo has.
import type { GameServerLink } from "#db/schema/index.ts";
import { type AdapterId, isAsked } from "#shared/adapters.ts";
import type { DemoGameServer } from "./first-game-servers.ts";

export type Says = {
  /** With § codes, as its operator would write it. */
  words: string;
  icon: "hills" | "island";
  mods?: readonly string[];
};

export type Behaviour = {
  /** Share of the maximum on an ordinary evening, 0 to 1. */
  busy: number;
  /** Reported version, if the record has none. */
  version?: string;
  map?: string;
  /** Goes down for two minutes every twelve. */
  fails?: boolean;
  /** Its description. */
  says?: Says;
  /** Reports player names. */
  named?: boolean;
  /** Sends its players by heartbeat, since its protocol lacks them. */
  heartbeat?: boolean;
};

/** By name; a renamed game server behaves as an ordinary one. */
const BEHAVIOURS: Record<string, Behaviour> = {
  "Aion 1.9 Classic": { busy: 0.42, heartbeat: true },
  "Aion 3.9 Fast": { busy: 0.31, heartbeat: true },
  "Valheim Vanilla": { busy: 0.65, version: "0.221.4" },
  "Valheim Modded": { busy: 0.55, version: "0.221.4", fails: true },
  "Minecraft Anarchy": {
    busy: 0.58,
    says: { words: "§6§lAnarchy§r §8– §7no rules, no map, no mercy\n§cSince 2019 §7and never reset", icon: "hills" },
  },
  "Minecraft Skyblock": {
    busy: 0.4,
    named: true,
    says: {
      words: "§b✦ §3§lSkyblock §b✦ §7One tree, one island\n§aNew: §ogardens in the air",
      icon: "island",
      mods: ["create", "jei", "farmersdelight", "supplementaries", "waystones", "journeymap"],
    },
  },
  "Project Zomboid Modded": { busy: 0.7, map: "Muldraugh, KY" },
  "Project Zomboid Vanilla": { busy: 0.35, map: "Muldraugh, KY" },
  "The Front": { busy: 0.45, version: "1.0.36" },
  "Skyrim Together Node 1": { busy: 0.5, version: "1.8.0" },
  "Skyrim Together Node 2": { busy: 0.28, version: "1.8.0" },
  // Online, but doesn't report its players: "not reported".
  "Spawnpoint-Alpha": { busy: 0 },
};

/** Returns the behaviour of a row's mock game server. One that isn't polled always sends heartbeats. */
export function behaviourOf(server: { server_name: string; adapter: AdapterId }): Behaviour {
  const behaviour = BEHAVIOURS[server.server_name] ?? { busy: 0.4 };
  return isAsked(server.adapter) ? behaviour : { ...behaviour, heartbeat: true };
}

/** Game servers that only the demo has, so that the dashboard looks alive and shows every state. */
export const DEMO_ONLY: readonly DemoGameServer[] = [
  {
    game_slug: "minecraft",
    server_name: "Minecraft Skyblock",
    player_list: true,
    flavour: "Skyblock",
    version: "1.21.4",
    description: {
      en: "One tree, one island, nothing below.",
      de: "Ein Baum, eine Insel, darunter nichts.",
    },
    access_note: {
      en: "There is a whitelist: tell us your name in the game, and you are on it the same evening.",
      de: "Es gibt eine Whitelist: Sag uns deinen Namen im Spiel, und du stehst noch am selben Abend darauf.",
    },
    user_max: 60,
    server_locations: ["Germany"],
    game_port: 25568,
    adapter: "minecraft",
  },
  {
    game_slug: "projectzomboid",
    server_name: "Project Zomboid Vanilla",
    flavour: "Vanilla",
    version: "41.78.16",
    description: {
      en: "Knox County without mods, for a first winter.",
      de: "Knox County ohne Mods, für den ersten Winter.",
    },
    password: "first-winter",
    password_access: "public",
    user_max: 24,
    server_locations: ["Finland"],
    game_port: 16271,
    adapter: "a2s",
    join_link: "steam://connect/{host}:{port}",
  },
  {
    game_slug: "valheim",
    server_name: "Valheim Hardcore",
    flavour: "Hardcore",
    lifecycle: "maintenance",
    description: {
      en: "Death is final here. Moving to a new machine at the moment.",
      de: "Hier ist der Tod endgültig. Zieht gerade auf eine neue Maschine um.",
    },
    user_max: 10,
    server_locations: ["Germany"],
    game_port: 2476,
    query_port: 2477,
    adapter: "a2s",
    adapter_options: { trustRecord: true },
  },
];

/** Links of the demo's guides, by game slug: pages of the demo that pose as the real ones. */
export const DEMO_LINKS: Record<string, GameServerLink[]> = {
  aion: [{ name: "client", label: { en: "The client", de: "Der Client" }, url: "/demo/client" }],
  skyrimtogheter: [
    { name: "launcher", label: { en: "The launcher", de: "Der Launcher" }, url: "/demo/launcher" },
    { name: "torrent", label: { en: "The torrent", de: "Der Torrent" }, url: "/demo/torrent" },
  ],
  tera: [
    { name: "registration", label: { en: "The registration", de: "Die Registrierung" }, url: "/demo/registration" },
    { name: "launcher", label: { en: "The launcher", de: "Der Launcher" }, url: "/demo/launcher" },
  ],
};
