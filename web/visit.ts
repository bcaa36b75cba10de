// Where a request came from: the address of the browser, as far as it can be believed.
import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";

/** What the audit log and the limits know of a request. */
export type Visit = { ip: string; user_agent: string };

/**
 * Reads a request's origin. `trustProxy` proxies in front of the site each add the address that they saw to the end of
 * X-Forwarded-For; whatever stands before theirs is the visitor's own invention.
 */
export function readVisit(request: IncomingMessage, trustProxy: number): Visit {
  const hops = [...String(request.headers["x-forwarded-for"] ?? "").split(","), request.socket.remoteAddress ?? ""];
  const hop = hops.at(-1 - trustProxy)?.trim() || (request.socket.remoteAddress ?? "");
  return {
    ip: hop.replace(/^::ffff:(?=\d+\.)/i, "").slice(0, 64),
    user_agent: String(request.headers["user-agent"] ?? "").slice(0, 400),
  };
}

/** What counts as one address in limits: an IPv6 network of 64 bits belongs to one household. */
export function limitedAddress(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const [head = "", tail] = ip.toLowerCase().split("%", 1)[0]?.split("::") ?? [];
  const first = head === "" ? [] : head.split(":");
  const last = tail ? tail.split(":") : [];
  const groups = [...first, ...Array<string>(Math.max(0, 8 - first.length - last.length)).fill("0"), ...last];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
