// The HTTP server of a web process: whoever comes while the site starts or stops is answered as well as can be.
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Server as SocketServer } from "node:net";
import { ALIVE } from "./health.ts";
import { answerNotYet } from "./pages/waiting-page.ts";
import { completeRefusal, refuseUnreadable } from "./request/bare-answers.ts";
import { type Connections, stopListening, watchConnections } from "./request/connections.ts";
import { NamedResponse } from "./request/request-id.ts";

/** After so many seconds whoever came while the site was starting comes again. */
const STARTS_WITHIN_S = 1;
const STOP_LIMIT_MS = 8_000;
/** After the site has stopped listening: how long a connection may take to ask. */
const CLOSE_IDLE_MS = 250;
/** Turns of the event loop in which whatever has arrived is read, however long they take. */
const TURNS_TO_READ = 5;
const KNOCKING_MS = 3_000;
/** So long these turns take at most where nothing is done in them. */
const QUIET_TURNS_MS = 1;

export type HttpServer = {
  server: Server;
  connections: Connections;
  /** Begins to listen; settles with the port. Rejects with a message for the operator when the port cannot be had. */
  listen(): Promise<number>;
  /** Until there is a listener, everybody is told to come back in a moment, and `/livez` is 200. `headers`: of every answer that no page makes. */
  beginWith(headers: Record<string, string>): void;
  answerBy(listener: RequestListener): void;
  /**
   * The site is about to stop; everything is answered as before, each connection for the last time. `handedOn`: another process
   * accepts from the same socket, so that this one lets go of it at once, and whoever supervises the site need not look away.
   */
  beginStop(handedOn?: boolean): void;
  stopping(): boolean;
  /** Stops listening; settles when every request that was let in is answered, or cut off after eight seconds. */
  close(): Promise<void>;
  /** Ends it without a word to anybody. */
  cut(): void;
};

/** Makes it; nothing listens yet. `processes`: how many of them share the port. */
export function createHttpServer(
  { host, port, trustProxy }: { host: string; port: number; trustProxy: number },
  { sharePort, processes, socket }: { sharePort: boolean; processes: number; socket?: object | undefined },
): HttpServer {
  let stopping = false;
  let closing = false;
  let stopped: Promise<unknown> | null = null;
  let headers: Record<string, string> = {};
  /** Whoever is answered while we stop comes back over a new connection: this one is about to be closed. */
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
    // How long somebody may take is looked at so often; whoever connects and says nothing is among them.
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

/** Stops to listen where nobody else does: whoever still waits to be let in is answered first. */
async function sendAway(server: Server, connections: Connections): Promise<{ closed: Promise<unknown> }> {
  const answerHeld = holdRequests(server);
  await untilNobodyKnocks(server, connections.answers());
  const closed = stopListening(server);
  answerHeld();
  return { closed };
}

/**
 * Puts requests that arrive aside; the answer of this function has them answered as ever. Whoever is answered while the site
 * stops comes again over a new connection, so that on a busy site somebody would knock for as long as anybody is answered.
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
 * Settles when these answers are given and nobody waits to be let in, or after three seconds: each turn of the event loop lets
 * one in, and who still waits when listening ends is sent away unheard. A turn that took long lets others come.
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

/** A supervisor that restarts what isn't alive would never let the site start. */
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
