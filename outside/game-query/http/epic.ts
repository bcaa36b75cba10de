/**
 * Asks Epic Games about a game server that answers nobody else (ARK: Survival Ascended, Squad): one of the sessions that it
 * knows at the address. What Epic does not list is not running; what Epic cannot tell, nobody knows.
 */
import { isIP } from "node:net";
import { EPIC_GAME_NAMES, type EpicGame } from "#shared/adapters.ts";
import type { Adapter } from "../adapter.ts";
import { answerWithoutFigures, cleanCount, cleanText, type GameAnswer, type QueryTarget } from "../answer.ts";
import { isRecord } from "../shallow-json.ts";

type Attributes = Readonly<Record<string, unknown>>;

/** What each game calls its facts. */
const NAMES: Record<EpicGame, { name: string; password: string; version(told: Attributes): unknown }> = {
  ark_survival_ascended: {
    name: "CUSTOMSERVERNAME_s",
    password: "SERVERPASSWORD_b",
    version: ({ BUILDID_s: build, MINORBUILDID_s: minor }) =>
      typeof build === "string" && typeof minor === "string" ? `${build}.${minor}` : build,
  },
  squad: { name: "SERVERNAME_s", password: "PASSWORD_b", version: ({ GAMEVERSION_s: version }) => version },
};

/** Whether a session is that of the game server at `target`: it says the port that it is bound to, or the game's. */
function isAt(told: Attributes, { address, port }: QueryTarget): boolean {
  const bound = told.ADDRESSBOUND_s;
  return bound === `0.0.0.0:${port}` || bound === `${address}:${port}` || told.GAMESERVER_PORT_l === port;
}

/** When Epic last heard of it; a crash may leave an old session beside the new one for a while. */
const heardAt = ({ lastUpdated }: Readonly<Record<string, unknown>>): number =>
  (typeof lastUpdated === "string" && Date.parse(lastUpdated)) || 0;

/** Reads the session of the game server at `target`; null: Epic lists none there. Who is on is in it, too, and never read. */
export function readSessions(game: EpicGame, sessions: readonly unknown[], target: QueryTarget): GameAnswer | null {
  const names = NAMES[game];
  const [newest] = sessions
    .filter(isRecord)
    .flatMap((session) => (isRecord(session.attributes) ? [{ ...session, told: session.attributes }] : []))
    .filter(({ told }) => isAt(told, target))
    .sort((one, other) => heardAt(other) - heardAt(one));
  if (!newest) return null;
  const { told, totalPlayers, settings }: { told: Attributes; totalPlayers?: unknown; settings?: unknown } = newest;
  const locked = told[names.password];
  return {
    ...answerWithoutFigures,
    players: cleanCount(totalPlayers),
    maxPlayers: isRecord(settings) ? cleanCount(settings.maxPublicPlayers) : null,
    version: cleanText(names.version(told)),
    name: cleanText(told[names.name]),
    map: cleanText(told.MAPNAME_s),
    passwordProtected: typeof locked === "boolean" ? locked : null,
  };
}

export const epic: Adapter = {
  async query({ address, port, options: { epicGame }, deadlineMs, epic: service }) {
    const startedAt = performance.now();
    // It lists addresses of IPv4: that another one is not there says nothing.
    const canTell = epicGame !== undefined && isIP(address) === 4;
    const sessions = canTell ? await service?.listSessions(epicGame, address, deadlineMs) : undefined;
    const latencyMs = performance.now() - startedAt;
    if (!sessions || !epicGame) return { ok: false, latencyMs, failure: "publisher" };
    const answer = readSessions(epicGame, sessions, { address, port });
    return answer ? { ok: true, latencyMs, answer } : { ok: false, latencyMs, failure: "no_reply" };
  },
  deadlineMs: 4000,
  transport: null,
  // An address is sent to Epic where a record says so, and not because somebody has typed it.
  tries: () => [],
  game: ({ epicGame }) => (epicGame ? EPIC_GAME_NAMES[epicGame] : null),
  certainty: () => 30,
};
