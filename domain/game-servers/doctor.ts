// The doctor: asks an address in every way that a game server may answer, side by side, and within 5 s says what it found.
import type { AdapterOptions } from "#db/schema/index.ts";
import { createGameAddressResolver } from "#outside/game-address.ts";
import { createNameLookup } from "#outside/game-address-lookup.ts";
import { AddressRanges, isAllowedAddress, isAllowedPort, readHost } from "#outside/game-address-rules.ts";
import { queryA2s } from "#outside/game-query/a2s.ts";
import type { A2sAbout } from "#outside/game-query/a2s-reply.ts";
import { queryMinecraft } from "#outside/game-query/minecraft.ts";
import { checkTcp } from "#outside/game-query/tcp.ts";
import { findGameType, type GameType, listGameTypes } from "#outside/game-types.ts";
import { queryGamedig } from "#outside/gamedig-process.ts";
import { readTypedAddress } from "../sign-in/typed-address.ts";
import { type AddressSeen, type Diagnosis, diagnose, type Observations, type Probe } from "./diagnosis.ts";

/** A saved game server, as far as asking it goes. */
type GameServerRecord = {
  host: string | null;
  game_port: number | null;
  query_port: number | null;
  adapter: string;
  adapter_options: AdapterOptions;
  version: string | null;
};

export type GameDoctor = {
  /** Examines what somebody pasted; `type` is a game of the allow-list that they picked. Never rejects. */
  examine(typed: string, options?: { type?: string | null }): Promise<Diagnosis>;
  /** Examines a saved game server: as its record says, and in all other ways. Never rejects. */
  examineRecord(record: GameServerRecord): Promise<Diagnosis>;
};

const WITHIN_MS = 5000;
/** Once the game has told what it is, the rest is not waited for any longer than this. */
const AFTERWARDS_MS = 500;
/** Where games are asked that need no port typed: Steam's own, Valheim, Project Zomboid. */
const USUAL_A2S_PORTS = [27_015, 27_016, 2457, 16_261];
const MINECRAFT_PORT = 25_565;
const TERA_GREETING = "01000000";
const MOST_GUESSED_TYPES = 4;
const GAMEDIG_MS = 2500;

/** Makes the doctor. The options are the collector's: what it may reach, the doctor may. Throws on a range that is none. */
export function createGameDoctor(options: {
  allowCidrs: readonly string[];
  deniedPorts?: readonly number[];
  /** DNS servers, as "address:port"; the system's when absent. */
  servers?: readonly string[];
}): GameDoctor {
  const exceptions = new AddressRanges(options.allowCidrs);
  const denied = new Set(options.deniedPorts ?? []);
  const resolver = createGameAddressResolver(options);
  const lookup = createNameLookup({ servers: options.servers, now: Date.now });
  const isOpen = (address: string): boolean => isAllowedAddress(address, exceptions);
  // Which of the closed addresses a setting would open: all but those that hide another one.
  const everywhere = new AddressRanges(["0.0.0.0/0", "::/0"]);

  const listAddresses = async (host: string): Promise<string[] | "refused"> => {
    const read = readHost(host);
    if (read.kind === "address") return [read.address];
    if (read.kind === "own_machine") return ["127.0.0.1"];
    if (read.kind === "refused") return read.failure === "blocked" ? "refused" : [];
    return (await lookup.listAddresses(read.name, isOpen)) ?? [];
  };

  const lookAt = async (host: string, port: number | null): Promise<AddressSeen> => {
    if (port !== null && !isAllowedPort(port, denied)) return { seen: "closed_port", port };
    const addresses = await listAddresses(host);
    if (addresses === "refused") return { seen: "never_allowed" };
    if (addresses.some(isOpen)) return { seen: "open" };
    const [first] = addresses;
    if (first === undefined) return { seen: "unknown_name" };
    return isAllowedAddress(first, everywhere) ? { seen: "closed_address", address: first } : { seen: "never_allowed" };
  };

  /** Resolves anew for each question, as the collector does: the checked address is the one that is asked. */
  const at = async (host: string, port: number, ask: (target: { address: string; port: number }) => Promise<Probe>) => {
    const target = await resolver.resolve({ host, port });
    return target.ok ? ask({ address: target.address, port: target.port }) : null;
  };

  const askA2s = (host: string, port: number, adapterOptions: AdapterOptions = {}) =>
    at(host, port, async (target) => {
      let about: A2sAbout | null = null;
      const onAbout = (told: A2sAbout) => {
        about = told;
      };
      const { countFromPlayerList } = adapterOptions;
      const result = await queryA2s(target, { countFromPlayerList, onAbout });
      return { by: "a2s", port, result, about };
    });
  const askMinecraft = async (host: string, port: number | null): Promise<Probe | null> => {
    const target = await resolver.resolve(
      port === null ? { host, port, srvService: "_minecraft._tcp" } : { host, port },
    );
    if (!target.ok) return null;
    return {
      by: "minecraft",
      port: target.port,
      viaService: port === null && target.port !== MINECRAFT_PORT,
      result: await queryMinecraft({ ...target, host }),
    };
  };
  const askTcp = (host: string, port: number, expect: NonNullable<AdapterOptions["expect"]>) =>
    at(host, port, async (target) => ({ by: "tcp", port, expect, result: await checkTcp(target, { expect }) }));
  const askGamedig = (host: string, port: number, type: string) =>
    at(host, port, async (target) => ({
      by: "gamedig",
      port,
      type,
      result: await queryGamedig(target, { type, deadlineMs: GAMEDIG_MS }),
    }));

  const questionsFor = (host: string, port: number | null, picked: GameType | null): Promise<Probe | null>[] => {
    const a2sPorts = new Set(port === null ? USUAL_A2S_PORTS : [port, port + 1, ...usualQueryPorts(port)]);
    if (picked?.asked === "a2s") for (const guess of queryPortsOf(picked, port)) a2sPorts.add(guess);
    const types = picked?.asked === "gamedig" ? [picked] : port === null ? [] : guessTypes(port);
    const gamedigs = types.flatMap((type) =>
      queryPortsOf(type, port).map((guess) => ({ type: type.type, port: guess })),
    );
    const tcp = port === null ? [] : (["connect", "server_first", { prefixHex: TERA_GREETING }] as const);
    return [
      ...[...a2sPorts].filter((one) => one <= 65_535).map((one) => askA2s(host, one)),
      askMinecraft(host, port),
      ...tcp.map((expect) => askTcp(host, port ?? 0, expect)),
      ...gamedigs.map((one) => askGamedig(host, one.port, one.type)),
    ];
  };

  const examineAt = async (
    host: string,
    port: number | null,
    ask: () => Promise<Probe | null>[],
    record?: Observations["record"],
  ): Promise<Diagnosis> => {
    const until = performance.now() + WITHIN_MS;
    const address = await lookAt(host, port);
    const isTheirs = (probe: Probe) => port === null || Math.abs(probe.port - port) <= 1;
    const probes = address.seen === "open" ? await gather(ask(), until - performance.now(), isTheirs) : [];
    return diagnose({ host, port, address, probes, record });
  };

  return {
    async examine(typed, { type } = {}) {
      const read = readTypedAddress(typed);
      if (!read.ok) {
        const seen = read.reason === "port" ? "bad_port" : "unreadable";
        return diagnose({ host: "", port: null, address: { seen }, probes: [] });
      }
      const picked = type ? findGameType(type) : null;
      return examineAt(read.host, read.port, () => questionsFor(read.host, read.port, picked));
    },
    async examineRecord(record) {
      const { host, game_port, query_port, adapter, adapter_options } = record;
      // What is not asked by the collector either: its game machine tells.
      if (adapter === "heartbeat") {
        return diagnose({ host: host ?? "", port: null, address: { seen: "reports_itself" }, probes: [] });
      }
      if (host === null) return diagnose({ host: "", port: null, address: { seen: "no_address" }, probes: [] });
      const port = game_port ?? query_port;
      const asked = query_port ?? game_port;
      const picked = adapter === "gamedig" ? findGameType(adapter_options.gamedigType ?? "") : null;
      const ask = () => {
        const others = questionsFor(host, port, picked);
        if (asked === null || adapter === "minecraft" || adapter === "tcp") return others;
        if (adapter === "gamedig") return picked ? [askGamedig(host, asked, picked.type), ...others] : others;
        return [askA2s(host, asked, adapter_options), ...others];
      };
      return examineAt(host, port, ask, { adapter, version: record.version, queryPort: asked });
    },
  };
}

/** The games that an admin can name to the doctor, by name. */
export const listPickableGames = (): { type: string; name: string }[] =>
  listGameTypes().map(({ type, name }) => ({ type, name }));

/** The ports at which games joined at `port` are usually asked over A2S. */
function usualQueryPorts(port: number): number[] {
  const ports = listGameTypes().flatMap((row) =>
    row.asked === "a2s" && row.port === port && row.query_port !== null ? [row.query_port] : [],
  );
  // What is joined at a port of its own is often asked at Steam's.
  return [...new Set([...ports, ...(port >= 7000 && port < 29_000 ? [27_015, 27_016] : [])])].slice(0, 6);
}

function queryPortsOf(type: GameType, port: number | null): number[] {
  if (port === null) return type.query_port === null ? [] : [type.query_port];
  const offset = type.port !== null && type.query_port !== null ? type.query_port - type.port : 0;
  return [...new Set([port, port + offset])].filter((guess) => guess > 0 && guess <= 65_535);
}

/** A few games of the long tail whose usual port this is, one for each protocol. */
function guessTypes(port: number): GameType[] {
  const found = new Map<string, GameType>();
  for (const row of listGameTypes()) {
    if (row.asked !== "gamedig" || (row.port !== port && row.query_port !== port)) continue;
    if (!found.has(row.protocol)) found.set(row.protocol, row);
  }
  return [...found.values()].slice(0, MOST_GUESSED_TYPES);
}

/** What was answered in time. Once a game has told what it is, the others get a moment more. */
async function gather(
  asked: Promise<Probe | null>[],
  withinMs: number,
  isTheirs: (probe: Probe) => boolean,
): Promise<Probe[]> {
  const probes: Probe[] = [];
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const timers = [setTimeout(end, Math.max(withinMs, 0))];
  const all = Promise.all(
    asked.map(async (one) => {
      const probe = await one.catch(() => null);
      if (!probe) return;
      probes.push(probe);
      if (probe.result.ok && probe.by !== "tcp" && isTheirs(probe)) timers.push(setTimeout(end, AFTERWARDS_MS));
    }),
  );
  await Promise.race([all, over]);
  for (const timer of timers) clearTimeout(timer);
  return probes.slice();
}
