// Runs the HTTP server of a web process; answers clients as well as possible while the site starts or stops.
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { ALIVE } from "./health.ts";
import { answerNotYet } from "./pages/waiting-page.ts";
import { refuseExpectation, refuseUnreadable } from "./request/bare-answers.ts";
import { type Connections, watchConnections } from "./request/connections.ts";
import { NamedResponse } from "./request/request-id.ts";

/** Retry-After while the site starts, in seconds. */
const STARTS_WITHIN_S = 1;
const STOP_LIMIT_MS = 8_000;
/** How long a connection may stay idle during the stop: active ones get their last answer in this time. */
const IDLE_MS = { stopped: 250, replaced: 1_000 };
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
   * Announces the stop; requests are answered as before, each connection for the last time. `replaced`: another process accepts
   * from the same socket, so no connection is lost when this one closes it, and supervisors need not stop routing here.
   */
  beginStop(replaced?: boolean): void;
  stopping(): boolean;
  /** Stops listening; resolves when every accepted request is answered, or cut off after eight seconds. */
  close(): Promise<void>;
  /** Closes everything without a response. */
  cut(): void;
};

/** Makes the server; it doesn't listen yet. `processes`: how many share the port. `descriptor`: a bound socket to listen on. */
export function createHttpServer(
  { host, port, trustProxy }: { host: string; port: number; trustProxy: number },
  { sharePort, processes, descriptor }: { sharePort: boolean; processes: number; descriptor?: number | undefined },
): HttpServer {
  let stopping = false;
  let replaced = false;
  let headers: Record<string, string> = {};
  const server = createServer({
    requestTimeout: 30_000,
    headersTimeout: 10_000,
    // The interval of timeout checks, also for connections that send nothing.
    connectionsCheckingInterval: 5_000,
    maxHeaderSize: 16 * 1024,
    // The site refuses requests without one, with its headers.
    requireHostHeader: false,
    ServerResponse: NamedResponse,
  });
  const sayStarting: RequestListener = (request, response) => {
    if (request.url?.split("?", 1)[0] === ALIVE) return sayAlive(request, response, headers);
    answerNotYet(request, response, { headers, why: "start", lookAgainS: STARTS_WITHIN_S });
  };
  const connections = watchConnections(server, { trustProxy, processes });
  return {
    server,
    connections,
    listen() {
      const at = descriptor === undefined ? { host, port, reusePort: sharePort } : { fd: descriptor };
      return listen(server, at, { host, port });
    },
    beginWith(given) {
      headers = given;
      server.on("clientError", refuseUnreadable(headers, connections));
      server.on("checkExpectation", refuseExpectation(headers));
      server.on("request", sayStarting);
    },
    answerBy(listener) {
      server.off("request", sayStarting);
      server.on("request", listener);
    },
    beginStop(isReplaced = false) {
      replaced = isReplaced;
      stopping = !replaced;
      for (const response of connections.responses()) closeAfter(response);
      server.prependListener("request", (_, response) => closeAfter(response));
    },
    stopping: () => stopping,
    close: () => closeGently(server, connections, replaced),
    cut() {
      server.close(() => {});
      server.closeAllConnections();
    },
  };
}

/** The client reconnects after this response. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}

async function closeGently(server: Server, connections: Connections, replaced: boolean): Promise<void> {
  if (connections.count() > 0) await pause(replaced ? IDLE_MS.replaced : IDLE_MS.stopped);
  // When no other process accepts, the clients that wait for a connection are answered first.
  const answerHeld = replaced ? () => {} : holdRequests(server);
  const patience = AbortSignal.timeout(KNOCKING_MS);
  if (!replaced) await untilNobodyKnocks(server, connections.responses(), patience);
  // Node's `close` also cuts connections without a request.
  do await turnLoop(TURNS_TO_READ);
  while (connections.isAwaited() && !patience.aborted);
  const closed = new Promise((resolve) => server.close(resolve));
  answerHeld();
  const idle = setInterval(() => turnLoop(TURNS_TO_READ).then(() => server.closeIdleConnections()), IDLE_MS.stopped);
  const cut = setTimeout(() => server.closeAllConnections(), STOP_LIMIT_MS);
  await closed;
  clearTimeout(cut);
  clearInterval(idle);
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
 * Resolves when these responses are sent and no client waits to connect, or without patience: each turn of the event loop
 * accepts one, and clients still waiting when listening ends are cut off. During a slow turn others may arrive.
 */
async function untilNobodyKnocks(server: Server, answers: ServerResponse[], patience: AbortSignal): Promise<void> {
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

/** @param at an address or a descriptor */
function listen(server: Server, at: object, { host, port }: { host: string; port: number }): Promise<number> {
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
