/**
 * Polls a Palworld server over its REST interface: one GET of its metrics only. Its password opens everything there, even
 * the list of players with their addresses; a heartbeat needs none.
 */
import { ADAPTER_FACTS } from "#shared/adapters.ts";
import type { Adapter } from "../adapter.ts";
import { answerWithoutFigures, cleanCount, type GameAnswer } from "../answer.ts";
import { answerOver, exchangeOverHttp } from "../http-exchange.ts";
import { json, readAs, readJson } from "../reply-reader.ts";
import { isRecord } from "../shallow-json.ts";

/** The default ports of the interface and of the game. */
const REST_PORT = ADAPTER_FACTS.palworld.usualQueryPort;
const GAME_PORT = 8211;
/** The interface's only user name. */
const USER = "admin";

/** Reads a reply of `/v1/api/metrics`. Null: no such reply. */
function readMetrics(body: unknown): GameAnswer | null {
  if (!isRecord(body)) return null;
  const players = cleanCount(body.currentplayernum);
  const maxPlayers = cleanCount(body.maxplayernum);
  return players === null || maxPlayers === null ? null : { ...answerWithoutFigures, players, maxPlayers };
}

export const palworld: Adapter = {
  async query({ address, port, host, secrets, deadlineMs }) {
    const password = secrets?.adminPassword;
    const basic = password && `Basic ${Buffer.from(`${USER}:${password}`).toString("base64")}`;
    return answerOver(
      await exchangeOverHttp(
        { address, port },
        {
          host,
          path: "/v1/api/metrics",
          method: "GET",
          ...(basic && { headers: { Authorization: basic } }),
          security: "none",
          deadlineMs,
        },
      ),
      readMetrics,
    );
  },
  deadlineMs: 2000,
  transport: "tcp",
  tries(port) {
    if (port === null) return [{ port: REST_PORT }];
    return [{ port }, ...(port === GAME_PORT ? [{ port: REST_PORT }] : [])];
  },
  game: () => "Palworld",
  certainty: () => 30,
  replies: {
    golden: [json({ serverfps: 57, currentplayernum: 10, serverframetime: 16.7671, maxplayernum: 32, uptime: 3600 })],
    read: (reply) => readAs(readMetrics(readJson(reply))),
    untold: ["name", "version"],
  },
  notes: {
    title: "Palworld (REST)",
    how: "`GET /v1/api/metrics` with the admin password.",
    traps: [
      "The password allows everything and travels unencrypted: don't open the port to the internet. Prefer the heartbeat.",
    ],
    open: "the REST port, with `RESTAPIEnabled=True` and `AdminPassword` in `PalWorldSettings.ini`.",
  },
};
