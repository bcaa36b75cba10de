/**
 * Polls a Hytale server by the plugin that the game's own manual names for it (Nitrado:Query): one GET to the plugin's web server,
 * three ports above the game's. Reads only the short part and two figures, never the players.
 */
import { ADAPTER_FACTS } from "#shared/adapters.ts";
import type { Adapter } from "../adapter.ts";
import { answerWithoutFigures, cleanCount, cleanText, type GameAnswer } from "../answer.ts";
import { answerOver, exchangeOverHttp } from "../http-exchange.ts";
import { json, readAs, readJson } from "../reply-reader.ts";
import { isRecord } from "../shallow-json.ts";

const GAME_PORT = 5520;
/** The plugin's web server listens this many ports above the game. */
const PORTS_ABOVE = ADAPTER_FACTS.hytale.usualQueryPort.above;

const part = (body: Record<string, unknown>, name: string): Record<string, unknown> => {
  const value = body[name];
  return isRecord(value) ? value : {};
};

/** Reads the plugin's reply, which omits parts that are not public. Null: all parts are missing, so it could be anything. */
function readAnswer(body: unknown): GameAnswer | null {
  if (!isRecord(body) || !["Basic", "Server", "Universe"].some((name) => isRecord(body[name]))) return null;
  const basic = part(body, "Basic");
  const server = part(body, "Server");
  const universe = part(body, "Universe");
  return {
    ...answerWithoutFigures,
    players: cleanCount(basic.CurrentPlayers) ?? cleanCount(universe.CurrentPlayers),
    maxPlayers: cleanCount(basic.MaxPlayers) ?? cleanCount(server.MaxPlayers),
    version: cleanText(basic.Version) ?? cleanText(server.Version),
    name: cleanText(basic.Name) ?? cleanText(server.Name),
    map: cleanText(universe.DefaultWorld),
  };
}

export const hytale: Adapter = {
  query: async ({ address, port, host, options, deadlineMs }) =>
    answerOver(
      await exchangeOverHttp(
        { address, port },
        {
          host,
          path: "/Nitrado/Query",
          method: "GET",
          headers: { Accept: "application/x.hytale.nitrado.query+json;version=1" },
          // The plugin makes its own certificate unless it is given one. The request contains no secrets.
          security: options.withoutTls ? "none" : "self_signed",
          deadlineMs,
        },
      ),
      readAnswer,
    ),
  deadlineMs: 2000,
  transport: "tcp",
  tries(port) {
    const above = (port ?? GAME_PORT) + PORTS_ABOVE;
    const ports = port === null ? [above] : [port, above];
    return ports
      .filter((one) => one <= 65_535)
      .flatMap((one) => [{ port: one }, { port: one, options: { withoutTls: true } }]);
  },
  game: () => "Hytale",
  certainty: () => 30,
  replies: {
    golden: [
      json({ Basic: { Name: "Orbis", Version: "2026.01.10", MaxPlayers: 100, CurrentPlayers: 4 } }),
      json({ Server: { Name: "Orbis", MaxPlayers: 90 }, Universe: { CurrentPlayers: 5, DefaultWorld: "zone" } }),
    ],
    read: (reply) => readAs(readAnswer(readJson(reply))),
  },
  notes: {
    title: "Hytale with Nitrado:Query",
    how: "One GET to the plugin's web server; the player list isn't read.",
    traps: [
      "Its certificate isn't checked; the data is public.",
      "The plugin's permissions must allow strangers to read, or it answers as unauthorised.",
    ],
    open: "the web server's port (plugins Nitrado:WebServer and Nitrado:Query).",
  },
};
