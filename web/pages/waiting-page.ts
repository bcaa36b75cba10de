// Answers requests while the site starts or waits for its database.
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { localeAt } from "#shared/locale.ts";
import { type MessageName, message } from "../messages.ts";
import { PROGRAMS } from "../request/program-paths.ts";

const STYLE = `:root{color-scheme:light dark;font:1.0625rem/1.5 system-ui,sans-serif;background:#f5f2ed;color:#1c1917}
@media (prefers-color-scheme:dark){:root{background:#0c0908;color:#f5f2ef}}
body{max-width:34rem;margin:0 auto;padding:min(20vh,10rem) 1.25rem 3rem}
h1{margin:0 0 .75rem;font-size:1.75rem;line-height:1.2;letter-spacing:-.01em;text-wrap:balance}
p{text-wrap:pretty}
a{display:inline-block;margin-top:.5rem;padding:.75rem 1.5rem;border-radius:99rem;background:#ff8000;color:#000;font-weight:600;text-decoration:none}`;
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** The texts by reason, also for a form that was sent. */
const TEXTS = {
  database: { text: "waiting_text", sent: "waiting_sent" },
  start: { text: "waiting_start", sent: "waiting_start_sent" },
} as const satisfies Record<string, { text: MessageName; sent: MessageName }>;

/**
 * Answers with 503 and Retry-After: a page for browsers, in the language of the address, which reloads by itself; JSON for
 * programs. `headers`: of every response, by lower-case name.
 */
export function answerNotYet(
  request: IncomingMessage,
  response: ServerResponse,
  { headers, why, lookAgainS }: { headers: Record<string, string>; why: keyof typeof TEXTS; lookAgainS: number },
): void {
  // The body is discarded.
  request.resume();
  const [path = "/"] = (request.url ?? "/").split("?", 1);
  const isPage = !path.startsWith(PROGRAMS) && /text\/html/.test(request.headers.accept ?? "");
  // Only GET pages reload: a form is not sent twice.
  const looksAgain = isPage && (request.method === "GET" || request.method === "HEAD");
  const texts = TEXTS[why];
  const body = isPage
    ? waitingPage(path, texts, looksAgain)
    : JSON.stringify({
        type: "about:blank",
        title: "Service Unavailable",
        status: 503,
        detail: message("en", texts.text),
      });
  response.writeHead(503, {
    ...headers,
    ...(isPage && {
      "content-security-policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'`,
    }),
    ...(looksAgain && { Refresh: String(lookAgainS) }),
    "Retry-After": String(lookAgainS),
    "X-Relay-Error": "true",
    "Cache-Control": "no-store",
    "Content-Type": isPage ? "text/html; charset=utf-8" : "application/problem+json",
    "Content-Length": Buffer.byteLength(body),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

function waitingPage(path: string, { text, sent }: (typeof TEXTS)["start" | "database"], looksAgain: boolean): string {
  const locale = localeAt(path);
  const title = message(locale, "waiting_title");
  const words = looksAgain ? `${message(locale, text)} ${message(locale, "waiting_looks")}` : message(locale, sent);
  return `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1><p>${words}</p><p><a href="">${message(locale, "waiting_again")}</a></p></main></body></html>`;
}
