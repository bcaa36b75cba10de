// The open connections of a web process: how many one address may have, how long an idle one stays while there are many, and
// the end of those whose address is blocked.
import type { Server, ServerResponse } from "node:http";
import { type Socket, Server as SocketServer } from "node:net";
import { noteArrival } from "./arrivals.ts";
import { limitedAddress } from "./visit.ts";

/** In all web processes of a machine together: a school's 500 live streams, and pages beside them. */
const MOST_OF_ADDRESS = 1_500;
/** From so many on an idle connection stays only a moment. */
const CROWDED = 3_000;
const IDLE_MS = { quiet: 65_000, crowded: 5_000 };
/** Browsers and proxies ask one thing at a time over a connection; Node would read any number ahead. */
const MOST_AHEAD = 16;
/** A stream that is cut hears when to come back first. */
const LAST_ANSWER_MS = 1_000;
/** Who comes from here came through a proxy that TRUST_PROXY does not count, or works on this machine. */
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

export type Connections = {
  /** Ends the connections of addresses that are told. Behind a proxy they are the proxy's, and none is ended. */
  cut(whom: (ip: string) => boolean): void;
  /** The answers that are under way, one of each connection. */
  answers(): ServerResponse[];
};

/** Watches over a server's connections. `processes`: how many of them share the port. */
export function watchConnections(
  server: Server,
  { trustProxy, processes }: { trustProxy: number; processes: number },
): Connections {
  const most = Math.ceil(MOST_OF_ADDRESS / processes);
  const open = new Map<Socket, string>();
  const counts = new Map<string, number>();
  const ahead = new WeakMap<Socket, number>();
  // Behind a proxy every connection is the proxy's, which has limits of its own (deploy/).
  const direct = trustProxy === 0;

  function isOneTooMany(address: string): boolean {
    const count = (counts.get(address) ?? 0) + 1;
    if (count > most) return true;
    counts.set(address, count);
    return false;
  }
  function forget(socket: Socket, address: string) {
    open.delete(socket);
    const left = (counts.get(address) ?? 1) - 1;
    if (left > 0) counts.set(address, left);
    else counts.delete(address);
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
      open.set(socket, "");
      socket.once("close", () => open.delete(socket));
      return;
    }
    const address = limitedAddress(ip.replace(/^::ffff:(?=\d+\.)/i, ""));
    if (isOneTooMany(address)) {
      socket.destroy();
      return;
    }
    open.set(socket, address);
    socket.once("close", () => forget(socket, address));
    setPatience();
  });
  server.on("request", ({ socket }, response: ServerResponse) => {
    const underWay = answerOf(socket);
    if (!underWay || underWay === response) return;
    const count = (ahead.get(socket) ?? 0) + 1;
    if (count > MOST_AHEAD) socket.destroy();
    ahead.set(socket, count);
    response.once("close", () => ahead.set(socket, (ahead.get(socket) ?? 1) - 1));
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
    answers: () => [...open.keys()].flatMap((socket) => answerOf(socket) ?? []),
  };
}

/** Node's own note of the answer that is under way. */
const answerOf = (socket: Socket) => (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage;

/**
 * Only stops listening; settles when the last connection has ended. The server's own way also cuts connections that are idle,
 * and with them requests that are just arriving.
 */
export const stopListening = (server: Server): Promise<unknown> =>
  new Promise((resolve) => SocketServer.prototype.close.call(server, resolve));
