/** Lists the games that can be polled: an allow-list of gamedig's types, each with its best adapter. */
import type { AskedAdapterId } from "#shared/adapters.ts";
import gameTypes from "./game-types.json" with { type: "json" };

export type GameType = {
  /** gamedig's name of it: the value of adapter_options.gamedigType. */
  type: string;
  name: string;
  protocol: string;
  /** The usual ports that players type, and that are polled, if the game has any. */
  port: number | null;
  query_port: number | null;
  /** The site's own adapter if it speaks the protocol; gamedig for the long tail. */
  asked: AskedAdapterId;
};

const all = gameTypes as readonly GameType[];

/** Lists every allowed type, sorted by the game's name. */
export const listGameTypes = (): readonly GameType[] => all;

/** Finds the type of this name; null if it is not on the allow-list. */
export const findGameType = (type: string): GameType | null => all.find((row) => row.type === type) ?? null;

/** Lists where to poll a game that players join at `port`, or, without one, its usual ports. */
export function queryPortsOf(type: GameType, port: number | null): number[] {
  if (port === null) return type.query_port === null ? [] : [type.query_port];
  const offset = type.port !== null && type.query_port !== null ? type.query_port - type.port : 0;
  return [...new Set([port, port + offset])].filter((guess) => guess > 0 && guess <= 65_535);
}

/** Lists the usual A2S ports of games that players join at `port`. */
export function usualQueryPorts(port: number): number[] {
  const ports = all.flatMap((row) =>
    row.asked === "a2s" && row.port === port && row.query_port !== null ? [row.query_port] : [],
  );
  // Games with a port of their own often use Steam's for queries.
  return [...new Set([...ports, ...(port >= 7000 && port < 29_000 ? [27_015, 27_016] : [])])].slice(0, 6);
}

const MOST_GUESSED = 4;

/** Guesses a few games of the long tail by their usual port, one for each protocol. */
export function guessGameTypes(port: number): GameType[] {
  const found = new Map<string, GameType>();
  for (const row of all) {
    if (row.asked !== "gamedig" || (row.port !== port && row.query_port !== port)) continue;
    if (!found.has(row.protocol)) found.set(row.protocol, row);
  }
  return [...found.values()].slice(0, MOST_GUESSED);
}
