/** The games that can be asked: an allow-list of gamedig's types, with the adapter that asks each of them best. */
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
  asked: "a2s" | "minecraft" | "gamedig";
};

const all = gameTypes as readonly GameType[];

/** Every allowed type, sorted by the game's name. */
export const listGameTypes = (): readonly GameType[] => all;

/** The type of this name; null when it is not on the allow-list. */
export const findGameType = (type: string): GameType | null => all.find((row) => row.type === type) ?? null;
