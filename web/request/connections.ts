// Tracks the open connections of a web process: limits them per address, shortens the idle timeout when there are many, and
// closes those of blocked addresses.
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { noteArrival } from "./arrivals.ts";
import { CLIENTS_OF_NETWORK, type ClientKeys, clientKeysOf } from "./client-keys.ts";

/** Per client, over all web processes of a machine: a school's 500 live streams plus its pages. */
const MOST_OF_CLIENT = 1_500;
/** From this many connections on, idle ones are closed soon. */
const CROWDED = 3_000;
const IDLE_MS = { quiet: 65_000, crowded: 5_000 };
/** Browsers and proxies send one request at a time over a connection; Node would read any number ahead. */
const MOST_AHEAD = 16;
/** Time for a stream that is cut to receive its retry time. */
const LAST_ANSWER_MS = 1_000;
/** A browser may connect long before it sends a request; one that comes to ask sends it within a round trip. */
const FRESH_MS = 1_000;
/** The client came through a proxy that TRUST_PROXY does not count, or runs on this machine. */
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

export type Connections = {
  /** Closes the connections of matching addresses. Behind a proxy they are the proxy's: none is closed. */
  cut(whom: (ip: string) => boolean): void;
  /** Counts the open connections. */
  count(): number;
  /** True if a client that just connected hasn't sent anything yet. */
  isAwaited(): boolean;
  /** Lists the responses in progress: of a connection, or the first of each. */
  responses(socket?: Socket): ServerResponse[];
};

/** Watches a server's connections. `processes`: how many of them share the port. */
export function watchConnections(
  server: Server,
  { trustProxy, processes }: { trustProxy: number; processes: number },
): Connections {
  const most = Math.ceil(MOST_OF_CLIENT / processes);
  const open = new Map<Socket, { since: number; responses: ServerResponse[] }>();
  const add = (socket: Socket) => open.set(socket, { since: performance.now(), responses: [] });
  const counts = new Map<string, number>();
  // Behind a proxy every connection is the proxy's, which has its own limits (deploy/).
  const direct = trustProxy === 0;

  function isOneTooMany({ client, network }: ClientKeys): boolean {
    if ((counts.get(client) ?? 0) >= most) return true;
    return network !== client && (counts.get(network) ?? 0) >= most * CLIENTS_OF_NETWORK;
  }
  function count({ client, network }: ClientKeys, more: 1 | -1) {
    for (const key of new Set([client, network])) {
      const now = (counts.get(key) ?? 0) + more;
      if (now > 0) counts.set(key, now);
      else counts.delete(key);
    }
    setPatience();
  }
  function setPatience() {
    if (direct) server.keepAliveTimeout = open.size > CROWDED ? IDLE_MS.crowded : IDLE_MS.quiet;
  }

  server.keepAliveTimeout = IDLE_MS.quiet;
  server.on("connection", (socket: Socket) => {
    noteArrival();
    const ip = socket.remoteAddress ?? "";
    if (!direct || LOOPBACK.test(ip)) {
      add(socket);
      socket.once("close", () => open.delete(socket));
      return;
    }
    const keys = clientKeysOf(ip.replace(/^::ffff:(?=\d+\.)/i, ""));
    if (isOneTooMany(keys)) {
      socket.destroy();
      return;
    }
    add(socket);
    count(keys, 1);
    socket.once("close", () => {
      open.delete(socket);
      count(keys, -1);
    });
  });
  server.on("request", ({ socket }, response: ServerResponse) => {
    const responses = open.get(socket)?.responses ?? [];
    responses.push(response);
    if (responses.length > MOST_AHEAD + 1) socket.destroy();
    // A connection's responses are sent in order.
    response.once("close", () => responses.splice(responses.indexOf(response), 1));
  });

  return {
    cut(whom) {
      if (!direct) return;
      for (const socket of open.keys()) {
        if (!whom(socket.remoteAddress ?? "")) continue;
        socket.destroySoon();
        setTimeout(() => socket.destroy(), LAST_ANSWER_MS).unref();
      }
    },
    count: () => open.size,
    isAwaited() {
      const now = performance.now();
      return [...open].some(([socket, { since }]) => socket.bytesRead === 0 && now - since < FRESH_MS);
    },
    responses: (socket) =>
      socket
        ? (open.get(socket)?.responses ?? [])
        : [...open.values()].flatMap(({ responses }) => responses.slice(0, 1)),
  };
}
