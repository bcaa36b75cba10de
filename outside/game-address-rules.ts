/** Defines the addresses, names and ports that may be polled: the public internet, and exceptions of the deployment. */
import { BlockList, isIP } from "node:net";
import { domainToASCII } from "node:url";

/** Not the public internet (IANA special-purpose registry), IPv4. */
const closedIpv4 = [
  "0.0.0.0/8", // "this network"
  "10.0.0.0/8", // private
  "100.64.0.0/10", // carrier-grade NAT
  "127.0.0.0/8", // loopback
  "169.254.0.0/16", // link-local, clouds' metadata
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // AMT
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, broadcast
];

/** Everything but 2000::/3 (so loopback, unspecified, unique local, link-local, site-local, multicast), and special parts of it. */
const closedIpv6 = [
  "::/3",
  "4000::/2",
  "8000::/1",
  "2001::/23", // protocol assignments: Teredo, benchmarks, ORCHID
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4
  "2620:4f:8000::/48", // AS112
  "3fff::/20", // documentation
];

/** Forms with an embedded IPv4 address. Always blocked: no exception for that address applies to them. */
const translatedIpv6 = [
  "::ffff:0:0/96", // IPv4-mapped
  "::ffff:0:0:0/96", // IPv4-translated
  "64:ff9b::/96", // NAT64
  "64:ff9b:1::/48", // NAT64, local
  "2001::/32", // Teredo
  "2002::/16", // 6to4
];

/**
 * Databases and infrastructure. Known ports of games stay open, though other services may use them too: 27015, 27016, 27018 and
 * 27019 (Steam), 28015 (Rust).
 */
const infrastructurePorts: ReadonlySet<number> = new Set([
  1433, 1434, 1521, 1830, 2049, 2181, 2375, 2376, 2377, 2379, 2380, 2483, 2484, 3128, 3260, 3268, 3269, 3306, 3389,
  4369, 4505, 4506, 5432, 5433, 5601, 5671, 5672, 5900, 5984, 5985, 5986, 6379, 6380, 6432, 6443, 7473, 7474, 7687,
  8086, 8091, 8125, 8200, 8300, 8301, 8500, 8529, 8983, 9000, 9042, 9090, 9092, 9093, 9100, 9160, 9200, 9300, 10250,
  10255, 11211, 15672, 16379, 25672, 26257, 26379, 27017, 33060,
]);

/** A set of CIDR ranges ("10.1.0.0/16", "fd00::/8", or one address). Throws on invalid text: a wrong setting stops the start. */
export class AddressRanges {
  // One list per family: in a shared list IPv4 addresses match IPv6 ranges that hold their mapped form.
  readonly #lists = { ipv4: new BlockList(), ipv6: new BlockList() };

  constructor(cidrs: readonly string[]) {
    for (const cidr of cidrs) {
      const [address = "", bits, ...rest] = cidr.trim().split("/");
      const family = familyOf(address);
      const longest = family === "ipv4" ? 32 : 128;
      const prefix = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
      if (!family || rest.length > 0 || !(prefix <= longest)) throw new Error(`Not a range of addresses: "${cidr}"`);
      this.#lists[family].addSubnet(address, prefix, family);
    }
  }

  has(address: string): boolean {
    const family = familyOf(address);
    return family !== null && this.#lists[family].check(address, family);
  }
}

function familyOf(address: string): "ipv4" | "ipv6" | null {
  // A zone ("fe80::1%eth0") would bypass every list.
  const version = address.includes("%") ? 0 : isIP(address);
  return version === 4 ? "ipv4" : version === 6 ? "ipv6" : null;
}

const closedRanges = new AddressRanges([...closedIpv4, ...closedIpv6]);
const translatedRanges = new AddressRanges(translatedIpv6);

/** Checks whether a literal address may be polled: public, or within `exceptions`. */
export function isAllowedAddress(address: string, exceptions: AddressRanges): boolean {
  if (familyOf(address) === null || translatedRanges.has(address)) return false;
  return !closedRanges.has(address) || exceptions.has(address);
}

/** Checks whether a port may be polled: 1024 to 65535, without databases, infrastructure and `denied`. */
export function isAllowedPort(port: number, denied: ReadonlySet<number>): boolean {
  return (
    Number.isInteger(port) && port >= 1024 && port <= 65_535 && !infrastructurePorts.has(port) && !denied.has(port)
  );
}

/** The host that an admin typed: a literal address, this machine, a name for the DNS, or one that is refused. */
export type TypedHost =
  | { kind: "address"; address: string }
  | { kind: "own_machine" }
  | { kind: "name"; name: string }
  | { kind: "refused"; failure: "dns" | "blocked" };

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** Old parsers read a name as IPv4 if its last part is a number: 2130706433, 127.1, 0x7f.1, 0177.0.0.1. */
const looksLikeNumber = /^(?:\d+|0x[0-9a-f]*)$/;

/** Parses a typed host. Addresses in unusual forms are refused, never converted to reachable ones. */
export function readHost(typed: string): TypedHost {
  if (familyOf(typed) !== null) return { kind: "address", address: typed };
  if (typed.length > 253) return { kind: "refused", failure: "dns" };
  const isAscii = Buffer.byteLength(typed) === typed.length;
  const name = (isAscii ? typed : domainToASCII(typed)).toLowerCase().replace(/\.$/, "");
  const labels = name.split(".");
  if (isIP(name) !== 0 || name.includes(":") || looksLikeNumber.test(labels.at(-1) ?? "")) {
    return { kind: "refused", failure: "blocked" };
  }
  if (name.length > 253 || !labels.every((part) => label.test(part))) return { kind: "refused", failure: "dns" };
  if (labels.at(-1) === "localhost") return { kind: "own_machine" };
  return { kind: "name", name };
}
