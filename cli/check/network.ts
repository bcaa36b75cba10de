/** Checks outbound connections: DNS, and UDP, which most game servers are polled by. Says what can't be known from here. */

import { createSocket } from "node:dgram";
import { promises as dns, getServers } from "node:dns";
import { isIP } from "node:net";
import type { Config } from "#config";
import { BUCKETS } from "#domain/media/buckets.ts";
import { queryA2s } from "#outside/game-query/a2s-query.ts";
import { createObjectStorage } from "#outside/object-storage.ts";
import { errorText, type Finding, ok, warning, wrong } from "./finding.ts";

const DNS_LIMIT_MS = 3_000;
/** A permanent name (RFC 6761: it may have addresses or none, but DNS answers). */
const ANY_NAME = "example.org";

export async function lookAtNetwork(config: Config): Promise<Finding[]> {
  const found = await Promise.all([
    lookAtNames(config),
    lookAtOwnUdp(),
    lookAtUdp(getServers()),
    lookAtStorage(config),
  ]);
  return found.flat();
}

/** Resolves the names in the settings, and one that always exists: game servers have names too. */
async function lookAtNames({ siteUrl, smtpUrl, s3 }: Config): Promise<Finding[]> {
  const hosts = [siteUrl, smtpUrl, s3?.endpoint].flatMap((url) => (url ? [new URL(url).hostname] : []));
  const names = [
    ...new Set([...hosts.filter((host) => !isIP(host.replace(/[[\]]/g, "")) && host !== "localhost"), ANY_NAME]),
  ];
  return Promise.all(
    names.map(async (name) => {
      try {
        const { address } = await dns.lookup(name);
        return ok("names", `${name} is ${address}`);
      } catch (error) {
        const fix = "Check the name's record, and /etc/resolv.conf on this machine.";
        if (name === ANY_NAME)
          return warning("names", `DNS does not answer on this machine (${errorText(error)})`, fix);
        return wrong("names", `${name} does not resolve: ${errorText(error)}`, fix);
      }
    }),
  );
}

/** Queries a mock game server in this process: whether UDP works here. */
async function lookAtOwnUdp(): Promise<Finding> {
  const socket = createSocket("udp4");
  const text = Buffer.from("\xff\xff\xff\xffI\x11check\0here\0x\0x\0\0\0\x01\x02\0dl\0\x01" + "1\0", "latin1");
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject).bind(0, "127.0.0.1", resolve);
    });
    socket.on("message", (_question, from) => socket.send(text, from.port, from.address));
    const { ok: answered, ...rest } = await queryA2s({ address: "127.0.0.1", port: socket.address().port });
    if (answered) return ok("udp here", "a question in the game servers' protocol is answered on this machine");
    const why = "failure" in rest ? rest.failure : "";
    return wrong(
      "udp here",
      `a question to this very machine stays without an answer (${why})`,
      "Look at the firewall's rules for loopback.",
    );
  } catch (error) {
    return wrong("udp here", errorText(error), "This user may open no UDP socket: look at the sandbox it runs in.");
  } finally {
    socket.close();
  }
}

/**
 * Sends a UDP query to this machine's DNS servers.
 * @param servers from dns.getServers()
 */
export async function lookAtUdp(servers: string[], limitMs = DNS_LIMIT_MS): Promise<Finding> {
  for (const server of servers.slice(0, 3)) {
    const [, host = "", port = "53"] = /^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(isIP(server) ? `[${server}]` : server) ?? [];
    if (await answersDns(host, Number(port), limitMs)) {
      return ok("udp out", `${host} answers; whether other ports are open is seen at the first game server`);
    }
  }
  return warning(
    "udp out",
    `no DNS server answers over UDP (${servers.join(", ") || "none is set"})`,
    "Let UDP out of this machine, and answers back in: Valheim, ARK and most Steam games are asked by it.",
  );
}

function answersDns(host: string, port: number, limitMs: number): Promise<boolean> {
  const socket = createSocket(isIP(host) === 6 ? "udp6" : "udp4");
  // The shortest query, for the root's name servers (RFC 1035, section 4.1).
  const question = Buffer.from("5350010000010000000000000000020001", "hex");
  return new Promise<boolean>((resolve) => {
    const timer = setTimeout(resolve, limitMs, false);
    socket.once("error", () => resolve(false));
    socket.once("message", (answer) => resolve(answer.subarray(0, 2).equals(question.subarray(0, 2))));
    socket.send(question, port, host, (error) => error && resolve(false));
    socket.once("close", () => clearTimeout(timer));
  }).finally(() => socket.close());
}

/** Checks each bucket: a store may have some and lack others. */
export async function lookAtStorage(config: Config): Promise<Finding[]> {
  if (!config.s3) return [];
  const { endpoint, bucketPrefix } = config.s3;
  const storage = createObjectStorage(config);
  return Promise.all(
    BUCKETS.map(async ({ name }) => {
      try {
        await storage.find(name, "check-asks-for-nothing.webp");
        return ok("storage", `${endpoint} answers for ${bucketPrefix}${name}`);
      } catch (error) {
        const fix = "Check the S3_ settings, that the buckets exist, and that this key may read and write them.";
        return wrong("storage", `${endpoint}: ${errorText(error)}`, fix);
      }
    }),
  );
}
