/** Makes game-types.json from the installed gamedig by the rule of docs/decisions: run with `node scripts/game-types-make.ts`. */
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import type { GameType } from "#outside/game-types.ts";

type Game = {
  name: string;
  options: { protocol: string; port?: number; port_query?: number; port_query_offset?: number | number[] };
};
type Gamedig = { games: Record<string, Game>; protocols: Record<string, new () => object> };

/** What our own adapters ask as well, and better: A2S, also where a game adds to it what we do not show. */
const askedByA2s = new Set(["valve", "dayz", "sdtd", "toxikk"]);

/**
 * Ports by the makers' documents where gamedig has others: the one that players type and the one that is queried. Rust: 28017 unless
 * `-queryport` says another, since it left RakNet.
 */
const otherPorts: Record<string, [port: number, queryPort: number]> = {
  abioticfactor: [7777, 27015],
  icarus: [17_777, 27_015],
  insurgencysandstorm: [27_102, 27_131],
  rust: [28_015, 28_017],
  spaceengineers: [27_016, 27_016],
};

/**
 * A protocol is refused when its source, or that of a class it extends, asks over HTTP (third parties, or a path on the
 * game machine), knows master servers, opens connections by other means than gamedig's own, wants credentials, or
 * chooses a port of its own. sdtd's telnet is used by whoever gives a password for it; we never do.
 */
const refused = [
  /this\.request\(/,
  /[Mm]aster/,
  /gbxremote/,
  /\.teamspeakQueryPort/,
  /this\.options\.(?:token|login|username)\b/,
];

function isAllowed(protocol: new () => object): boolean {
  for (let made: unknown = protocol; typeof made === "function" && made.name !== "Core"; ) {
    const source = String(made);
    if (made !== Function.prototype && refused.some((pattern) => pattern.test(source))) return false;
    made = Object.getPrototypeOf(made);
  }
  return true;
}

/** The allow-list, sorted by the games' names. */
export function deriveGameTypes(): GameType[] {
  const { games, protocols } = createRequire(import.meta.url)("gamedig") as Gamedig;
  const types: GameType[] = [];
  for (const [type, { name, options }] of Object.entries(games)) {
    // One type that tries both editions, each to its end: the two are asked by their own names instead.
    if (options.protocol === "minecraft") continue;
    const protocol = protocols[options.protocol];
    if (!protocol || !isAllowed(protocol)) continue;
    const offset = [options.port_query_offset ?? 0].flat()[0] ?? 0;
    const [port, queryPort] = otherPorts[type] ?? [options.port ?? null, options.port_query];
    const asked = askedByA2s.has(options.protocol) ? "a2s" : "gamedig";
    types.push({
      type,
      name,
      protocol: options.protocol,
      port,
      query_port: queryPort ?? (port === null ? null : port + offset),
      asked,
    });
  }
  types.push(
    {
      type: "protocol-minecraftvanilla",
      name: "Minecraft: Java Edition",
      protocol: "minecraftvanilla",
      port: 25565,
      query_port: 25565,
      asked: "minecraft",
    },
    {
      type: "protocol-minecraftbedrock",
      name: "Minecraft: Bedrock Edition",
      protocol: "minecraftbedrock",
      port: 19132,
      query_port: 19132,
      asked: "bedrock",
    },
  );
  return types.sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
}

if (import.meta.main) {
  const rows = deriveGameTypes().map((row) => `  ${JSON.stringify(row)}`);
  await writeFile(path.join(import.meta.dirname, "../outside/game-types.json"), `[\n${rows.join(",\n")}\n]\n`);
}
