/** The games that can be asked: an allow-list of gamedig's types, with the adapter that asks each of them best. */
import type { AskedAdapterId } from "#shared/adapters.ts";
import gameTypes from "./game-types.json" with { type: "json" };

export type GameType = {
  /** gamedig's name of it: what adapter_options.gamedigType holds. */
  type: string;
  name: string;
  protocol: string;
  /** The port that players type, and the one that is asked, where the game has usual ones. */
  port: number | null;
  query_port: number | null;
  /** Our own adapter where it speaks the protocol; gamedig for the long tail. */
  asked: AskedAdapterId;
};

const all = gameTypes as readonly GameType[];

/** Every allowed type, sorted by the game's name. */
export const listGameTypes = (): readonly GameType[] => all;

/** The type of this name; null when it is not on the allow-list. */
export const findGameType = (type: string): GameType | null => all.find((row) => row.type === type) ?? null;

/** Where a game is asked that is joined at `port`, or, without one, at its usual ports. */
export function queryPortsOf(type: GameType, port: number | null): number[] {
  if (port === null) return type.query_port === null ? [] : [type.query_port];
  const offset = type.port !== null && type.query_port !== null ? type.query_port - type.port : 0;
  return [...new Set([port, port + offset])].filter((guess) => guess > 0 && guess <= 65_535);
}

/** The ports at which games joined at `port` are usually asked over A2S. */
export function usualQueryPorts(port: number): number[] {
  const ports = all.flatMap((row) =>
    row.asked === "a2s" && row.port === port && row.query_port !== null ? [row.query_port] : [],
  );
  // What is joined at a port of its own is often asked at Steam's.
  return [...new Set([...ports, ...(port >= 7000 && port < 29_000 ? [27_015, 27_016] : [])])].slice(0, 6);
}

const MOST_GUESSED = 4;

/** A few games of the long tail whose usual port this is, one for each protocol. */
export function guessGameTypes(port: number): GameType[] {
  const found = new Map<string, GameType>();
  for (const row of all) {
    if (row.asked !== "gamedig" || (row.port !== port && row.query_port !== port)) continue;
    if (!found.has(row.protocol)) found.set(row.protocol, row);
  }
  return [...found.values()].slice(0, MOST_GUESSED);
}
