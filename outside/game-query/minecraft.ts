/** Asks a Minecraft server (Java Edition) by Server List Ping, in one connection that is closed with the answer. */
import type { Adapter } from "./adapter.ts";
import {
  answerWithoutFigures,
  cleanCount,
  cleanText,
  type GameAnswer,
  type QueryResult,
  type QueryTarget,
} from "./answer.ts";
import { readDetails, readPlayerNames } from "./minecraft-details/details.ts";
import { UNNAMED } from "./minecraft-details/motd.ts";
import { encodeStatusRequest, StatusResponseReader } from "./minecraft-packet.ts";
import { isRecord, parseShallowJson } from "./shallow-json.ts";
import { exchangeOverTcp, type Reading } from "./tcp-exchange.ts";

/** Chat texts nest a little; nothing honest nests more. */
const DEEPEST_JSON = 32;

/** What is read of a status beyond its figures; nothing by default. */
type Wanted = { wantsDetails?: boolean | undefined; wantsNames?: boolean | undefined };

/**
 * Asks `target`; `host` is the name that the person typed, which goes into the handshake. Never rejects. `deadlineMs`
 * covers connection and answer, 2,000 by default. Description, icon, mods and names are read only where they are wanted.
 */
export function queryMinecraft(
  target: QueryTarget & { host: string },
  options: Wanted & { deadlineMs?: number } = {},
): Promise<QueryResult> {
  const reader = new StatusResponseReader();
  return exchangeOverTcp(target, {
    greeting: encodeStatusRequest(target.host, target.port),
    onBytes: (bytes): Reading => {
      const response = reader.add(bytes);
      return typeof response === "string" ? response : (readStatus(response.json, options) ?? "malformed");
    },
    deadlineMs: options.deadlineMs ?? 2000,
  });
}

/** Reads a status response's JSON; null when it is none. A count that is no plain number stays null: unknown, not zero. */
export function readStatus(json: string, { wantsDetails, wantsNames }: Wanted = {}): GameAnswer | null {
  const status = parseShallowJson(json, DEEPEST_JSON);
  if (!isRecord(status)) return null;
  const players = isRecord(status.players) ? status.players : {};
  const version = isRecord(status.version) ? status.version : {};
  return {
    ...answerWithoutFigures,
    players: cleanCount(players.online),
    maxPlayers: cleanCount(players.max),
    version: cleanText(version.name),
    name: nameIn(status.description),
    ...(wantsDetails && { details: readDetails(status) }),
    ...(wantsNames && { playerNames: readPlayerNames(players) }),
  };
}

/** So much of a description is looked at: its first line is the name, or nothing. */
const MOST_PARTS = 200;

/** Minecraft tells no name but a description (the "MOTD"), a text or parts of one: its first line that says something. */
function nameIn(description: unknown): string | null {
  let parts = 0;
  const flatten = (value: unknown): string => {
    parts += 1;
    if (parts > MOST_PARTS) return "";
    if (typeof value === "string") return value;
    if (Array.isArray(value)) return value.slice(0, MOST_PARTS).map(flatten).join("");
    return isRecord(value) ? flatten(value.text) + flatten(value.extra) : "";
  };
  for (const line of flatten(description).slice(0, 2_000).split("\n")) {
    const name = cleanText(line);
    if (name !== null) return name === UNNAMED ? null : name;
  }
  return null;
}

export const minecraft: Adapter = {
  query: ({ address, port, host, ...options }) => queryMinecraft({ address, port, host }, options),
  deadlineMs: 2000,
  transport: "tcp",
  service: { name: "_minecraft._tcp", port: 25_565 },
  tries: (port) => [{ port }],
  game: () => "Minecraft",
  certainty: () => 30,
};
