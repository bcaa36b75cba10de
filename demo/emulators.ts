// THE TABLE of mock game servers: one for each adapter, speaking the real protocol.
import type { AdapterId, AdapterOptions, AdapterSecrets } from "#shared/adapters.ts";
import type { Says } from "./fleet-plan.ts";
import { drawMinecraftIcon } from "./minecraft-icon.ts";
import { startA2sServer } from "./protocols/a2s-server.ts";
import { startBedrockServer } from "./protocols/bedrock-server.ts";
import { startFactorioServer } from "./protocols/factorio-server.ts";
import { startFivemServer } from "./protocols/fivem-server.ts";
import { startHytaleServer } from "./protocols/hytale-server.ts";
import { startLuantiServer } from "./protocols/luanti-server.ts";
import { startMinecraftServer } from "./protocols/minecraft-server.ts";
import { startPalworldServer } from "./protocols/palworld-server.ts";
import { startSatisfactoryServer } from "./protocols/satisfactory-server.ts";
import { startTcpGreetingServer } from "./protocols/tcp-greeting-server.ts";
import { startTeamspeakServer } from "./protocols/teamspeak-server.ts";
import { startTeeworldsServer } from "./protocols/teeworlds-server.ts";
import { startTerrariaServer } from "./protocols/terraria-server.ts";

/** An open socket. */
export type Listener = { port: number; close(): Promise<void> };

/** Facts that a mock game server reports. */
type Pretended = {
  name: string;
  game_slug: string;
  version: string;
  map: string;
  maxPlayers: number;
  /** Called for each answer. */
  players(): number;
  /** Its description; omitted: only its name. */
  says?: Says | undefined;
  /** Player names; omitted: none. */
  names?: (() => string[]) | undefined;
  options: AdapterOptions;
  /** Secrets that it requires. */
  secrets?: AdapterSecrets;
};

/** Opens it on a port of this machine, 0 for any free one. Rejects if the port is in use. */
type Emulator = (shown: Pretended, port: number) => Promise<Listener>;

/** Names of Steam's games in an A2S reply, and the reported maximum if it isn't the true one. */
const STEAM_GAMES: Record<string, { folder: string; game: string; appId: number; toldMax?: number }> = {
  valheim: { folder: "valheim", game: "Valheim", appId: 892970, toldMax: 64 },
  projectzomboid: { folder: "zomboid", game: "Project Zomboid", appId: 108600 },
  thefront: { folder: "ProjectWar", game: "The Front", appId: 2285150, toldMax: 100 },
};

/** Minecraft's protocol number for 1.21.4. */
const MINECRAFT_PROTOCOL = 769;

/** Bedrock's protocol number for 1.21.50. */
const BEDROCK_PROTOCOL = 766;

/** Any bytes will do: only Tera's first four are known, and Aion's real greeting differs at each connection. */
const ANY_GREETING = "0600000000000000";

/** Null if there is nothing to poll (a heartbeat), or the demo has no such server. */
export const EMULATORS: Record<AdapterId, Emulator | null> = {
  a2s({ name, game_slug, version, map, maxPlayers, players }, port) {
    const { toldMax, ...game } = STEAM_GAMES[game_slug] ?? { folder: game_slug, game: game_slug };
    const info = () => ({ ...game, name, map, players: players(), maxPlayers: toldMax ?? maxPlayers, version });
    return startA2sServer({ port, info });
  },
  minecraft({ name, version, maxPlayers, players, says, names }, port) {
    const told = { description: says?.words ?? name, mods: says?.mods, icon: says && drawMinecraftIcon(says.icon) };
    const about = { maxPlayers, version, protocol: MINECRAFT_PROTOCOL, ...told };
    return startMinecraftServer({ port, info: () => ({ ...about, players: players(), names: names?.() }) });
  },
  satisfactory({ name, version, maxPlayers, players, secrets }, port) {
    const build = Number.parseInt(version, 10) || 0;
    const token = secrets?.applicationToken;
    return startSatisfactoryServer({
      port,
      token,
      info: () => ({ name, version: build, maxPlayers, players: players() }),
    });
  },
  palworld: ({ maxPlayers, players, secrets }, port) =>
    startPalworldServer({
      port,
      password: secrets?.adminPassword ?? "",
      info: () => ({ maxPlayers, players: players() }),
    }),
  terraria: ({ name, version, map, maxPlayers, players, secrets }, port) =>
    startTerrariaServer({
      port,
      token: secrets?.restToken,
      info: () => ({ name, version, world: map, maxPlayers, players: players() }),
    }),
  hytale: ({ name, version, maxPlayers, players, options: { withoutTls } }, port) =>
    startHytaleServer({ port, withoutTls, info: () => ({ name, version, maxPlayers, players: players() }) }),
  bedrock({ name, map, version, maxPlayers, players }, port) {
    const about = { name, level: map, version, protocol: BEDROCK_PROTOCOL, maxPlayers };
    return startBedrockServer({ port, info: () => ({ ...about, players: players() }) });
  },
  fivem({ name, map, maxPlayers, players }, port) {
    const about = { name, map, gameType: "Roleplay", maxPlayers };
    return startFivemServer({ port, info: () => ({ ...about, players: players() }) });
  },
  teeworlds({ game_slug, name, map, version, maxPlayers, players }, port) {
    const [protocol, gameType] =
      game_slug === "ddnet" ? (["ddnet", "DDraceNetwork"] as const) : (["0.7", "CTF"] as const);
    const about = { name, map, version, gameType, maxPlayers };
    return startTeeworldsServer({ port, protocol, info: () => ({ ...about, players: players() }) });
  },
  factorio({ name, version, players }, port) {
    const everybody = () => Array.from({ length: players() }, (_, place) => `Engineer ${place + 1}`);
    return startFactorioServer({ port, info: () => ({ name, version, players: everybody() }) });
  },
  luanti: (_, port) => startLuantiServer({ port }),
  teamspeak({ name, version, maxPlayers, players }, port) {
    const everybody = () => Array.from({ length: players() }, (_, place) => `Guest ${place + 1}`);
    return startTeamspeakServer({
      port,
      info: () => ({ name, version, maxClients: maxPlayers, clients: everybody() }),
    });
  },
  tcp: ({ options: { expect } }, port) =>
    startTcpGreetingServer({ port, greetingHex: typeof expect === "object" ? expect.prefixHex : ANY_GREETING }),
  gamedig: null,
  heartbeat: null,
};
