// Where a request came from: the address of the browser, as far as it can be believed.
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/** What the audit log and the limits know of a request. */
export type Visit = { ip: string; user_agent: string };

/**
 * Reads a request's origin. `trustProxy` proxies in front of the site each add the address that they saw to the end of
 * X-Forwarded-For; whatever stands before theirs is the visitor's own invention. What is no address there is not believed:
 * then the request counts as the proxy's.
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
 * The one way to write an address, of the many that proxies have: with a port, in quotes or brackets, with a zone, in capital
 * letters, or an IPv4 address inside of an IPv6 one. Null: it is none.
 */
export function plainAddress(written: string): string | null {
  const bare = written.trim().replace(/^"(.*)"$/, "$1");
  if (bare.length > 64) return null;
  const [, inside, v4] = /^\[([^\]]+)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(bare) ?? [];
  const address = (inside ?? v4 ?? bare).split("%", 1)[0] ?? "";
  if (isIP(address) === 4) return address;
  if (isIP(address) !== 6) return null;
  // A URL's host is written as RFC 5952 asks for.
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short) ?? [];
  if (high === undefined || low === undefined) return short;
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join(".");
}
