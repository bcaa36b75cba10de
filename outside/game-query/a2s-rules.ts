/** Games whose A2S_INFO reply is wrong about themselves, and whose A2S_RULES are right: asked for those as well, and only they. */
import { answerWithoutFigures, cleanCountText, cleanText, type GameAnswer } from "./answer.ts";

type Ruled = {
  /** What of the info is not to be believed, and unknown where the rules stay without an answer. */
  doubted: Partial<GameAnswer>;
  /** What the rules say; what they do not say stays as the info has it. */
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
  /** Soulmask says one version for ever. */
  2646460: {
    doubted: { version: unknown.version },
    read: (rules) => ({ version: cleanText(rules.get("NO_s")) }),
  },
};

/** How the game of this app id has to be read; null: its info is right. */
export const findRuled = (appId: number): Ruled | null => RULED[appId] ?? null;

const answerIn = (value: string | undefined): boolean | null => (value === "Y" ? true : value === "N" ? false : null);

/** What is null is not said. */
function without<Told extends Partial<GameAnswer>>(told: Told): Partial<Told> {
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== null)) as Partial<Told>;
}
