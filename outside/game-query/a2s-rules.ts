/** Lists games whose A2S_INFO reply is wrong, but whose A2S_RULES are right: only they are polled for those as well. */
import { answerWithoutFigures, cleanCountText, cleanText, type GameAnswer } from "./answer.ts";

type Ruled = {
  /** Unreliable fields of the info, which stay unknown without a reply to the rules. */
  doubted: Partial<GameAnswer>;
  /** Reads the rules; fields without a rule keep the value of the info. */
  read(rules: ReadonlyMap<string, string>): Partial<GameAnswer>;
};

const unknown = answerWithoutFigures;

/** By their app ids on Steam. */
const RULED: Readonly<Record<number, Ruled>> = {
  /** Battalion 1944 (BATTALION: Legacy). Its rules have a map too, which is often wrong. */
  489940: {
    doubted: { players: unknown.players, bots: unknown.bots, maxPlayers: unknown.maxPlayers },
    read: (rules) => ({
      players: cleanCountText(rules.get("bat_player_count_s")),
      maxPlayers: cleanCountText(rules.get("bat_max_players_i")),
      ...without({ name: cleanText(rules.get("bat_name_s")) }),
      ...without({ passwordProtected: answerIn(rules.get("bat_has_password_s")) }),
    }),
  },
  /** Soulmask always reports the same version. */
  2646460: {
    doubted: { version: unknown.version },
    read: (rules) => ({ version: cleanText(rules.get("NO_s")) }),
  },
};

/** Finds how to read the game of this app id; null: its info is right. */
export const findRuled = (appId: number): Ruled | null => RULED[appId] ?? null;

const answerIn = (value: string | undefined): boolean | null => (value === "Y" ? true : value === "N" ? false : null);

/** Removes fields that are null. */
function without<Told extends Partial<GameAnswer>>(told: Told): Partial<Told> {
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== null)) as Partial<Told>;
}
