/** Resolves the host and port that an admin typed to one checked address, again for every poll. */

import { createNameLookup } from "./game-address-lookup.ts";
import { AddressRanges, isAllowedAddress, isAllowedPort, readHost } from "./game-address-rules.ts";

/** The literal address to connect to, or why there is none. */
export type GameAddress =
  | { ok: true; address: string; port: number; family: 4 | 6 }
  | { ok: false; failure: "dns" | "blocked" };

/** Port null: left empty by the admin, so the record of `service` (such as _minecraft._tcp) determines it, or its usual port. */
type GameAddressQuestion = { host: string; port: number | null; service?: Service | undefined };
type Service = { name: string; port: number };

export type GameAddressResolver = { resolve(question: GameAddressQuestion): Promise<GameAddress> };

/**
 * Makes a resolver with its own cache. `allowCidrs` opens ranges that are otherwise closed (the demo's loopback);
 * `deniedPorts` closes further ports (the site's own), `openPorts` opens some that no game server has (443 of webhooks);
 * `servers` are DNS servers as "address:port" (the system's if absent); `now` is a clock in milliseconds. Throws on an
 * invalid range. `resolve` never rejects.
 */
export function createGameAddressResolver(options: {
  allowCidrs: readonly string[];
  deniedPorts?: readonly number[];
  openPorts?: readonly number[];
  servers?: readonly string[];
  now?: () => number;
}): GameAddressResolver {
  const exceptions = new AddressRanges(options.allowCidrs);
  const deniedPorts = new Set(options.deniedPorts ?? []);
  const openPorts = new Set(options.openPorts ?? []);
  const lookup = createNameLookup({ servers: options.servers, now: options.now ?? Date.now });
  const isAllowed = (address: string): boolean => isAllowedAddress(address, exceptions);

  /** Lists the unchecked addresses of a host; null if the DNS has none. */
  const listAddresses = async (host: string): Promise<string[] | "blocked" | null> => {
    const read = readHost(host);
    if (read.kind === "address") return [read.address];
    if (read.kind === "own_machine") return ["127.0.0.1", "::1"];
    if (read.kind === "refused") return read.failure === "blocked" ? "blocked" : null;
    const addresses = await lookup.listAddresses(read.name, isAllowed);
    return addresses && addresses.length > 0 ? addresses : null;
  };

  /** Finds the target of a host's service record; the host itself without one. Null if the DNS fails. */
  const findService = async (host: string, service: Service): Promise<{ host: string; port: number } | null> => {
    const read = readHost(host);
    if (read.kind !== "name") return { host, port: service.port };
    const records = await lookup.listServices(`${service.name}.${read.name}`);
    if (!records) return null;
    return records.find((record) => record.host !== "") ?? { host, port: service.port };
  };

  return {
    async resolve({ host, port, service }) {
      if (port === null && !service) return { ok: false, failure: "blocked" };
      const place = port === null && service ? await findService(host, service) : { host, port: port ?? 0 };
      if (!place) return { ok: false, failure: "dns" };
      const open = openPorts.has(place.port) && !deniedPorts.has(place.port);
      if (!open && !isAllowedPort(place.port, deniedPorts)) return { ok: false, failure: "blocked" };
      const addresses = await listAddresses(place.host);
      if (addresses === null) return { ok: false, failure: "dns" };
      const address = addresses === "blocked" ? undefined : addresses.find(isAllowed);
      if (address === undefined) return { ok: false, failure: "blocked" };
      return { ok: true, address, port: place.port, family: address.includes(":") ? 6 : 4 };
    },
  };
}
