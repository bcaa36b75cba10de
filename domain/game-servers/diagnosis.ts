// From what was seen at a game server's address to what it means: what answered, best first, or what is wrong and how to mend it.
import type { About } from "#outside/game-query/adapter.ts";
import { ADAPTERS } from "#outside/game-query/adapters.ts";
import type { QueryResult } from "#outside/game-query/answer.ts";
import { listGameTypes } from "#outside/game-types.ts";
import { ADAPTER_FACTS, type AdapterId, type AdapterOptions, type AskedAdapterId } from "#shared/adapters.ts";
import type { Cause, Diagnosis, Finding } from "#shared/diagnosis.ts";

/** One question that was asked, and what came of it. */
export type Probe = {
  by: AskedAdapterId;
  /** The port that was asked; `viaService`: the DNS told it. */
  port: number;
  viaService: boolean;
  options: AdapterOptions;
  /** What the reply tells of its game. */
  about: About | null;
  result: QueryResult;
};

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
  record?: { adapter: AdapterId; version: string | null; queryPort: number | null };
};

const VALHEIM_PORTS = { from: 2456, to: 2466 };
/** Games without a query protocol: Skyrim Together. */
const MUTE_PORTS = [10_578, 10_579];

/** Judges what was seen. Pure; everything that it names was seen or typed. */
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
  if (seen.address.seen !== "open") return { findings: [], causes: [causeOfAddress(seen)], tried };
  const findings = seen.probes.flatMap((probe) => findingOf(probe, seen)).sort((a, b) => rank(b, seen) - rank(a, seen));
  const distinct = findings.filter((finding, place) => place === findings.findIndex((one) => isSame(one, finding)));
  // That a port accepts says little where the game itself has spoken there.
  const isToldBySomeone = distinct.some(isTold);
  const best = distinct.filter((one, place) => isTelling(one.adapter) || (!isToldBySomeone && place === 0));
  return { findings: best, causes: best.some(isTold) ? notesOn(best, seen) : causesOfSilence(seen), tried };
}

/** A TCP port is looked at in several ways at once; one of them says it all when none succeeds. */
function isFirstOfItsSort(probe: Probe, place: number, probes: Probe[]): boolean {
  const isAlike = (one: Probe): boolean =>
    one.by === probe.by && one.port === probe.port && one.result.ok === probe.result.ok;
  return isTelling(probe.by) || probes.findIndex(isAlike) === place;
}

/** Whether an answer is the game's own, and not only a door that opens. */
const isTelling = (adapter: AdapterId): boolean => ADAPTER_FACTS[adapter].tells.players;
const isTold = (finding: Finding): boolean => isTelling(finding.adapter) && !finding.elsewhere;

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
  const told = probe.about?.gamePort ?? null;
  // One port beside what was typed is asked, too: there it is the same game server unless it says that players type another.
  const isBeside = typed !== null && Math.abs(probe.port - typed) <= 1 && (told === null || probe.port === typed);
  const elsewhere = typed !== null && told !== typed && !isBeside && !isUsualPair(typed, probe.port);
  // The typed port was the query port when the game server says that players type the one before it.
  const isTypedByPlayers = typed !== null && !elsewhere && !(probe.port === typed && told === typed - 1);
  const game_port = isTypedByPlayers ? typed : probe.viaService ? null : (told ?? probe.port);
  return [
    {
      host: seen.host,
      game_port,
      query_port: game_port === probe.port || game_port === null ? null : probe.port,
      adapter: probe.by,
      adapter_options: probe.about?.options ?? probe.options,
      game: probe.about?.game ?? ADAPTERS[probe.by].game(probe.options),
      steam_app_id: probe.about?.steamAppId ?? null,
      name: answer.name,
      map: answer.map,
      version: answer.version,
      players: answer.players,
      max_players: answer.maxPlayers,
      latency_ms: Math.ceil(latencyMs),
      elsewhere,
    },
  ];
}

/** Whether some game is usually joined at one of these ports and asked at the other. */
function isUsualPair(gamePort: number, queryPort: number): boolean {
  return listGameTypes().some((row) => row.port === gamePort && row.query_port === queryPort);
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
  const overUdp = failures.filter(({ probe }) => ADAPTERS[probe.by].transport === "udp");
  const tcpAccepts = probes.some(
    (probe) => ADAPTERS[probe.by].transport === "tcp" && (probe.result.ok ? !isTelling(probe.by) : isHeard(probe)),
  );
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
  const mute = probes.find((probe) => probe.by === "minecraft" && isHeard(probe));
  if (mute && mute.port === 25_565) causes.push({ code: "minecraft_mute", port: mute.port });
  const strange = failures.find(
    ({ probe, failure }) => failure === "malformed" && isTelling(probe.by) && probe.port === port,
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
const isHeard = ({ result }: Probe): boolean =>
  !result.ok && (result.failure === "timeout" || result.failure === "malformed");
