// Answers at the site's address while its database is unavailable at the start; visitors' pages reload when it is ready.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { ALIVE, READY, type Readiness } from "../health.ts";
import { type HeaderFacts, securityHeaders } from "../request/security-headers.ts";
import { answerNotYet } from "./waiting-page.ts";

/** The browser reloads after this many seconds. */
const LOOK_AGAIN_S = 5;
/** The next request uses a new connection, to the site itself. */
const ONCE = { Connection: "close" };

const NOT_READY: Readiness = {
  ready: false,
  checks: { database: false, writes: false, migrations: false, live: false, collector: false, stopping: false },
  cannot_write: "no_answer",
};

export type WaitingRoom = { close(): Promise<void> };

/**
 * Listens at the site's address. Every answer is a 503 with Retry-After (a page for browsers, JSON for programs) except for
 * `/livez`: the process is alive. `/readyz` reports the database.
 * @param at.descriptor a socket bound to that address
 * @throws the system's error when it cannot listen there.
 */
export async function openWaitingRoom(
  at: HeaderFacts & { host: string; port: number; reusePort?: boolean; descriptor?: number | undefined },
): Promise<WaitingRoom> {
  const headers = securityHeaders(at);
  const server = createServer(
    { requestTimeout: 10_000, headersTimeout: 5000, maxHeaderSize: 16 * 1024 },
    (request, response) => answer(request, response, headers),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    const { host, port, reusePort = false, descriptor: fd } = at;
    server.listen(fd === undefined ? { host, port, reusePort } : { fd }, resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(request: IncomingMessage, response: ServerResponse, headers: Record<string, string>): void {
  const [path] = (request.url ?? "/").split("?", 1);
  const end = (status: number, type: string, body: string): void => {
    request.resume();
    const own = { "Cache-Control": "no-store", "Content-Type": type, "Content-Length": Buffer.byteLength(body) };
    const again = status === 503 && { "Retry-After": String(LOOK_AGAIN_S) };
    response.writeHead(status, { ...headers, ...ONCE, ...own, ...again });
    response.end(request.method === "HEAD" ? undefined : body);
  };
  if (path === ALIVE) end(200, "text/plain; charset=utf-8", "ok");
  else if (path === READY) end(503, "application/json", JSON.stringify({ waiting_for: "database", ...NOT_READY }));
  else answerNotYet(request, response, { headers: { ...headers, ...ONCE }, why: "database", lookAgainS: LOOK_AGAIN_S });
}
