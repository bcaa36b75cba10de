// Makes all REFUSALS outside of a route: a page in the reader's language for browsers, a problem for programs of the API, a word
// for the rest. Pages are rendered once for each reason and language and cached as bytes, so a flood of refusals costs no
// renderings, needs no database, and cannot fail: without a page, plain text is sent. Members get a page of their own, under a
// concurrency slot, which keeps the link to their account; without a slot, the cached one.
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { Logger } from "pino";
import { type Locale, localeAt } from "#shared/locale.ts";
import { REFUSAL_STATUS, type RefusalReason } from "#shared/refusal-reasons.ts";
import { escapeHtml } from "#shared/text/escape-html.ts";
import { type ProblemStatus, problem } from "../api/problem.ts";
import type { TypedField } from "../forms/typed-fields.ts";
import { type MessageName, message } from "../messages.ts";
import { encodingFor } from "../request/accepted-encoding.ts";
import { isOfApi, PROGRAMS } from "../request/program-paths.ts";
import { currentRequestId } from "../request/request-id.ts";
import type { By } from "./page-renderer.ts";

/** The texts of each reason where there is no page; app/ui/error-page has them for pages. */
const TEXTS = {
  not_allowed: { title: "error_403", text: "error_403_text" },
  cross_site: { title: "error_cross_site", text: "error_cross_site_text" },
  elsewhere: { title: "error_elsewhere", text: "error_elsewhere_text" },
  blocked: { title: "error_blocked", text: "error_blocked_text" },
  nothing: { title: "not_found_title", text: "not_found_text" },
  unreadable: { title: "error_400", text: "error_theirs" },
  method: { title: "error_method", text: "error_method_text" },
  slow: { title: "error_slow", text: "error_slow_text" },
  too_large: { title: "error_too_large", text: "error_too_large_text" },
  too_often: { title: "error_too_often", text: "error_too_often_text" },
  failed: { title: "error_title", text: "error_ours" },
  busy: { title: "error_busy", text: "error_busy_text" },
  database: { title: "error_unreachable", text: "error_database_text" },
  unavailable: { title: "error_unreachable", text: "error_unknown" },
} satisfies Record<RefusalReason, { title: MessageName; text: MessageName }>;

/** Gets the reason for a bare status; null: none. */
export const reasonOf = (status: number): RefusalReason | null => BY_STATUS.get(status) ?? null;

/** Details of a refusal. `typed`: the values of the posted form. `home`: the right address, if the wrong one is the reason. */
export type RefusalDetails = {
  retryAfterS?: number | undefined;
  headers?: Record<string, string>;
  typed?: TypedField[];
  home?: string;
  /** Makes the page for a signed-in member; null: not signed in. */
  forReader?: (make: (by: By) => Promise<string>) => Promise<string | null>;
};

/** The parts of a request that a refusal needs. `url` may be a path. */
type Asked = { method: string; url: string; headers: { get(name: string): string | null } };

export type Refusals = {
  /** Never rejects. */
  answer(asked: Asked, reason: RefusalReason, details?: RefusalDetails): Promise<Response>;
  /** Does the same with Node's own objects. */
  send(request: IncomingMessage, response: ServerResponse, reason: RefusalReason, details?: RefusalDetails): void;
  /** Drops the cached pages after the site has changed. */
  forget(): void;
};

/** The first reason of a status is the most general one. */
const BY_STATUS = new Map<number, RefusalReason>(
  Object.entries(REFUSAL_STATUS)
    .reverse()
    .map(([reason, status]) => [status, reason as RefusalReason]),
).set(503, "unavailable");

type Bytes = Uint8Array<ArrayBuffer>;
type Kept = { identity: Bytes; gzip: Bytes; br: Bytes };
type Finished = { status: number; headers: Record<string, string>; body: Bytes | string };

/** Placeholders in a cached page for the request's values, which no text of the site contains. */
const SLOT = {
  id: "slot-of-the-request-id",
  name: "slot-of-a-name",
  value: "slot-of-a-value",
  home: "http://slot-of-home.invalid/",
};
const TYPED_SLOT: TypedField[] = [[SLOT.name, SLOT.value]];
/** The element of one field, as app/ui/error-page writes it. */
const TYPED_ROW = /<div[^>]*\bdata-typed=""[^>]*>.*?<\/div>/s;
/** How long making a page may take, even on a busy machine; then plain text is sent. */
const MOST_MS = 3_000;
/** The limit for a member's page, which queries the database; then the cached one is sent. */
const MOST_OWN_MS = 4_000;
/** Reasons that apply before an API operation runs; clients distinguish them from the operation's own refusals. */
const NOT_REACHED = new Set<RefusalReason>(["blocked", "busy", "database", "unavailable"]);
/** How long to wait after a failed rendering. */
const RETRY_MS = 5_000;

/** `renderPage`: renders a page to text, for any visitor or for one reader. `headers` are sent with every refusal. */
export function createRefusals(options: {
  renderPage: (
    refusal: { status: number; reason: RefusalReason; typed: TypedField[]; home: string | null },
    locale: Locale,
    requestId: string,
    by?: By,
  ) => Promise<string>;
  headers: Record<string, string>;
  log: Logger;
}): Refusals {
  const { headers: always, log } = options;
  let kept = new Map<string, Promise<Kept | null>>();

  function pageOf(reason: RefusalReason, locale: Locale, typed: boolean): Promise<Kept | null> {
    const key = `${reason} ${locale} ${typed}`;
    const shelf = kept;
    let page = shelf.get(key);
    if (!page) {
      page = make(reason, locale, typed).catch((error) => {
        log.error({ err: error, reason }, "the page of a refusal could not be made");
        setTimeout(() => shelf.delete(key), RETRY_MS).unref();
        return null;
      });
      shelf.set(key, page);
    }
    return page;
  }

  async function make(reason: RefusalReason, locale: Locale, typed: boolean): Promise<Kept> {
    const refusal = {
      status: REFUSAL_STATUS[reason],
      reason,
      typed: typed ? TYPED_SLOT : [],
      home: reason === "elsewhere" ? SLOT.home : null,
    };
    const identity = new TextEncoder().encode(await options.renderPage(refusal, locale, SLOT.id));
    const [br, gz] = await Promise.all([promisify(brotliCompress)(identity), promisify(gzip)(identity)]);
    return { identity, gzip: new Uint8Array(gz), br: new Uint8Array(br) };
  }

  /** Makes the page for a signed-in member; null: not signed in, no free slot, or it fails. */
  async function ownPage(reason: RefusalReason, locale: Locale, { typed = [], home, forReader }: RefusalDetails) {
    if (!forReader) return null;
    const refusal = { status: REFUSAL_STATUS[reason], reason, typed, home: home ?? null };
    const id = currentRequestId() ?? "";
    const made = forReader((by) => options.renderPage(refusal, locale, id, by)).catch((error) => {
      log.debug({ err: error, reason }, "the page of a refusal could not be made for its reader");
      return null;
    });
    return inTime(made, MOST_OWN_MS);
  }

  async function page(asked: Asked, reason: RefusalReason, details: RefusalDetails) {
    const { typed = [], home } = details;
    const locale = localeAt(pathOf(asked));
    const html = { "content-type": "text/html; charset=utf-8" };
    const own = await ownPage(reason, locale, details);
    if (own !== null) return { headers: { ...html, "cache-control": "private, no-store" }, body: own };
    // Blocked clients would not get the files that a page needs either.
    const found = reason === "blocked" ? null : await inTime(pageOf(reason, locale, typed.length > 0));
    if (!found) return { headers: html, body: plainPage(reason, typed, home) };
    if (typed.length === 0 && home === undefined && reason !== "failed") {
      const encoding = encodingFor(asked.headers.get("accept-encoding") ?? undefined);
      return {
        headers: encoding === "identity" ? html : { ...html, "content-encoding": encoding },
        body: found[encoding],
      };
    }
    const filled = new TextDecoder()
      .decode(found.identity)
      .replaceAll(SLOT.id, escapeHtml(currentRequestId() ?? ""))
      .replaceAll(SLOT.home, () => escapeHtml(home ?? "/"))
      .replace(TYPED_ROW, (row) =>
        typed
          .map(([name, value]) =>
            row.replace(SLOT.name, () => escapeHtml(name)).replace(SLOT.value, () => escapeHtml(value)),
          )
          .join(""),
      );
    return { headers: html, body: filled };
  }

  async function finish(asked: Asked, reason: RefusalReason, details: RefusalDetails): Promise<Finished> {
    const status: ProblemStatus = REFUSAL_STATUS[reason];
    const headers = {
      ...always,
      "cache-control": "no-store",
      ...(details.retryAfterS === undefined ? {} : { "retry-after": String(details.retryAfterS) }),
      ...details.headers,
    };
    const path = pathOf(asked);
    const asksForPage = asked.headers.get("accept")?.includes("text/html");
    // Signing in at another site leads a browser back to /api/auth.
    if (isOfApi(path) || (path.startsWith(PROGRAMS) && !asksForPage)) {
      const id = status === 500 ? currentRequestId() : undefined;
      const answer = problem(status, message("en", TEXTS[reason].text), id === undefined ? {} : { error_id: id });
      const relay: Record<string, string> = NOT_REACHED.has(reason) ? { "x-relay-error": "true" } : {};
      return { status, headers: { ...headers, ...relay, "content-type": PROBLEM }, body: await answer.text() };
    }
    // The React Router client turns it into a route error with the status and this word, and shows the error page in the route's
    // place (decision 027).
    if (path.endsWith(".data")) return { status, headers: { ...headers, "content-type": TEXT }, body: reason };
    if (asksForPage) {
      const made = await page(asked, reason, details);
      return { status, headers: { ...headers, ...made.headers }, body: made.body };
    }
    const { title, text } = textsOf(reason, localeAt(path));
    const where = details.home === undefined ? "" : ` ${details.home}`;
    return { status, headers: { ...headers, "content-type": TEXT }, body: `${title}. ${text}${where}\n` };
  }

  return {
    async answer(asked, reason, details = {}) {
      const { status, headers, body } = await finish(asked, reason, details);
      return new Response(asked.method === "HEAD" ? null : body, { status, headers });
    },
    send(request, response, reason, details = {}) {
      const { method = "GET", url = "/" } = request;
      const get = (name: string) => {
        const value = request.headers[name];
        return typeof value === "string" ? value : null;
      };
      finish({ method, url, headers: { get } }, reason, details).then(({ status, headers, body }) => {
        response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
        response.end(method === "HEAD" ? undefined : body);
      });
    },
    forget() {
      kept = new Map();
    },
  };
}

const PROBLEM = "application/problem+json; charset=utf-8";
const TEXT = "text/plain; charset=utf-8";

const pathOf = ({ url }: Asked): string => URL.parse(url, "http://site.invalid")?.pathname ?? "/";

function inTime<T>(work: Promise<T>, mostMs = MOST_MS): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, mostMs, null);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function textsOf(reason: RefusalReason, locale: Locale): { title: string; text: string } {
  const { title, text } = TEXTS[reason];
  return { title: message(locale, title), text: message(locale, text) };
}

/** In both languages, without further files. */
function plainPage(reason: RefusalReason, typed: TypedField[], home: string | undefined): string {
  const said = (locale: Locale) => {
    const { title, text } = textsOf(reason, locale);
    return `<section lang="${locale}"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></section>`;
  };
  const where = home === undefined ? "" : `<p><a href="${escapeHtml(home)}">${escapeHtml(home)}</a></p>`;
  const fields = typed.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd><pre>${escapeHtml(value)}</pre></dd>`);
  const written =
    fields.length === 0
      ? ""
      : `<p>${escapeHtml(message("en", "error_typed"))}</p><p lang="de">${escapeHtml(message("de", "error_typed"))}</p><dl>${fields.join("")}</dl>`;
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="dark light"><meta name="robots" content="noindex"><title>${escapeHtml(textsOf(reason, "en").title)}</title></head><body>${said("en")}${said("de")}${where}${written}</body></html>`;
}
