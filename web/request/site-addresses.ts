// Determines the site's own addresses and the one a request was sent to, for forms, links, passkeys and redirects to SITE_URL.
// Decision 021 gives the reasons.
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { plainAddress } from "./visit.ts";

/** The address in the browser's address bar, as far as it can be trusted. `host` as in URLs: lower case, no default port. */
type AskedAddress = {
  origin: string;
  host: string;
  /** Whether it is the site's own: forms are accepted there, and links may begin with it. */
  own: boolean;
};

export type SiteAddresses = {
  /** The site's main address: SITE_URL, or the first address that the start printed. Links in mails use it. */
  siteUrl: string;
  /** Whether SITE_URL is unset, so that every address of this machine is the site's. */
  any: boolean;
  /** Null where the Host header is missing or invalid. */
  of(request: IncomingMessage): AskedAddress | null;
  /** The origin for the links of a response. */
  linkOrigin(request: IncomingMessage): string;
  /** The origin that pages are cached under: null at own addresses of unlimited number, such as a tunnel's port or 127.0.0.2. */
  cacheOrigin(request: IncomingMessage): string | null;
  /** The site's address for a request at a foreign address. */
  homeFor(request: IncomingMessage): string;
};

/** A valid Host header: a name, an IPv4 address, or an IPv6 address in brackets, with or without a port. */
const AUTHORITY = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** The loopback addresses that a start prints; a client may send any of the sixteen million others. */
const PRINTED_LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
const INTERFACES_KEPT_MS = 10_000;
const MOST_KEPT = 200;

/** Checks whether a URL's host name always leads to the machine that resolves it. */
export const isLoopbackName = (name: string): boolean => LOOPBACK.test(name);

/** The name and addresses of a machine. `addresses` without zones. */
type Machine = { addresses: string[]; name: string };

function readMachine(): Machine {
  const found = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return {
    addresses: found.map(({ address }) => address.split("%", 1)[0] ?? address),
    name: hostname().toLowerCase(),
  };
}

/**
 * Lists every address at which a site that listens on `host` and `port` can be opened on this machine, `localhost` first: a passkey
 * needs a name, and browsers treat that one as secure without a certificate.
 */
export function listOwnAddresses(host: string, port: number, machine = readMachine()): string[] {
  const all = host === "0.0.0.0" || host === "::";
  const names: string[] = [];
  if (all || ["localhost", "127.0.0.1", "::1"].includes(host)) names.push("localhost");
  if (all) names.push("127.0.0.1");
  if (host === "::") names.push("[::1]");
  if (all) {
    const public_ = machine.addresses.filter((address) => !/^(?:127\.|::1$|fe80:)/i.test(address));
    names.push(...public_.filter((address) => isIP(address) === 4));
    if (host === "::") names.push(...public_.filter((address) => isIP(address) === 6).map(inBrackets));
    if (AUTHORITY.test(machine.name)) names.push(machine.name);
  } else names.push(inBrackets(host));
  return [...new Set(names)].map((name) => new URL(`http://${name}:${port}`).origin);
}

/** @param options.port the port that the site listens on. `trustProxy`: proxies in front whose X-Forwarded-… is trusted. */
export function createSiteAddresses(options: {
  siteUrl: string;
  any: boolean;
  host: string;
  port: number;
  trustProxy: number;
}): SiteAddresses {
  const { siteUrl, any, port, trustProxy } = options;
  const site = new URL(siteUrl);
  const read = keepSome(readAuthority);
  let machine = { at: -Infinity, names: new Set<string>() };

  function machineNames(): Set<string> {
    if (performance.now() - machine.at > INTERFACES_KEPT_MS) {
      const { addresses, name } = readMachine();
      // Multicast DNS adds `.local` to a machine's name; no other machine can take that name unnoticed.
      const called =
        isIP(options.host) === 0 ? [name, `${name}.local`, options.host.toLowerCase()] : [name, `${name}.local`];
      machine = { at: performance.now(), names: new Set([...addresses.map(inBrackets), ...called]) };
    }
    return machine.names;
  }

  /** By name alone: whatever port a tunnel or a container uses, another site's page never has this name. */
  function isOurs(hostName: string, request: IncomingMessage): boolean {
    if (isLoopbackName(hostName)) return true;
    const reached = request.socket.localAddress;
    return (
      (reached !== undefined && hostName === inBrackets(plainAddress(reached) ?? "")) || machineNames().has(hostName)
    );
  }

  function of(request: IncomingMessage): AskedAddress | null {
    const { host, https } = readHeaders(request, trustProxy);
    const found = host === undefined ? null : read(https ? `https://${host}` : `http://${host}`);
    if (found === null) return null;
    if (any) return { origin: found.origin, host: found.host, own: isOurs(found.hostname, request) };
    // A proxy may connect without TLS, so the name decides.
    const own = found.host === site.host || found.hostPlain === site.host;
    return own ? { origin: siteUrl, host: site.host, own } : { origin: found.origin, host: found.host, own };
  }

  function linkOrigin(request: IncomingMessage): string {
    if (!any) return siteUrl;
    const asked = of(request);
    return asked?.own ? asked.origin : siteUrl;
  }

  return {
    siteUrl,
    any,
    of,
    linkOrigin,
    cacheOrigin(request) {
      const origin = linkOrigin(request);
      if (origin === siteUrl) return origin;
      const { protocol, hostname: name, port: asked } = new URL(origin);
      if (protocol !== "http:" || Number(asked || 80) !== port) return null;
      return isLoopbackName(name) && !PRINTED_LOOPBACK.includes(name) ? null : origin;
    },
    homeFor(request) {
      const { remoteAddress = "", localAddress = "" } = request.socket;
      const reached = plainAddress(localAddress);
      if (!any || reached === null || isLoopbackName(inBrackets(plainAddress(remoteAddress) ?? ""))) return siteUrl;
      return new URL(`http://${inBrackets(reached)}:${port}`).origin;
    },
  };
}

/**
 * Checks that a request has one unambiguous target: one valid Host header (HTTP/1.0: at most one), and a target that does not
 * contradict it (RFC 9112, 3.2). Shortens a target with a host to its path, like all others.
 */
export function hasOneAddress(request: IncomingMessage): boolean {
  const { rawHeaders, headers, httpVersion, url = "/" } = request;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === "1.1")) return false;
  if (headers.host !== undefined && !AUTHORITY.test(headers.host)) return false;
  if (url.startsWith("/")) return true;
  const [, host, path] = /^https?:\/\/([^/?#]+)(.*)$/is.exec(url) ?? [];
  if (host === undefined || path === undefined || host.toLowerCase() !== headers.host?.toLowerCase()) return false;
  request.url = path.startsWith("/") ? path : `/${path}`;
  return true;
}

/** Reads the requested host: from trusted proxies, else from the request itself. */
function readHeaders(request: IncomingMessage, trustProxy: number): { host: string | undefined; https: boolean } {
  if (trustProxy === 0) return { host: request.headers.host, https: false };
  const of = (name: string) => {
    const values = String(request.headers[name] ?? "").split(",");
    return (values.at(-trustProxy) ?? values[0] ?? "").trim();
  };
  const forwarded = of("x-forwarded-host");
  return {
    host: AUTHORITY.test(forwarded) ? forwarded : request.headers.host,
    https: of("x-forwarded-proto").toLowerCase() === "https",
  };
}

type Authority = { origin: string; host: string; hostname: string; hostPlain: string };

/** @param address such as http://Play.Example.org:80 */
function readAuthority(address: string): Authority | null {
  const host = address.slice(address.indexOf("//") + 2);
  const url = AUTHORITY.test(host) ? URL.parse(address) : null;
  if (url === null) return null;
  // Port 443 is implied where TLS ends at a proxy.
  return {
    origin: url.origin,
    host: url.host,
    hostname: url.hostname,
    hostPlain: host.toLowerCase().replace(/:(?:443|80)$/, ""),
  };
}

function keepSome<T>(make: (key: string) => T): (key: string) => T {
  const kept = new Map<string, T>();
  return (key) => {
    const found = kept.get(key);
    if (found !== undefined) return found;
    const made = make(key);
    // A client can send any Host: a few are cached, all others are parsed again.
    if (kept.size < MOST_KEPT) kept.set(key, made);
    return made;
  };
}

const inBrackets = (address: string): string => (isIP(address) === 6 ? `[${address}]` : address);
