/** Checks addresses that people type for messages: the rule of game servers, and the ports 80 and 443. */
import { createGameAddressResolver } from "./game-address.ts";
import { AddressRanges } from "./game-address-rules.ts";
import type { Allow, Place } from "./request.ts";

/** Where messages may go, as `createServiceAllow` makes it. */
export type ServiceAllow = Allow & Required<Pick<Allow, "find">>;

/**
 * Makes the rule, with its DNS cache. Unencrypted only to a private address that `allowCidrs` allows.
 * @param options.ca certificate authorities besides the known ones (PEM)
 */
export function createServiceAllow(options: {
  allowCidrs: readonly string[];
  deniedPorts: readonly number[];
  servers?: readonly string[];
  ca?: string;
}): ServiceAllow {
  const own = new AddressRanges(options.allowCidrs);
  const resolver = createGameAddressResolver({ ...options, openPorts: [80, 443] });
  return {
    ca: options.ca,
    async find({ host, port, encrypted }) {
      const found = await resolver.resolve({ host, port });
      if (found.ok && !encrypted && !own.has(found.address)) return { ok: false, failure: "blocked" };
      return found;
    },
  };
}

/** Gets the place of a plain web address, without a name and password; null: it isn't one. */
export function readServiceAddress(typed: string): Place | null {
  const url = URL.parse(typed);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || !url.host) return null;
  const encrypted = url.protocol === "https:";
  return { host: url.hostname.replace(/^\[|\]$/g, ""), port: Number(url.port || (encrypted ? 443 : 80)), encrypted };
}

/** Finds why nothing can be sent there now; null: the address is valid and allowed. Opens no connection. */
export async function checkServiceAddress(typed: string, allow: ServiceAllow): Promise<"dns" | "blocked" | null> {
  const place = readServiceAddress(typed);
  if (place === null) return "blocked";
  const found = await allow.find(place);
  return found.ok ? null : found.failure;
}
