/** The real game servers that are tried: where each is to be had, how it is started, and what the doctor should make of it. */
import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { AskedAdapterId } from "#shared/adapters.ts";
import { joinBedrock } from "./join-bedrock.ts";
import { joinMumble } from "./join-mumble.ts";
import { joinOpenarena, OPENARENA_PATIENCE_S } from "./join-openarena.ts";
import { joinOpenttd } from "./join-openttd.ts";
import { joinTeeworlds } from "./join-teeworlds.ts";

/** Somebody in it. */
export type Guest = { leave(): Promise<void> };

export type RealGame = {
  game: string;
  /** Debian's package of it; none where tests/heavy brings it. */
  debian?: string;
  program: string;
  /** The port that it listens at. */
  port: number;
  /** What it is started with, in a folder of its own that is its home, too. */
  args(folder: string): string[];
  /** By what it is asked, how many may be on, and what it calls itself. */
  found: { adapter: AskedAdapterId; game: string; max: number | null; name?: string };
  /** Joins it, where its protocol is small enough to be spoken here. */
  join?(port: number, folder: string): Promise<Guest>;
};

const BEDROCK = path.join(import.meta.dirname, "../heavy/bedrock-game-server.ts");

/** Each stands in a network of its own, so that nothing is heard of it outside, whatever it listens at or calls. */
export const REAL_GAMES: readonly RealGame[] = [
  {
    game: "Mumble",
    debian: "mumble-server",
    program: "/usr/sbin/murmurd",
    port: 64_738,
    args(folder) {
      const ini = path.join(folder, "server.ini");
      // Started as root, it becomes a user of its own.
      chmodSync(folder, 0o777);
      writeFileSync(ini, `database=${folder}/server.sqlite\nlogfile=\nusers=25\nbonjour=false\nallowping=true\n`);
      return ["-fg", "-ini", ini];
    },
    found: { adapter: "gamedig", game: "Mumble", max: 25 },
    join: joinMumble,
  },
  {
    game: "OpenTTD",
    debian: "openttd openttd-opengfx",
    program: "/usr/games/openttd",
    port: 3979,
    args(folder) {
      const config = path.join(folder, "openttd.cfg");
      writeFileSync(config, "[network]\nserver_name = Trains of Midgard\nserver_game_type = local\nmax_clients = 12\n");
      return ["-D", "-c", config, "-b", "8bpp-simple", "-x"];
    },
    found: { adapter: "gamedig", game: "OpenTTD", max: 12, name: "Trains of Midgard" },
    join: joinOpenttd,
  },
  {
    game: "OpenArena",
    debian: "openarena-server",
    program: "/usr/games/openarena-server",
    port: 27_960,
    args: () =>
      `+set dedicated 1 +set sv_maxclients 14 +set sv_hostname Arena +set sv_timeout ${OPENARENA_PATIENCE_S} +map oa_dm1`.split(
        " ",
      ),
    found: { adapter: "gamedig", game: "OpenArena", max: 14, name: "Arena" },
    join: joinOpenarena,
  },
  {
    game: "Teeworlds",
    debian: "teeworlds-server",
    program: "/usr/games/teeworlds-server",
    port: 8303,
    args: () => ["sv_name Midgard", "sv_register 0", "sv_max_clients 12", "sv_map ctf5"],
    found: { adapter: "teeworlds", game: "Teeworlds", max: 12, name: "Midgard" },
    join: joinTeeworlds,
  },
  {
    game: "DDNet",
    debian: "ddnet-server",
    program: "/usr/games/DDNet-Server",
    port: 8303,
    args: () => ["sv_name Midgard", "sv_register 0", "sv_max_clients 48", "sv_map Tutorial"],
    found: { adapter: "teeworlds", game: "DDNet", max: 48, name: "Midgard" },
    join: joinTeeworlds,
  },
  {
    game: "Luanti",
    debian: "minetest-server",
    program: "/usr/games/minetestserver",
    port: 30_000,
    args: (folder) => ["--gameid", "devtest", "--world", path.join(folder, "world"), "--port", "30000"],
    found: { adapter: "luanti", game: "Luanti", max: null },
  },
  {
    game: "Minecraft: Bedrock Edition",
    program: process.execPath,
    port: 19_132,
    args(folder) {
      // It makes a world before it listens, of five times as many pieces each way as are seen.
      writeFileSync(path.join(folder, "config.yaml"), "motd: Midgard\nmax-players: 15\nview-distance: 1\n");
      return [BEDROCK];
    },
    found: { adapter: "bedrock", game: "Minecraft: Bedrock Edition", max: 15, name: "Midgard" },
    join: joinBedrock,
  },
];
