// Suggests what to try next after no reply: games with usual ports nearby, and the heartbeat.
import { isDeepStrictEqual } from "node:util";
import { ADAPTERS } from "#outside/game-query/adapters.ts";
import { type GameType, listGameTypes } from "#outside/game-types.ts";
import type { Cause, WaysOn } from "#shared/diagnosis.ts";
import type { Observations, Probe } from "./diagnosis.ts";
import { stateOfPort } from "./port-evidence.ts";

/** Something may be at the port that only another query would reach. */
const WORTH_ASKING: ReadonlySet<Cause["code"]> = new Set(["mute", "udp_lost", "tcp_only", "other_language"]);
/** Servers that can't be queried can still report: a heartbeat leaves the game machine and needs no open port. */
const CAN_REPORT: ReadonlySet<Cause["code"]> = new Set([
  ...WORTH_ASKING,
  "silent",
  "no_protocol",
  "closed_address",
  "closed_port",
]);
/** The query library's protocols that use TCP. */
const LIBRARY_OVER_TCP: ReadonlySet<string> = new Set(["battlefield", "mumble", "openttd", "soldat", "starmade"]);
/** Second and third game servers often get the next ports after the usual one. */
const NEAR = 20;
const MOST_GAMES = 6;

/** Suggests further steps for the causes found. */
export function waysOnFrom({ host, port, address, probes }: Observations, causes: readonly Cause[]): WaysOn {
  const isWorth = (codes: ReadonlySet<Cause["code"]>) => causes.some(({ code }) => codes.has(code));
  return {
    games: port !== null && isWorth(WORTH_ASKING) ? gamesNear(port, probes) : [],
    // A record may not contain a closed address, and needs none for a heartbeat.
    heartbeat: isWorth(CAN_REPORT)
      ? {
          host: address.seen === "closed_address" ? null : host,
          game_port: address.seen === "closed_port" ? null : port,
        }
      : null,
  };
}

const distanceTo = (port: number, row: GameType): number =>
  Math.min(
    ...[row.port, row.query_port].map((usual) => (usual === null ? Number.POSITIVE_INFINITY : Math.abs(usual - port))),
  );

/** The nearest games not tried yet, one per protocol: the reply tells its games apart. */
function gamesNear(port: number, probes: readonly Probe[]): WaysOn["games"] {
  // A port that refuses over UDP is queried over TCP only.
  const isPossible = stateOfPort(probes, port, "udp") === "closed" ? isOverTcp : () => true;
  const near = listGameTypes()
    .filter(isPossible)
    .map((row) => ({ row, distance: distanceTo(port, row) }))
    .filter(({ row, distance }) => distance <= NEAR && !isTried(row, port, probes))
    .sort((a, b) => a.distance - b.distance);
  const offered = new Map<string, GameType>();
  for (const { row } of near) if (!offered.has(row.protocol)) offered.set(row.protocol, row);
  return [...offered.values()].slice(0, MOST_GAMES).map(({ type, name }) => ({ type, name }));
}

const isOverTcp = ({ asked, protocol }: GameType): boolean =>
  ADAPTERS[asked].transport === "tcp" || (asked === "gamedig" && LIBRARY_OVER_TCP.has(protocol));

/** True if querying as this game would repeat earlier probes. */
function isTried(row: GameType, port: number, probes: readonly Probe[]): boolean {
  const protocolOf = (type: string | undefined) => listGameTypes().find((one) => one.type === type)?.protocol;
  return ADAPTERS[row.asked]
    .tries(port, row)
    .every((one) =>
      probes.some(
        (probe) =>
          probe.by === row.asked &&
          probe.port === one.port &&
          (isDeepStrictEqual(probe.options, one.options ?? {}) ||
            protocolOf(probe.options.gamedigType) === row.protocol),
      ),
    );
}
