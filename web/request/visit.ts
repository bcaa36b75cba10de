// Finds the client address of a request, as far as it can be trusted.
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/** The origin of a request, for the audit log and the limits. */
export type Visit = { ip: string; user_agent: string };

/**
 * Reads a request's origin. `trustProxy` proxies in front of the site each add the address they saw to the end of
 * X-Forwarded-For; entries before theirs may be forged. If the entry is no valid address, the request counts as the proxy's.
 */
export function readVisit(request: IncomingMessage, trustProxy: number): Visit {
  const peer = request.socket.remoteAddress ?? "";
  const hop =
    trustProxy === 0
      ? undefined
      : String(request.headers["x-forwarded-for"] ?? "")
          .split(",")
          .at(-trustProxy);
  return {
    ip: plainAddress(hop ?? "") ?? plainAddress(peer) ?? peer,
    user_agent: String(request.headers["user-agent"] ?? "").slice(0, 400),
  };
}

/**
 * Normalises an address as proxies write it: with a port, in quotes or brackets, with a zone, in capital letters, or as an
 * IPv4 address inside an IPv6 one. Null: no valid address.
 */
export function plainAddress(written: string): string | null {
  const bare = written.trim().replace(/^"(.*)"$/, "$1");
  if (bare.length > 64) return null;
  const [, inside, v4] = /^\[([^\]]+)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(bare) ?? [];
  const address = (inside ?? v4 ?? bare).split("%", 1)[0] ?? "";
  if (isIP(address) === 4) return address;
  if (isIP(address) !== 6) return null;
  // A URL's host is written as RFC 5952 requires.
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short) ?? [];
  if (high === undefined || low === undefined) return short;
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join(".");
}
