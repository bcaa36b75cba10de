// From what was seen at a game server's address to what it means: what answered, best first, or what is wrong and how to mend it.
import type { AdapterOptions } from "#db/schema/index.ts";
import type { A2sAbout } from "#outside/game-query/a2s-reply.ts";
import type { QueryResult } from "#outside/game-query/answer.ts";
import { findGameType, listGameTypes } from "#outside/game-types.ts";
import type { QueryFailure } from "#shared/statuses.ts";

/** One question that was asked, and what came of it. */
export type Probe =
  | { by: "a2s"; port: number; result: QueryResult; about: A2sAbout | null }
  | { by: "minecraft"; port: number; viaService: boolean; result: QueryResult }
  | { by: "tcp"; port: number; expect: NonNullable<AdapterOptions["expect"]>; result: QueryResult }
  | { by: "gamedig"; port: number; type: string; result: QueryResult };

/** What stands between us and the address, or that nothing does. */
export type AddressSeen =
  | { seen: "open" }
  | { seen: "unreadable" | "bad_port" | "no_address" | "reports_itself" | "unknown_name" | "never_allowed" }
  | { seen: "closed_address"; address: string }
  | { seen: "closed_port"; port: number };

export type Observations = {
  host: string;
  /** The port that was typed; null when it was left empty. */
  port: number | null;
  address: AddressSeen;
  probes: Probe[];
  /** What the record of a saved game server says, when it is that which is examined. */
  record?: { adapter: string; version: string | null; queryPort: number | null };
};

/** Something that answers, as the form of a game server would hold it. */
type Finding = {
  adapter: "a2s" | "minecraft" | "tcp" | "gamedig";
  adapter_options: AdapterOptions;
  host: string;
  game_port: number | null;
  query_port: number | null;
  game: string | null;
  name: string | null;
  map: string | null;
  version: string | null;
  players: number | null;
  max_players: number | null;
  latency_ms: number;
  /** It answers at a port that is neither the typed one nor the next: maybe another game server of the same machine. */
  elsewhere: boolean;
};

/** Why nothing answered, or what to know about what did; the words for it are the page's. */
export type Cause =
  | { code: "unreadable" | "bad_port" | "no_address" | "reports_itself" | "silent" | "own_network" | "no_protocol" }
  | { code: "unknown_name"; host: string }
  | { code: "closed_address"; address: string; setting: "PROBE_ALLOW_CIDRS"; cidr: string }
  | { code: "never_allowed"; host: string }
  | { code: "closed_port"; port: number }
  | { code: "nobody_listens"; port: number | null }
  | { code: "tcp_only"; port: number }
  | { code: "udp_lost"; port: number }
  | { code: "valheim_private"; port: number }
  | { code: "minecraft_mute"; port: number }
  | { code: "other_language"; port: number }
  | { code: "query_port_beside"; game_port: number; query_port: number }
  | { code: "other_version"; told: string; recorded: string }
  | { code: "record_port"; query_port: number | null };

export type Diagnosis = {
  findings: Finding[];
  causes: Cause[];
  tried: {
    by: Probe["by"];
    type: string | null;
    port: number;
    outcome: "answered" | QueryFailure;
    latency_ms: number;
  }[];
};

const VALHEIM_PORTS = { from: 2456, to: 2466 };
/** Games without a query protocol: Skyrim Together. */
const MUTE_PORTS = [10_578, 10_579];
const TERA_GREETING = "01000000";

/** Judges what was seen. Pure; everything that it names was seen or typed. */
export function diagnose(seen: Observations): Diagnosis {
  const probes = seen.probes
    .filter(isFirstOfItsSort)
    .sort((a, b) => Number(b.result.ok) - Number(a.result.ok) || a.port - b.port);
  const tried = probes.map((probe) => ({
    by: probe.by,
    type: probe.by === "gamedig" ? probe.type : null,
    port: probe.port,
    outcome: probe.result.ok ? ("answered" as const) : probe.result.failure,
    latency_ms: Math.ceil(probe.result.latencyMs),
  }));
  if (seen.address.seen !== "open") return { findings: [], causes: [causeOfAddress(seen)], tried };
  const findings = seen.probes.flatMap((probe) => findingOf(probe, seen)).sort((a, b) => rank(b, seen) - rank(a, seen));
  const distinct = findings.filter((finding, place) => place === findings.findIndex((one) => isSame(one, finding)));
  // That a port accepts says little where the game itself has spoken there.
  const isToldBySomeone = distinct.some(isTold);
  const best = distinct.filter((one, place) => one.adapter !== "tcp" || (!isToldBySomeone && place === 0));
  return { findings: best, causes: best.some(isTold) ? notesOn(best, seen) : causesOfSilence(seen), tried };
}

/** A TCP port is looked at in several ways at once; one of them says it all when none succeeds. */
function isFirstOfItsSort(probe: Probe, place: number, probes: Probe[]): boolean {
  const isAlike = (one: Probe): boolean =>
    one.by === probe.by && one.port === probe.port && one.by !== "gamedig" && one.result.ok === probe.result.ok;
  return probe.by !== "tcp" || probes.findIndex(isAlike) === place;
}

const isTold = (finding: Finding): boolean => finding.adapter !== "tcp" && !finding.elsewhere;

function isSame(one: Finding, other: Finding): boolean {
  if (one.adapter !== other.adapter) return false;
  const samePort = (one.query_port ?? one.game_port) === (other.query_port ?? other.game_port);
  // The same server by two ports tells the same of itself.
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
    case "never_allowed":
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
  const told = probe.by === "a2s" ? toldGamePort(probe) : null;
  // One port beside what was typed is asked, too: there it is the same game server unless it says that players type another.
  const isBeside = typed !== null && Math.abs(probe.port - typed) <= 1 && (told === null || probe.port === typed);
  const elsewhere = typed !== null && told !== typed && !isBeside && !isUsualPair(typed, probe.port);
  // The typed port was the query port when the game server says that players type the one before it.
  const isTypedByPlayers = typed !== null && !elsewhere && !(probe.port === typed && told === typed - 1);
  const game_port = isTypedByPlayers
    ? typed
    : probe.by === "minecraft" && probe.viaService
      ? null
      : (told ?? probe.port);
  const common = {
    host: seen.host,
    game_port,
    name: answer.name,
    map: answer.map,
    version: answer.version,
    players: answer.players,
    max_players: answer.maxPlayers,
    latency_ms: Math.ceil(latencyMs),
    elsewhere,
  };
  const query_port = game_port === probe.port || game_port === null ? null : probe.port;
  switch (probe.by) {
    case "a2s":
      return [
        {
          ...common,
          query_port,
          adapter: "a2s",
          game: probe.about?.game ?? null,
          adapter_options: a2sOptions(probe.about),
        },
      ];
    case "minecraft":
      return [{ ...common, query_port, adapter: "minecraft", game: "Minecraft", adapter_options: {} }];
    case "gamedig": {
      const game = findGameType(probe.type)?.name ?? null;
      return [{ ...common, query_port, adapter: "gamedig", game, adapter_options: { gamedigType: probe.type } }];
    }
    default: {
      const isTera = typeof probe.expect === "object" && probe.expect.prefixHex === TERA_GREETING;
      const game = isTera ? "Tera" : null;
      return [{ ...common, query_port, adapter: "tcp", game, adapter_options: { expect: probe.expect } }];
    }
  }
}

/** The port that players type, as far as the reply tells; Valheim's is always the one before that which is asked. */
function toldGamePort({ port, about }: Extract<Probe, { by: "a2s" }>): number | null {
  const told = about?.gamePort ?? null;
  return about?.folder === "valheim" && (told === null || told === port) ? port - 1 : told;
}

/** What is known of games whose replies are wrong somewhere. */
function a2sOptions(about: A2sAbout | null): AdapterOptions {
  if (/^ark_survival/i.test(about?.folder ?? "")) return { countFromPlayerList: true };
  if (/^the front$/i.test(about?.game ?? "")) return { trustRecord: true };
  return {};
}

/** Whether some game is usually joined at one of these ports and asked at the other. */
function isUsualPair(gamePort: number, queryPort: number): boolean {
  return listGameTypes().some((row) => row.port === gamePort && row.query_port === queryPort);
}

function rank(finding: Finding, { port }: Observations): number {
  const byAdapter = { a2s: 30, minecraft: 30, gamedig: 20, tcp: 0 }[finding.adapter];
  const asked = finding.query_port ?? finding.game_port;
  const byPort = finding.elsewhere ? -100 : asked === port ? 4 : 0;
  const byExpectation =
    finding.adapter !== "tcp" || finding.adapter_options.expect === "connect"
      ? 0
      : finding.adapter_options.expect === "server_first"
        ? 1
        : 2;
  return byAdapter + byPort + byExpectation + (finding.players === null ? 0 : 2) + (finding.name === null ? 0 : 1);
}

function notesOn(findings: Finding[], seen: Observations): Cause[] {
  const notes: Cause[] = [];
  const [best] = findings;
  if (!best) return notes;
  if (best.query_port !== null && best.game_port !== null) {
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

/** Nothing has told what it is: the likeliest reasons, the surest first. */
function causesOfSilence(seen: Observations): Cause[] {
  const { probes, port } = seen;
  const failures = probes.flatMap((probe) => (probe.result.ok ? [] : [{ probe, failure: probe.result.failure }]));
  const overUdp = failures.filter(({ probe }) => probe.by === "a2s");
  const tcpAccepts = probes.some((probe) => (probe.by === "tcp" && probe.result.ok) || isHeard(probe, "minecraft"));
  const machineThere = tcpAccepts || failures.some(({ failure }) => failure === "refused");
  const causes: Cause[] = [];

  if (
    probes.length > 0 &&
    failures.length === probes.length &&
    failures.every(({ failure }) => failure === "network")
  ) {
    return [{ code: "own_network" }];
  }
  if (port !== null && port >= VALHEIM_PORTS.from && port <= VALHEIM_PORTS.to) {
    causes.push({ code: "valheim_private", port });
  }
  if (port !== null && MUTE_PORTS.includes(port)) causes.push({ code: "no_protocol" });
  const mute = probes.find((probe) => isHeard(probe, "minecraft"));
  if (mute && mute.port === 25_565) causes.push({ code: "minecraft_mute", port: mute.port });
  const strange = failures.find(
    ({ probe, failure }) => failure === "malformed" && probe.by !== "tcp" && probe.port === port,
  );
  if (strange && !mute) causes.push({ code: "other_language", port: strange.probe.port });
  if (tcpAccepts && port !== null) causes.push({ code: "tcp_only", port });
  if (port !== null && machineThere && overUdp.length > 0 && overUdp.every(({ failure }) => failure === "no_reply")) {
    causes.push({ code: "udp_lost", port });
  }
  const refused = !tcpAccepts && failures.length > 0 && failures.every(({ failure }) => failure === "refused");
  if (refused) causes.push({ code: "nobody_listens", port });
  else if (!machineThere) causes.push({ code: "silent" });
  else if (!tcpAccepts && causes.length === 0) causes.push({ code: "nobody_listens", port });
  return causes;
}

/** The connection was accepted, and then nothing that this adapter understands came. */
function isHeard(probe: Probe, by: Probe["by"]): boolean {
  return (
    probe.by === by && !probe.result.ok && (probe.result.failure === "timeout" || probe.result.failure === "malformed")
  );
}
