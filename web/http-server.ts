// Runs the HTTP server of a web process; answers clients as well as possible while the site starts or stops.
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Server as SocketServer } from "node:net";
import { ALIVE } from "./health.ts";
import { answerNotYet } from "./pages/waiting-page.ts";
import { completeRefusal, refuseUnreadable } from "./request/bare-answers.ts";
import { type Connections, stopListening, watchConnections } from "./request/connections.ts";
import { NamedResponse } from "./request/request-id.ts";

/** Retry-After while the site starts, in seconds. */
const STARTS_WITHIN_S = 1;
const STOP_LIMIT_MS = 8_000;
/** How long a connection may stay idle after the site has stopped listening. */
const CLOSE_IDLE_MS = 250;
/** Turns of the event loop that read all that has arrived, however long they take. */
const TURNS_TO_READ = 5;
const KNOCKING_MS = 3_000;
/** The longest time of these turns when they have no work. */
const QUIET_TURNS_MS = 1;

export type HttpServer = {
  server: Server;
  connections: Connections;
  /** Starts listening; resolves with the port. Rejects with a message for the operator if the port can't be used. */
  listen(): Promise<number>;
  /** Until there is a listener, requests get a 503 with Retry-After; `/livez` is 200. `headers`: for responses without a page. */
  beginWith(headers: Record<string, string>): void;
  answerBy(listener: RequestListener): void;
  /**
   * Announces the stop; requests are answered as before, each connection for the last time. `handedOn`: another process accepts
   * from the same socket, so this one closes it at once, and supervisors need not stop routing here.
   */
  beginStop(handedOn?: boolean): void;
  stopping(): boolean;
  /** Stops listening; resolves when every accepted request is answered, or cut off after eight seconds. */
  close(): Promise<void>;
  /** Closes everything without a response. */
  cut(): void;
};

/** Makes the server; it doesn't listen yet. `processes`: how many share the port. */
export function createHttpServer(
  { host, port, trustProxy }: { host: string; port: number; trustProxy: number },
  { sharePort, processes, socket }: { sharePort: boolean; processes: number; socket?: object | undefined },
): HttpServer {
  let stopping = false;
  let closing = false;
  let stopped: Promise<unknown> | null = null;
  let headers: Record<string, string> = {};
  /** Clients that are answered during the stop reconnect: this connection is about to close. */
  class Answer extends NamedResponse {
    override writeHead(...head: Parameters<NamedResponse["writeHead"]>): this {
      if (closing) this.shouldKeepAlive = false;
      completeRefusal(this, head, headers);
      return super.writeHead(...head);
    }
  }
  const server = createServer({
    requestTimeout: 30_000,
    headersTimeout: 10_000,
    // The interval of timeout checks, also for connections that send nothing.
    connectionsCheckingInterval: 5_000,
    maxHeaderSize: 16 * 1024,
    ServerResponse: Answer,
  });
  const sayStarting: RequestListener = (request, response) => {
    if (request.url?.split("?", 1)[0] === ALIVE) return sayAlive(request, response, headers);
    answerNotYet(request, response, { headers, why: "start", lookAgainS: STARTS_WITHIN_S });
  };
  const connections = watchConnections(server, { trustProxy, processes });
  return {
    server,
    connections,
    listen: () => listen(server, socket ?? { host, port, reusePort: sharePort }, { host, port }),
    beginWith(given) {
      headers = given;
      server.on("clientError", refuseUnreadable(headers));
      server.on("request", sayStarting);
    },
    answerBy(listener) {
      server.off("request", sayStarting);
      server.on("request", listener);
    },
    beginStop(handedOn = false) {
      closing = true;
      if (handedOn) stopped = stopListening(server);
      else stopping = true;
    },
    stopping: () => stopping,
    close: () => closeGently(server, connections, stopped),
    cut() {
      server.close(() => {});
      server.closeAllConnections();
    },
  };
}

async function closeGently(server: Server, connections: Connections, stopped: Promise<unknown> | null): Promise<void> {
  const closed = stopped ?? (await sendAway(server, connections)).closed;
  const idle = setInterval(() => turnLoop(TURNS_TO_READ).then(() => server.closeIdleConnections()), CLOSE_IDLE_MS);
  const cut = setTimeout(() => server.closeAllConnections(), STOP_LIMIT_MS);
  await closed;
  clearTimeout(cut);
  clearInterval(idle);
  server.close(() => {});
}

/** Stops listening when no other process accepts: answers the clients still waiting for a connection first. */
async function sendAway(server: Server, connections: Connections): Promise<{ closed: Promise<unknown> }> {
  const answerHeld = holdRequests(server);
  await untilNobodyKnocks(server, connections.answers());
  const closed = stopListening(server);
  answerHeld();
  return { closed };
}

/**
 * Holds new requests back; call the returned function to answer them as usual. Clients answered during the stop reconnect, so on a
 * busy site new connections would never cease.
 */
function holdRequests(server: Server): () => void {
  const held: Parameters<RequestListener>[] = [];
  const hold: RequestListener = (...exchange) => held.push(exchange);
  const listeners = server.listeners("request") as RequestListener[];
  server.removeAllListeners("request").on("request", hold);
  return () => {
    server.off("request", hold);
    for (const listener of listeners) server.on("request", listener);
    for (const exchange of held) server.emit("request", ...exchange);
  };
}

/**
 * Resolves when these responses are sent and no client waits to connect, or after three seconds: each turn of the event loop
 * accepts one, and clients still waiting when listening ends are cut off. During a slow turn others may arrive.
 */
async function untilNobodyKnocks(server: Server, answers: ServerResponse[]): Promise<void> {
  const patience = AbortSignal.timeout(KNOCKING_MS);
  await Promise.allSettled(answers.map((answer) => once(answer, "close", { signal: patience })));
  let knocked = true;
  const onKnock = () => {
    knocked = true;
  };
  server.on("connection", onKnock);
  while (knocked && !patience.aborted) {
    const began = performance.now();
    knocked = false;
    await turnLoop(TURNS_TO_READ);
    if (performance.now() - began > QUIET_TURNS_MS) knocked = true;
  }
  server.off("connection", onKnock);
}

async function turnLoop(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Supervisors that restart whatever isn't alive would never let the site start. */
function sayAlive(request: IncomingMessage, response: ServerResponse, headers: Record<string, string>): void {
  request.resume();
  response.writeHead(200, { ...headers, "Cache-Control": "no-store", "Content-Type": "text/plain; charset=utf-8" });
  response.end(request.method === "HEAD" ? undefined : "ok");
}

/** @param at an address, or a socket that listens already */
function listen(server: SocketServer, at: object, { host, port }: { host: string; port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === "EADDRINUSE"
          ? `Port ${port} on ${host} is taken by another program. Stop it, or set PORT to another port.`
          : error.code === "EACCES"
            ? `Port ${port} on ${host} may not be opened by this user. Set PORT to 1024 or more.`
            : `${host}:${port} cannot be listened on: ${error.message}`;
      reject(new Error(reason, { cause: error }));
    });
    server.listen(at, () => resolve((server.address() as AddressInfo).port));
  });
}
