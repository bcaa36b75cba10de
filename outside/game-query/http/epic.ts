/**
 * Asks Epic Games about a game server that answers nobody else (ARK: Survival Ascended, Squad): one of the sessions that it
 * knows at the address. What Epic does not list is not running; what Epic cannot tell, nobody knows.
 */
import { isIP } from "node:net";
import { EPIC_GAME_NAMES, type EpicGame } from "#shared/adapters.ts";
import type { Adapter } from "../adapter.ts";
import { answerWithoutFigures, cleanCount, cleanText, type GameAnswer, type QueryTarget } from "../answer.ts";
import { json, readAs, readJson } from "../reply-reader.ts";
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
function readSessions(game: EpicGame, sessions: readonly unknown[], target: QueryTarget): GameAnswer | null {
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

/** A session as Epic lists it. */
const EPIC_SESSION = {
  lastUpdated: "2026-11-22T21:00:00.000Z",
  totalPlayers: 3,
  settings: { maxPublicPlayers: 70 },
  publicPlayers: ["0002a1b2c3"],
  attributes: {
    ADDRESS_s: "8.8.8.8",
    ADDRESSBOUND_s: "0.0.0.0:7777",
    CUSTOMSERVERNAME_s: "Mid§gard",
    MAPNAME_s: "TheIsland_WP",
    SERVERPASSWORD_b: true,
    BUILDID_s: "58",
    MINORBUILDID_s: "12",
  },
};

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
  replies: {
    golden: [
      json({ sessions: [EPIC_SESSION] }),
      json({
        sessions: [{ ...EPIC_SESSION, attributes: { GAMESERVER_PORT_l: 7777, SERVERNAME_s: "S" } }, EPIC_SESSION],
      }),
    ],
    read(reply) {
      const said = readJson(reply);
      const sessions = isRecord(said) && Array.isArray(said.sessions) ? said.sessions : [];
      const at = { address: "8.8.8.8", port: 7777 };
      return readAs(readSessions("ark_survival_ascended", sessions, at) ?? readSessions("squad", sessions, at));
    },
  },
  notes: {
    title: "Epic Online Services (through Epic Games)",
    how: "The game server answers nobody. Epic Games is asked for its sessions at the address, over HTTPS, once a second at most, and the one with its port is read. Only where the operator has brought what Epic wants to be shown (`EPIC_ARK_SURVIVAL_ASCENDED`, `EPIC_SQUAD`): Spawnpoint ships none ([048](decisions/048-epic-by-an-operators-switch.md)).",
    traps: [
      "A company learns which addresses are watched. A heartbeat does without.",
      "What Epic cannot tell is *unknown*, never down; what it does not list is not running. There is no latency.",
      "The record needs the address that players reach, of IPv4: Epic knows no other.",
      "All game servers of one machine cost one question. More than some twenty machines need an interval of more than 30 seconds.",
    ],
    open: "Nothing for Spawnpoint.",
  },
};
