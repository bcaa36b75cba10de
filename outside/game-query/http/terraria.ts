/** Polls a Terraria server with TShock over its REST interface: one GET of its status, which names no players. */
import { ADAPTER_FACTS } from "#shared/adapters.ts";
import type { About, Adapter } from "../adapter.ts";
import { answerWithoutFigures, cleanCount, cleanText, type GameAnswer } from "../answer.ts";
import { answerOver, exchangeOverHttp } from "../http-exchange.ts";
import { json, readAs, readJson } from "../reply-reader.ts";
import { isRecord } from "../shallow-json.ts";

/** The default ports of TShock's REST and of the game. */
const REST_PORT = ADAPTER_FACTS.terraria.usualQueryPort;
const GAME_PORT = 7777;

/**
 * Reads a reply of `/v2/server/status` (TShock's documents: the JSON repeats the status as a text). `unauthorized`: it
 * requires a token, another than this one. Null: no such reply.
 */
export function readStatus(body: unknown): GameAnswer | "unauthorized" | null {
  if (!isRecord(body)) return null;
  if (body.status === "401" || body.status === "403") return "unauthorized";
  const players = cleanCount(body.playercount);
  if (body.status !== "200" || players === null) return null;
  return {
    ...answerWithoutFigures,
    players,
    maxPlayers: cleanCount(body.maxplayers),
    version: cleanText(body.serverversion),
    name: cleanText(body.name),
    map: cleanText(body.world),
    passwordProtected: typeof body.serverpassword === "boolean" ? body.serverpassword : null,
  };
}

function readAbout(body: unknown): About {
  const port = isRecord(body) ? cleanCount(body.port) : null;
  const gamePort = port !== null && port > 0 && port <= 65_535 ? port : null;
  return { game: "Terraria", steamAppId: null, gamePort, options: {} };
}

export const terraria: Adapter = {
  async query({ address, port, host, secrets, deadlineMs, onAbout }) {
    const token = secrets?.restToken;
    const result = await exchangeOverHttp(
      { address, port },
      // TShock accepts its token only in the query.
      {
        host,
        path: "/v2/server/status",
        ...(token && { query: { token } }),
        method: "GET",
        security: "none",
        deadlineMs,
      },
    );
    if (result.ok) onAbout?.(readAbout(result.body));
    return answerOver(result, readStatus);
  },
  deadlineMs: 2000,
  transport: "tcp",
  tries(port) {
    if (port === null) return [{ port: REST_PORT }];
    return [{ port }, ...(port === GAME_PORT ? [{ port: REST_PORT }] : [])];
  },
  game: () => "Terraria",
  certainty: () => 30,
  replies: {
    golden: [
      json({
        status: "200",
        name: "The Cavern",
        serverversion: "v1.4.4.9",
        playercount: 3,
        maxplayers: 8,
        world: "Land",
      }),
    ],
    read: (reply) => readAs(readStatus(readJson(reply))),
  },
  notes: {
    title: "Terraria with TShock (REST)",
    how: "`GET /v2/server/status`.",
    traps: [
      "Without TShock, use TCP.",
      "With `EnableTokenEndpointAuthentication`, create a token for this alone and enter it in the server's form. It travels unencrypted.",
    ],
    open: "the REST port, with `RestApiEnabled: true` in TShock's `config.json`.",
  },
};
