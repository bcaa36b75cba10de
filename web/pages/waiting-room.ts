// Stands at the site's address while its database is not there yet: whoever comes is told so, and led on when it is.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { localeAt } from "#shared/locale.ts";
import { ALIVE, READY, type Readiness } from "../health.ts";
import { message } from "../messages.ts";
import { PROGRAMS } from "../request/program-paths.ts";
import { securityHeaders } from "../request/security-headers.ts";

/** After so many seconds a browser looks again by itself. */
const LOOK_AGAIN_S = 5;

const STYLE = `:root{color-scheme:light dark;font:1.0625rem/1.5 system-ui,sans-serif;background:#f5f2ed;color:#1c1917}
@media (prefers-color-scheme:dark){:root{background:#0c0908;color:#f5f2ef}}
body{max-width:34rem;margin:0 auto;padding:min(20vh,10rem) 1.25rem 3rem}
h1{margin:0 0 .75rem;font-size:1.75rem;line-height:1.2;letter-spacing:-.01em;text-wrap:balance}
p{text-wrap:pretty}
a{display:inline-block;margin-top:.5rem;padding:.75rem 1.5rem;border-radius:99rem;background:#ff8000;color:#000;font-weight:600;text-decoration:none}`;
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

const NOT_READY: Readiness = {
  ready: false,
  checks: { database: false, writes: false, migrations: false, live: false, collector: false, stopping: false },
  cannot_write: "no_answer",
};

export type WaitingRoom = { close(): Promise<void> };

/**
 * Listens where the site will. Every answer is a 503 with Retry-After (a page for browsers, JSON for programs) but for `/livez`:
 * the process is alive. `/readyz` names the database.
 * @throws the system's error when it cannot listen there.
 */
export async function openWaitingRoom(at: {
  host: string;
  port: number;
  siteUrl: string;
  reusePort?: boolean;
}): Promise<WaitingRoom> {
  const headers = securityHeaders(at.siteUrl);
  const server = createServer(
    { requestTimeout: 10_000, headersTimeout: 5000, maxHeaderSize: 16 * 1024 },
    (request, response) => answer(request, response, headers),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: at.host, port: at.port, reusePort: at.reusePort ?? false }, resolve);
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
  // What was sent along is not wanted, and the next request comes over a connection to the site itself.
  request.resume();
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader("Cache-Control", "no-store");
  response.setHeader("Connection", "close");
  const path = (request.url ?? "/").split("?")[0] ?? "/";
  const end = (status: number, type: string, body: string): void => {
    response.writeHead(status, { "Content-Type": type, "Content-Length": Buffer.byteLength(body) });
    response.end(request.method === "HEAD" ? undefined : body);
  };
  if (path === ALIVE) {
    end(200, "text/plain; charset=utf-8", "ok");
    return;
  }
  response.setHeader("Retry-After", String(LOOK_AGAIN_S));
  if (path === READY) {
    end(503, "application/json", JSON.stringify({ waiting_for: "database", ...NOT_READY }));
    return;
  }
  if (path.startsWith(PROGRAMS) || !wantsPage(request)) {
    const problem = {
      type: "about:blank",
      title: "Service Unavailable",
      status: 503,
      detail: message("en", "waiting_text"),
    };
    end(503, "application/problem+json", JSON.stringify(problem));
    return;
  }
  response.setHeader(
    "Content-Security-Policy",
    `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'`,
  );
  // Only what was asked for by GET is asked for again: a form is not sent twice.
  const isLooking = request.method === "GET" || request.method === "HEAD";
  const again = isLooking ? `<meta http-equiv="refresh" content="${LOOK_AGAIN_S}">` : "";
  const locale = localeAt(path);
  const title = message(locale, "waiting_title");
  const text = isLooking
    ? `${message(locale, "waiting_text")} ${message(locale, "waiting_looks")}`
    : message(locale, "waiting_sent");
  end(
    503,
    "text/html; charset=utf-8",
    `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${again}<title>${title}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1><p>${text}</p><p><a href="">${message(locale, "waiting_again")}</a></p></main></body></html>`,
  );
}

function wantsPage({ headers }: IncomingMessage): boolean {
  return /text\/html/.test(headers.accept ?? "");
}
