// Turns probes of an address into a diagnosis: what replied, best first, or what is wrong and how to fix it.
import { CATALOGUE } from "#content/catalogue/catalogue.ts";
import type { About } from "#outside/game-query/adapter.ts";
import { ADAPTERS } from "#outside/game-query/adapters.ts";
import type { QueryResult } from "#outside/game-query/answer.ts";
import { listGameTypes } from "#outside/game-types.ts";
import {
  ADAPTER_FACTS,
  type AdapterId,
  type AdapterOptions,
  type AskedAdapterId,
  askedPort,
  isOwnAnswer,
} from "#shared/adapters.ts";
import type { Cause, Diagnosis, Finding } from "#shared/diagnosis.ts";
import { fitted } from "../../form-text.ts";
import { GAME_SERVER_LIMITS } from "../fields.ts";
import { closedNear, isMachineThere, isOursAway, stateOfPort } from "./port-evidence.ts";
import { waysOnFrom } from "./ways-on.ts";

/** One query and its result. */
export type Probe = {
  by: AskedAdapterId;
  /** The queried port; `viaService`: from a DNS service record. */
  port: number;
  viaService: boolean;
  options: AdapterOptions;
  /** The reply's facts about its game. */
  about: About | null;
  result: QueryResult;
};

/** Whether, and why, the address can't be queried. */
export type AddressSeen =
  /** `address`: the literal one that is queried. */
  | { seen: "open"; address: string }
  | { seen: "unreadable" | "bad_port" | "no_address" | "reports_itself" | "never_allowed" | "dns_failed" }
  /** `known`: the end of the name that DNS does resolve. */
  | { seen: "unknown_name"; known: string | null }
  | { seen: "closed_address"; address: string }
  | { seen: "closed_port"; port: number };

export type Observations = {
  host: string;
  /** The typed port; null when it was left empty. */
  port: number | null;
  address: AddressSeen;
  probes: Probe[];
  /** The adapter of the game that the user named, if any. */
  meant?: AdapterId | null;
  /** The record, when a saved game server is examined. */
  record?: { adapter: AdapterId; version: string | null; queryPort: number | null };
};

const VALHEIM_PORTS = { from: 2456, to: 2466 };
/** Games without a query protocol: Skyrim Together. */
const MUTE_PORTS = [10_578, 10_579];

/** Diagnoses the observations. Pure; names only what was seen or typed, and claims no more than that proves. */
export function diagnose(seen: Observations): Diagnosis {
  const probes = seen.probes
    .filter(isFirstOfItsSort)
    .sort((a, b) => Number(b.result.ok) - Number(a.result.ok) || a.port - b.port);
  const tried = probes.map((probe) => ({
    by: probe.by,
    type: probe.options.gamedigType ?? null,
    port: probe.port,
    outcome: probe.result.ok ? ("answered" as const) : probe.result.failure,
    latency_ms: Math.ceil(probe.result.latencyMs),
  }));
  if (seen.address.seen !== "open") {
    const causes = [causeOfAddress(seen)];
    return { findings: [], causes, ways: waysOnFrom(seen, causes), tried };
  }
  const findings = seen.probes.flatMap((probe) => findingOf(probe, seen)).sort((a, b) => rank(b, seen) - rank(a, seen));
  const distinct = findings.filter((finding, place) => place === findings.findIndex((one) => isSame(one, finding)));
  // An accepting port says little if the game itself replied there.
  const isToldBySomeone = distinct.some(isTold);
  const best = distinct.filter((one, place) => isOwnAnswer(one.adapter) || (!isToldBySomeone && place === 0));
  if (best.some(isTold)) return { findings: best, causes: notesOn(best, seen), ways: NO_WAYS, tried };
  const causes = causesOfSilence(seen, seen.address.address);
  return { findings: best, causes, ways: waysOnFrom(seen, causes), tried };
}

const NO_WAYS: Diagnosis["ways"] = { games: [], heartbeat: null };

/** A TCP port is probed in several ways at once; one failure represents them all when none succeeds. */
function isFirstOfItsSort(probe: Probe, place: number, probes: Probe[]): boolean {
  const isAlike = (one: Probe): boolean =>
    one.by === probe.by && one.port === probe.port && one.result.ok === probe.result.ok;
  return isOwnAnswer(probe.by) || probes.findIndex(isAlike) === place;
}

const isTold = (finding: Finding): boolean => isOwnAnswer(finding.adapter) && !finding.elsewhere;

function isSame(one: Finding, other: Finding): boolean {
  if (one.adapter !== other.adapter) return false;
  const samePort = (one.query_port ?? one.game_port) === (other.query_port ?? other.game_port);
  // The same server on two ports reports the same data.
  return samePort || (one.name !== null && one.name === other.name && one.map === other.map && one.elsewhere);
}

function causeOfAddress({ host, address }: Observations): Cause {
  switch (address.seen) {
    case "closed_address": {
      const bits = address.address.includes(":") ? 128 : 32;
      const cidr = `${address.address}/${bits}`;
      return { code: "closed_address", address: address.address, setting: "PROBE_ALLOW_CIDRS", cidr };
    }
    case "closed_port":
      return { code: "closed_port", port: address.port };
    case "unknown_name":
      return { code: "unknown_name", host, known: address.known };
    case "never_allowed":
    case "dns_failed":
      return { code: address.seen, host };
    case "bad_port":
    case "no_address":
    case "reports_itself":
      return { code: address.seen };
    default:
      return { code: "unreadable" };
  }
}

function findingOf(probe: Probe, seen: Observations): Finding[] {
  if (!probe.result.ok) return [];
  const { answer, latencyMs } = probe.result;
  const typed = seen.port;
  const told = asPort(probe.about?.gamePort ?? null);
  // A neighbouring port is probed too: it is the same game server unless it says that players join at another.
  const isBeside = typed !== null && Math.abs(probe.port - typed) <= 1 && (told === null || probe.port === typed);
  const elsewhere = typed !== null && told !== typed && !isBeside && !isUsualPair(typed, probe);
  // The typed port was the query port if the game server says that players join at the one before it, or at any other if its kind
  // has a separate query port.
  const isQueryPort = told !== null && probe.port === typed && isOtherThan(typed, told, probe.by);
  const isTypedByPlayers = typed !== null && !elsewhere && !isQueryPort;
  const game_port = isTypedByPlayers ? typed : probe.viaService ? null : (told ?? probe.port);
  const goesWithoutSaying = game_port === null || (game_port === probe.port && isUsuallyAsked(probe, game_port));
  return [
    {
      host: seen.host,
      game_port,
      query_port: goesWithoutSaying ? null : probe.port,
      adapter: probe.by,
      adapter_options: probe.about?.options ?? probe.options,
      game: probe.about?.game ?? ADAPTERS[probe.by].game(probe.options) ?? gameAtPort(probe),
      steam_app_id: probe.about?.steamAppId ?? null,
      // Some games exceed the limits of a record.
      name: fit(answer.name, GAME_SERVER_LIMITS.name),
      map: answer.map,
      version: fit(answer.version, GAME_SERVER_LIMITS.version),
      players: answer.players,
      max_players: answer.maxPlayers,
      latency_ms: Math.ceil(latencyMs),
      elsewhere,
    },
  ];
}

/** Returns the name of the one game that usually listens where only an accepting port was found; null: none, or several. */
function gameAtPort({ by, port }: Probe): string | null {
  if (isOwnAnswer(by)) return null;
  const [game, ...others] = CATALOGUE.filter(({ gamePort, queryPort }) => gamePort === port || queryPort === port);
  return others.length === 0 ? (game?.name ?? null) : null;
}

const isOtherThan = (typed: number, told: number, by: AskedAdapterId): boolean =>
  told === typed - 1 || (told !== typed && ADAPTER_FACTS[by].usualQueryPort !== undefined);
const fit = (text: string | null, most: number): string | null => (text && fitted(text, most)) || null;
const asPort = (told: number | null): number | null => (told !== null && told >= 1 && told <= 65_535 ? told : null);

/** True if this adapter usually queries this port, for a game joined at `gamePort`. */
const isUsuallyAsked = ({ by, port }: Probe, gamePort: number | null): boolean =>
  askedPort(by, { gamePort, queryPort: null }) === port;

/** True if some game is usually joined at this port and queried at the probe's. */
function isUsualPair(gamePort: number, probe: Probe): boolean {
  if (isUsuallyAsked(probe, gamePort)) return true;
  return listGameTypes().some((row) => row.port === gamePort && row.query_port === probe.port);
}

function rank(finding: Finding, { port }: Observations): number {
  const certainty = ADAPTERS[finding.adapter].certainty(finding.adapter_options);
  const asked = finding.query_port ?? finding.game_port;
  const byPort = finding.elsewhere ? -100 : asked === port ? 4 : 0;
  return certainty + byPort + (finding.players === null ? 0 : 2) + (finding.name === null ? 0 : 1);
}

function notesOn(findings: Finding[], seen: Observations): Cause[] {
  const notes: Cause[] = [];
  const [best] = findings;
  if (!best) return notes;
  if (best.query_port !== null && best.game_port !== null && best.query_port !== best.game_port) {
    notes.push({ code: "query_port_beside", game_port: best.game_port, query_port: best.query_port });
  }
  const { record } = seen;
  if (!record) return notes;
  if (best.version !== null && record.version !== null && best.version !== record.version) {
    notes.push({ code: "other_version", told: best.version, recorded: record.version });
  }
  const asked = best.query_port ?? best.game_port;
  if (best.adapter !== record.adapter || (record.queryPort !== null && asked !== record.queryPort)) {
    notes.push({ code: "record_port", query_port: asked });
  }
  return notes;
}

/** Lists what is known of the machine and the port when no reply identified a game, the surest first, with remedies. */
function causesOfSilence({ host, port, probes, meant, record }: Observations, address: string): Cause[] {
  if (isOursAway(probes)) return [{ code: "own_network" }];
  if (!isMachineThere(probes)) {
    return [
      ...hintsAt(port),
      { code: "silent", host, address },
      ...(port === null ? [{ code: "which_port" as const }] : []),
    ];
  }
  const keyed = probes.find(
    (probe) =>
      !probe.result.ok &&
      probe.result.failure === "unauthorized" &&
      ([record?.queryPort, port].includes(probe.port) || isUsuallyAsked(probe, port)),
  );
  if (keyed) return [{ code: "wants_key", port: keyed.port }];
  if (port === null) {
    const answered = [...new Set(probes.map((probe) => probe.port))].filter(
      (one) => stateOfPort(probes, one, "tcp") === "accepts",
    );
    const mute = answered.includes(25_565) ? [{ code: "minecraft_mute" as const, port: 25_565 }] : [];
    const closed = probes.every(({ result }) => !result.ok && result.failure === "refused");
    return [...mute, closed ? { code: "nobody_listens", port } : { code: "which_port" }];
  }
  const udp = stateOfPort(probes, port, "udp");
  const tcp = stateOfPort(probes, port, "tcp");
  if (udp === "closed" && tcp === "closed") return [{ code: "nobody_listens", port }];
  const adapter = record?.adapter ?? meant;
  if (tcp === "closed" && adapter != null && ADAPTERS[adapter]?.transport === "tcp" && !isSpoken(probes, port)) {
    return [{ code: "tcp_closed", port }];
  }
  if (udp === "closed" && tcp !== "accepts") return [{ code: "udp_closed", port }];
  const causes = udp === "closed" ? [] : hintsAt(port);
  const isMinecraftMute = port === 25_565 && tcp === "accepts";
  if (isMinecraftMute) causes.push({ code: "minecraft_mute", port });
  else if (isSpoken(probes, port)) causes.push({ code: "other_language", port });
  if (tcp === "accepts") causes.push({ code: "tcp_only", port });
  // The query library's own probes aren't counted above; bytes in reply to one of them are no silence.
  if (udp === "silent" && !isSpoken(probes, port)) {
    const beside = closedNear(probes, port);
    causes.push(beside === null ? { code: "udp_lost", port } : { code: "mute", port, beside });
  }
  // Over UDP our own machine couldn't send, and over TCP there is nothing.
  return causes.length > 0 ? causes : [{ code: "own_network" }];
}

/** Hints about games that usually use this port. */
function hintsAt(port: number | null): Cause[] {
  if (port === null) return [];
  if (port >= VALHEIM_PORTS.from && port <= VALHEIM_PORTS.to) return [{ code: "valheim_private", port }];
  return MUTE_PORTS.includes(port) ? [{ code: "no_protocol" }] : [];
}

/** True if a port replied with something that none of the adapters understood. */
const isSpoken = (probes: readonly Probe[], port: number): boolean =>
  probes.some(({ by, port: asked, result }) => {
    if (asked !== port || result.ok || !isOwnAnswer(by)) return false;
    return result.failure === "malformed" || (result.failure === "timeout" && ADAPTERS[by].transport !== "tcp");
  });
