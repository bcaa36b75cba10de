// The doctor: queries an address in every way that a game server may answer, and reports within 5 s.
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
  type AdapterSecrets,
  ASKED_ADAPTERS,
  type AskedAdapterId,
  askedPort,
  isAsked,
} from "#shared/adapters.ts";
import type { Diagnosis } from "#shared/diagnosis.ts";
import { readTypedAddress } from "../typed-address.ts";
import { type AddressSeen, diagnose, type Observations, type Probe } from "./diagnosis.ts";
import { askInTurns, type Question } from "./turns.ts";

/** The fields of a saved game server that a query needs. */
type GameServerRecord = {
  host: string | null;
  game_port: number | null;
  query_port: number | null;
  adapter: AdapterId;
  adapter_options: AdapterOptions;
  version: string | null;
  /** Credentials for queries. */
  secrets?: AdapterSecrets | null;
};

export type GameDoctor = {
  /** Examines pasted text; `type` is a game of the allow-list that the user picked. Never rejects. */
  examine(typed: string, options?: { type?: string | null }): Promise<Diagnosis>;
  /** Examines a saved game server: as recorded, and in all other ways; `type` as above. Never rejects. */
  examineRecord(record: GameServerRecord, options?: { type?: string | null }): Promise<Diagnosis>;
};

/** One query: only the recorded one may use the record's secrets. */
type Asked = Try & { secrets?: AdapterSecrets };

const WITHIN_MS = 5000;
/** Ends to look up of a name that doesn't resolve. */
const MOST_ENDS = 2;
/** Time limit per adapter, whatever its limit while a game server is watched. */
const MOST_MS = 2500;

/** Creates the doctor. Its options are the collector's, so both may reach the same addresses. Throws on an invalid range. */
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
  // Addresses that a setting could open: all closed ones except those that hide another.
  const everywhere = new AddressRanges(["0.0.0.0/0", "::/0"]);

  const listAddresses = async (host: string): Promise<string[] | "refused" | "dns_failed"> => {
    const read = readHost(host);
    if (read.kind === "address") return [read.address];
    if (read.kind === "own_machine") return ["127.0.0.1", "::1"];
    if (read.kind === "refused") return read.failure === "blocked" ? "refused" : [];
    return (await lookup.listAddresses(read.name, isOpen)) ?? "dns_failed";
  };

  /** Finds the longest end of a name with an address, if the whole has none: the part before it is misspelt, or too new. */
  const findKnownEnd = async (host: string): Promise<string | null> => {
    const labels = host.replace(/\.$/, "").split(".");
    for (let from = 1; from < Math.min(labels.length - 1, MOST_ENDS + 1); from++) {
      const end = labels.slice(from).join(".");
      const addresses = await listAddresses(end);
      if (typeof addresses !== "string" && addresses.length > 0) return end;
    }
    return null;
  };

  const lookAt = async (host: string, port: number | null): Promise<AddressSeen> => {
    if (port !== null && !isAllowedPort(port, denied)) return { seen: "closed_port", port };
    const addresses = await listAddresses(host);
    if (addresses === "refused") return { seen: "never_allowed" };
    if (addresses === "dns_failed") return { seen: "dns_failed" };
    const open = addresses.find(isOpen);
    if (open !== undefined) return { seen: "open", address: open };
    const [first] = addresses;
    if (first === undefined) {
      // A Minecraft name may have only a service record.
      const isService = port === null && (await findsByService(host));
      return isService ? { seen: "open", address: host } : { seen: "unknown_name", known: await findKnownEnd(host) };
    }
    return isAllowedAddress(first, everywhere) ? { seen: "closed_address", address: first } : { seen: "never_allowed" };
  };

  const findsByService = async (host: string): Promise<boolean> => {
    const services = ASKED_ADAPTERS.flatMap((by) => ADAPTERS[by].service ?? []);
    const found = await Promise.all(services.map((service) => resolver.resolve({ host, port: null, service })));
    return found.some(({ ok }) => ok);
  };

  /** Resolves again for each query, as the collector does: the checked address is the one queried. */
  const ask = async (
    by: AskedAdapterId,
    host: string,
    { port, gamePort, options = {}, secrets }: Asked,
  ): Promise<Probe | null> => {
    const { service, deadlineMs, query }: Adapter = ADAPTERS[by];
    const target = await resolver.resolve(port === null ? { host, port, service } : { host, port });
    if (!target.ok) return null;
    let about: About | null = null;
    const onAbout = (told: About) => {
      about = told;
    };
    const place = { address: target.address, port: target.port, ...(gamePort !== undefined && { gamePort }) };
    const result = await query({
      ...place,
      host,
      options,
      deadlineMs: Math.min(deadlineMs, MOST_MS),
      onAbout,
      ...(secrets && { secrets }),
    });
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

  /** Lists every query to try, the recorded one (`saved`) first. */
  const listQuestions = (
    host: string,
    port: number | null,
    picked: GameType | null,
    saved?: Asked & { by: AskedAdapterId },
  ): Question[] => {
    const tries = ASKED_ADAPTERS.flatMap((by) =>
      ADAPTERS[by].tries(port, picked).map((one) => ({ by, options: {}, ...one })),
    );
    const { secrets: _, ...known } = saved ?? {};
    const others = tries.filter((one) => !isDeepStrictEqual(one, known));
    return (saved ? [saved, ...others] : others).map(({ by, ...one }) => ({
      by,
      port: one.port,
      ask: () => ask(by, host, one),
    }));
  };

  const examineAt = async (
    { host, port }: { host: string; port: number | null },
    questions: () => Question[],
    more: Pick<Observations, "record" | "meant">,
  ): Promise<Diagnosis> => {
    const until = performance.now() + WITHIN_MS;
    const address = await lookAt(host, port);
    const probes = address.seen === "open" ? await askInTurns(questions(), { port, until }) : [];
    return diagnose({ host, port, address, probes, ...more });
  };

  return {
    async examine(typed, { type } = {}) {
      const read = readTypedAddress(typed);
      if (!read.ok) {
        const seen = read.reason === "port" ? "bad_port" : "unreadable";
        return diagnose({ host: "", port: null, address: { seen }, probes: [] });
      }
      const picked = type ? findGameType(type) : null;
      const meant: AdapterId | null = picked?.asked ?? null;
      return examineAt(read, () => listQuestions(read.host, read.port, picked), { meant });
    },
    async examineRecord(record, { type } = {}) {
      const { host, game_port, query_port, adapter, adapter_options, secrets } = record;
      // The collector doesn't query this one either: its game machine reports.
      if (!isAsked(adapter)) {
        return diagnose({ host: host ?? "", port: null, address: { seen: "reports_itself" }, probes: [] });
      }
      if (host === null) return diagnose({ host: "", port: null, address: { seen: "no_address" }, probes: [] });
      const port = game_port ?? query_port;
      const asked = askedPort(adapter, { gamePort: game_port, queryPort: query_port });
      const picked = findGameType(type || (adapter_options.gamedigType ?? ""));
      const typed = ADAPTER_FACTS[adapter].needs.gamePort && game_port !== null ? { gamePort: game_port } : {};
      const saved = { by: adapter, port: asked, ...typed, options: adapter_options, ...(secrets && { secrets }) };
      return examineAt({ host, port }, () => listQuestions(host, port, picked, saved), {
        record: { adapter, version: record.version, queryPort: asked },
        meant: picked?.asked ?? null,
      });
    },
  };
}
