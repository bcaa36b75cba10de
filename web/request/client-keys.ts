// Maps client addresses to the keys of limits.
import { isIPv6 } from "node:net";

/** How many clients' limits a network may use: enough for the neighbours of a busy client. */
export const CLIENTS_OF_NETWORK = 4;

/** The two names that limits count a client address by; both are the address itself for IPv4. */
export type ClientKeys = {
  /** An IPv4 address, or the /64 of an IPv6 one: "203.0.113.9", "2001:db8:0:1::/64". */
  client: string;
  /** An IPv4 address, or the /48 of an IPv6 one: "203.0.113.9", "2001:db8:0::/48". */
  network: string;
};

/**
 * Gets the keys of a client address. Every limit by address uses this rule.
 *
 * - **IPv4: the address**, as client and as network. A household, a school or a carrier (CGNAT) shares one, so the limit of a
 *   client is enough for some hundred people. The /24 isn't counted: a carrier's serves tens of thousands of subscribers, and an
 *   attacker pays for each of its addresses.
 * - **IPv6: the /64 is the client.** It is the least that a line, a phone or a server is given, and its devices change addresses
 *   within it at will.
 * - **IPv6: the /48 is the network.** It is the most that one subscriber is given (RFC 6177): homes get a /56 with 256 /64s,
 *   rented servers often a /48 with 65,536. But mobile carriers and cloud providers give each customer one /64 out of a shared
 *   /48, so a network gets the limits of CLIENTS_OF_NETWORK clients.
 *
 * @param ip as `readVisit` returns it; any other string is its own key
 */
export function clientKeysOf(ip: string): ClientKeys {
  if (!isIPv6(ip)) return { client: ip, network: ip };
  const [head = "", tail] = ip.toLowerCase().split("%", 1)[0]?.split("::") ?? [];
  const first = head === "" ? [] : head.split(":");
  const last = tail ? tail.split(":") : [];
  const groups = [...first, ...Array<string>(Math.max(0, 8 - first.length - last.length)).fill("0"), ...last]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return { client: `${groups.join(":")}::/64`, network: `${groups.slice(0, 3).join(":")}::/48` };
}

/**
 * Checks for this machine's own address. The request came through a proxy that TRUST_PROXY doesn't count, so clients can't be
 * distinguished by address: limits by address don't apply.
 */
export const isUncountedProxy = (ip: string): boolean => /^(?:127\.|::1$)/.test(ip);
