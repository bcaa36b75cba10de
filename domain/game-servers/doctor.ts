// The doctor: asks an address in every way that a game server may answer, side by side, and within 5 s says what it found.
import { isDeepStrictEqual } from "node:util";
import { createGameAddressResolver } from "#outside/game-address.ts";
import { createNameLookup } from "#outside/game-address-lookup.ts";
import { AddressRanges, isAllowedAddress, isAllowedPort, readHost } from "#outside/game-address-rules.ts";
import type { About, Adapter, Try } from "#outside/game-query/adapter.ts";
import { ADAPTERS } from "#outside/game-query/adapters.ts";
import { findGameType, type GameType } from "#outside/game-types.ts";
import {
  ADAPTER_FACTS,
  type AdapterId,
  type AdapterOptions,
  ASKED_ADAPTERS,
  type AskedAdapterId,
  isAsked,
} from "#shared/adapters.ts";
import type { Diagnosis } from "#shared/diagnosis.ts";
import { readTypedAddress } from "../sign-in/typed-address.ts";
import { type AddressSeen, diagnose, type Observations, type Probe } from "./diagnosis.ts";

/** A saved game server, as far as asking it goes. */
type GameServerRecord = {
  host: string | null;
  game_port: number | null;
  query_port: number | null;
  adapter: AdapterId;
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
/** No adapter is given longer than this, whatever it is given while a game server is watched. */
const MOST_MS = 2500;

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
  const ask = async (by: AskedAdapterId, host: string, { port, options = {} }: Try): Promise<Probe | null> => {
    const { service, deadlineMs, query }: Adapter = ADAPTERS[by];
    const target = await resolver.resolve(port === null ? { host, port, service } : { host, port });
    if (!target.ok) return null;
    let about: About | null = null;
    const onAbout = (told: About) => {
      about = told;
    };
    const place = { address: target.address, port: target.port };
    const result = await query({ ...place, host, options, deadlineMs: Math.min(deadlineMs, MOST_MS), onAbout });
    if (!result.ok && result.failure === "blocked") return null;
    return {
      by,
      port: target.port,
      viaService: port === null && target.port !== service?.port,
      options,
      about,
      result,
    };
  };

  /** Everything that may answer; what a record says (`saved`) first. */
  const askAll = (host: string, port: number | null, picked: GameType | null, saved?: Try & { by: AskedAdapterId }) => {
    const tries = ASKED_ADAPTERS.flatMap((by) =>
      ADAPTERS[by].tries(port, picked).map((one) => ({ by, options: {}, ...one })),
    );
    const others = tries.filter((one) => !isDeepStrictEqual(one, saved));
    return (saved ? [saved, ...others] : others).map(({ by, ...one }) => ask(by, host, one));
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
      return examineAt(read.host, read.port, () => askAll(read.host, read.port, picked));
    },
    async examineRecord(record) {
      const { host, game_port, query_port, adapter, adapter_options } = record;
      // What is not asked by the collector either: its game machine tells.
      if (!isAsked(adapter)) {
        return diagnose({ host: host ?? "", port: null, address: { seen: "reports_itself" }, probes: [] });
      }
      if (host === null) return diagnose({ host: "", port: null, address: { seen: "no_address" }, probes: [] });
      const port = game_port ?? query_port;
      const asked = query_port ?? game_port;
      const picked = findGameType(adapter_options.gamedigType ?? "");
      const ask = () => askAll(host, port, picked, { by: adapter, port: asked, options: adapter_options });
      return examineAt(host, port, ask, { adapter, version: record.version, queryPort: asked });
    },
  };
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
      if (probe.result.ok && ADAPTER_FACTS[probe.by].tells.players && isTheirs(probe))
        timers.push(setTimeout(end, AFTERWARDS_MS));
    }),
  );
  await Promise.race([all, over]);
  for (const timer of timers) clearTimeout(timer);
  return probes.slice();
}
