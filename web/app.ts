// THE ORDER OF STEPS by which a request is answered.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import type { Logger } from "pino";
import type { Database } from "#db/client.ts";
import { isDatabaseAway } from "#db/database-away.ts";
import type { Audience } from "#domain/game-servers/game-servers.ts";
import type { Member } from "#domain/sign-in/sessions.ts";
import type { RefusalReason } from "#shared/refusal-reasons.ts";
import { authEndpoints } from "./accounts/auth-endpoints.ts";
import { takesFiles } from "./accounts/avatar-actions.ts";
import { avatarsEndpoint } from "./accounts/avatars-endpoint.ts";
import { type Members, askerOf as memberAsker } from "./accounts/members.ts";
import { heartbeatEndpoint } from "./api/heartbeat-endpoint.ts";
import { isApiStream } from "./api/live-operation.ts";
import { createPublicApi } from "./api/public-api.ts";
import type { AppParts } from "./context.ts";
import { embeds } from "./embeds/embeds.ts";
import { openGraphPictures } from "./embeds/open-graph.ts";
import { typedInBody } from "./forms/typed-fields.ts";
import { checkReadiness } from "./health.ts";
import type { LiveHub } from "./live/hub.ts";
import type { LiveStream } from "./live/stream.ts";
import { answerCheck } from "./pages/check-answer.ts";
import { createFilteredPages } from "./pages/filtered-pages.ts";
import { createAddressWarning, createLeadHome } from "./pages/lead-home.ts";
import { mediaEndpoint } from "./pages/media-endpoint.ts";
import { createPageCache, type PageCacheResult } from "./pages/page-cache.ts";
import type { By, RenderPage } from "./pages/page-renderer.ts";
import { type Refusals, reasonOf } from "./pages/refusals.ts";
import { atOrigin, type SiteOfRequest } from "./pages/site-snapshot.ts";
import { serveFiles } from "./pages/static-files.ts";
import { whereFrom } from "./request/cross-site.ts";
import { type Asker, FOR_ALL } from "./request/fair-queue.ts";
import type { IpGate } from "./request/ip-gate.ts";
import { sendOn, serveLanguage } from "./request/language.ts";
import { bodyOf, limitBody, type RefuseBody } from "./request/limited-body.ts";
import { NoPlaceError } from "./request/places.ts";
import { withRequestId } from "./request/request-id.ts";
import { createRequestTurns } from "./request/request-turns.ts";
import { hasOneAddress } from "./request/site-addresses.ts";
import { limitedAddress, readVisit } from "./request/visit.ts";
import { findingEndpoint } from "./well-known/finding-endpoint.ts";

/** Pages that every visitor sees alike, and their data for client navigation. */
const VISITOR_PAGES = /^(?:\/de)?(?:\/(?:games\/[\w-]{1,80}|servers\/\d{1,10}|dashboard|developers|_)?)?(?:\.data)?$/;

/** What nobody gets to see of whom it is not known who they are. */
const FOR_MEMBERS = /^(?:\/de)?\/(?:user|admin)(?:[/.]|$)/;

/** What a form may weigh, but for the addresses that take files and say so themselves. */
const MAX_FORM_BYTES = 64 * 1024;

/** A game's guide is the longest form: all its texts at full length, of signs that weigh nine bytes in a form. */
const MAX_GUIDE_BYTES = 512 * 1024;
const GUIDE = /^(?:\/de)?\/admin\/games\/\d{1,9}\/guide(?:\/|\.data|\/_\.data)?$/;

/** What a page shows or its scripts ask for. Opened by itself, as by an old link, and missing, it is refused by a page too. */
const FILES = /^\/(?:assets|media|avatars|og|api\/auth)\//;

/** What a page is asked for by. */
const PAGE_METHODS = new Set(["GET", "HEAD", "POST"]);

/** `patterns`: the addresses that are answered here beside the pages. */
export type App = { listen: RequestListener; patterns: string[]; stop(): void };

/** Builds the app. `stopping` is asked by readiness, so that a balancer looks away before the first request is refused. */
export function createApp(parts: {
  database: Database;
  hub: LiveHub;
  live: LiveStream;
  parts: AppParts;
  members: Members;
  gate: IpGate;
  /** Proxies in front whose X-Forwarded-For is believed. */
  trustProxy: number;
  render: RenderPage;
  refusals: Refusals;
  headers: Record<string, string>;
  assetsDir: string | null;
  /** Told of each request that the page cache answers. */
  onCached?: ((result: PageCacheResult) => void) | undefined;
  stopping: () => boolean;
  log: Logger;
}): App {
  const { database, hub, live, members, refusals, headers, log } = parts;
  const { shares } = parts.parts;
  const { addresses, siteUrl } = parts.parts;
  const leadHome = createLeadHome(addresses, parts.trustProxy);
  const warnOfAddress = createAddressWarning(addresses, log);
  const siteFor = (audience: Audience): SiteOfRequest => ({
    readFor: (request) => atOrigin(hub.read(audience), addresses.linkOrigin(request)),
  });
  const publicSite = siteFor("public");

  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(async (c, next) => {
    await next();
    const reason = isBare(c.res) && FILES.test(c.req.path) && asksForPage(c.req.raw) ? reasonOf(c.res.status) : null;
    if (reason) {
      const refusal = await refuse(c, reason, { headers: ofRefusal(c.res) });
      // Without the headers of what it takes the place of.
      c.res = undefined;
      c.res = refusal;
    }
    // What may stand in a frame says so itself; the old header knows no such exception.
    const framed = c.res.headers.get("content-security-policy")?.includes("frame-ancestors *");
    for (const [name, value] of Object.entries(headers)) {
      if (!c.res.headers.has(name) && !(framed && name === "x-frame-options")) c.res.headers.set(name, value);
    }
  });
  const refuseBody: RefuseBody = (c, reason) => refuse(c, reason);
  const [limitForm, limitGuide] = [limitBody(MAX_FORM_BYTES, refuseBody), limitBody(MAX_GUIDE_BYTES, refuseBody)];
  /** The step for forms of an address; null: it takes files, and says itself how many bytes. */
  const limitAt = (path: string) => (takesFiles(path) ? null : GUIDE.test(path) ? limitGuide : limitForm);
  app.use(async (c, next) => {
    const from = whereFrom(c.env.incoming, addresses);
    if (from === "own") return next();
    // Nothing of what was sent is shown again: another site may have written it.
    if (from === "cross_site") return refusals.answer(c.req.raw, "cross_site");
    warnOfAddress(c.env.incoming);
    const home = addresses.homeFor(c.env.incoming) + c.req.path;
    let refusal: Response | undefined;
    const leadElsewhere = async () => {
      const typed = typedInBody(c.req.header("Content-Type"), bodyOf(c));
      refusal = await refusals.answer(c.req.raw, "elsewhere", { home, typed });
    };
    const limit = c.req.path.startsWith("/api/") ? null : limitAt(c.req.path);
    return (limit ? await limit(c, leadElsewhere) : await leadElsewhere()) ?? refusal;
  });
  app.get("/livez", (c) => {
    c.header("Cache-Control", "no-store");
    const answer = answerCheck(c.env.incoming, { secret: parts.parts.secret, trustProxy: parts.trustProxy });
    return answer ? c.json(answer) : c.text("ok");
  });
  app.get("/readyz", async (c) => {
    c.header("Cache-Control", "no-store");
    // At once: a balancer has to look away before the first connection is refused, and a busy database answers late.
    if (parts.stopping()) return c.json({ ready: false, checks: { stopping: true } }, 503);
    const { canWrite } = parts.parts;
    const { ready, checks, cannot_write } = await checkReadiness(database, { hub, canWrite, stopping: parts.stopping });
    return c.json({ ready, checks, ...(cannot_write === null ? {} : { cannot_write }) }, ready ? 200 : 503);
  });
  app.route("/api/v1/heartbeat", heartbeatEndpoint(database.db, parts.trustProxy));
  const api = createPublicApi(parts.parts, { public: publicSite, members: siteFor("members") }, live, {
    trustProxy: parts.trustProxy,
    headers,
  });
  app.route("/api/v1", api.endpoint);
  app.route("/api/auth", authEndpoints(parts.parts, parts.trustProxy, refuseBody));
  app.route("/avatars", avatarsEndpoint(parts.parts));
  app.route("/media", mediaEndpoint(parts.parts, members, { read: () => hub.read("public") }));
  app.route("/", findingEndpoint(publicSite));
  app.route("/", embeds(publicSite));
  app.route("/og", openGraphPictures({ read: () => hub.read("public") }, parts.parts));
  app.all("/api/*", (c) => refuse(c, "nothing"));
  if (parts.assetsDir) app.use(serveFiles(parts.assetsDir));
  app.use((c, next) => limitAt(c.req.path)?.(c, next) ?? next());
  app.all("*", async (c) => {
    if (!PAGE_METHODS.has(c.req.method)) {
      return refuse(c, "method", { headers: { Allow: [...PAGE_METHODS].join(", ") } });
    }
    const visit = readVisit(c.env.incoming, parts.trustProxy);
    const isAct = c.req.method !== "GET" && c.req.method !== "HEAD";
    const leave = await (isAct ? shares.forms : shares.pages).take(askerOf(c.env.incoming));
    try {
      const { member, away } = await findMember(c.req.header("Cookie"));
      if (away && FOR_MEMBERS.test(c.req.path)) throw away;
      // A file arrives while its action runs, which has places of its own for it (web/forms/file-form.ts).
      if (member && isAct && takesFiles(c.req.path)) leave();
      return await showPage(c, { member, visit, accountAway: away });
    } finally {
      leave();
    }
  });
  async function showPage(c: Context<{ Bindings: HttpBindings }>, by: By) {
    const { member } = by;
    const own = member ? sendOn(c.env.incoming.url ?? "/", c.env.incoming.headers, member.locale) : null;
    if (own) {
      c.header("Cache-Control", "private, no-store");
      return c.redirect(own);
    }
    const asker = member ? memberAsker(member) : askerOf(c.env.incoming);
    const asked = underOwnAddress(c.req.raw, addresses.linkOrigin(c.env.incoming));
    const response = await parts.render(asked, by, asker);
    const reason = isBare(response) && asksForPage(c.req.raw) ? reasonOf(response.status) : null;
    if (reason) {
      const forReader = member || by.accountAway ? (make: (by: By) => Promise<string>) => make(by) : undefined;
      return refusals.answer(c.req.raw, reason, { headers: ofRefusal(response), forReader });
    }
    const answer = new Response(response.body, response);
    // Of a form that its page could not do just now.
    if (answer.status === 503 && !answer.headers.has("Retry-After")) answer.headers.set("Retry-After", "5");
    if (member || by.accountAway) answer.headers.set("Cache-Control", "private, no-store");
    else if (!answer.headers.has("Cache-Control")) answer.headers.set("Cache-Control", "no-store");
    return answer;
  }
  app.onError((error, c) => {
    const [reason, retryAfterS] = reasonOfFailure(error);
    if (!(error instanceof NoPlaceError)) {
      log[reason === "database" ? "warn" : "error"](
        { err: error, method: c.req.method, path: c.req.path },
        "a request failed",
      );
    }
    const typed = c.req.method === "POST" ? typedInBody(c.req.header("Content-Type"), bodyOf(c)) : [];
    // Where there was no place for what was asked for, there is none for a page of one's own either.
    if (error instanceof NoPlaceError) return refusals.answer(c.req.raw, reason, { retryAfterS, typed });
    return refuse(c, reason, { retryAfterS, typed }, reason === "database" ? error : null);
  });

  /**
   * Says no, under the bar of whoever is signed in.
   * @param away why who it is cannot be asked now; null: it can
   */
  function refuse(
    c: Context<{ Bindings: HttpBindings }>,
    reason: RefusalReason,
    details: Parameters<Refusals["answer"]>[2] = {},
    away: Error | null = null,
  ): Promise<Response> {
    const { incoming } = c.env;
    const cookies = incoming.headers.cookie;
    if (!members.names(cookies)) return refusals.answer(c.req.raw, reason, details);
    const forReader = async (make: (by: By) => Promise<string>) => {
      const leave = await shares.pages.take(askerOf(incoming));
      try {
        const { member, away: accountAway } = away ? { member: null, away } : await findMember(cookies);
        if (!member && !accountAway) return null;
        return await make({ member, visit: readVisit(incoming, parts.trustProxy), accountAway });
      } finally {
        leave();
      }
    };
    return refusals.answer(c.req.raw, reason, { ...details, forReader });
  }

  /** Whose share a request counts to: the account's where it may have one, else the address's. */
  function askerOf(request: IncomingMessage): Asker {
    return (
      members.asker(request.headers.cookie) ?? {
        group: "visitors",
        key: limitedAddress(readVisit(request, parts.trustProxy).ip),
      }
    );
  }

  /** A page that everybody needs is nobody's in particular; of others there is no end, so whoever asks for them pays. */
  async function makeVisitorPage(request: Request, cause: IncomingMessage): Promise<Response> {
    const { pathname } = new URL(request.url);
    const slug = /^(?:\/de)?\/games\/([\w-]+?)(?:\.data)?$/.exec(pathname)?.[1];
    const isForAll = slug === undefined ? !/\/servers\//.test(pathname) : isPublicGame(slug);
    if (isForAll) return parts.render(request);
    const asker = askerOf(cause);
    const leave = await shares.pages.take(asker);
    return parts.render(request, undefined, asker).finally(leave);
  }
  const isPublicGame = (slug: string) => hub.read("public").games.some(({ game_slug }) => game_slug === slug);

  const throughHono = getRequestListener(app.fetch, { overrideGlobalObjects: false });

  const ofPages: Omit<Parameters<typeof createPageCache>[0], "addressOf"> = {
    render: makeVisitorPage,
    siteUrl,
    headers,
    log,
    onServe: parts.onCached,
    onError: (request, response, error) => {
      const [reason, retryAfterS] = reasonOfFailure(error);
      if (!(error instanceof NoPlaceError)) log.error({ err: error, path: request.url }, "a page could not be made");
      refusals.send(request, response, reason, { retryAfterS });
    },
  };
  const pages = createPageCache({
    ...ofPages,
    addressOf: (url) => {
      const [pathname = url] = url.split("?", 1);
      return VISITOR_PAGES.test(pathname) ? pathname : null;
    },
  });
  const filteredPages = createFilteredPages(
    { ...ofPages, render: (request) => parts.render(request) },
    { read: () => hub.read("public") },
    { places: shares.lists, askerOf },
  );
  const unsubscribe = hub.subscribe(({ whole }) => {
    // Whoever is told of another catalog asks for it at once, and what was hidden is gone.
    const shown = whole ? "no more" : undefined;
    pages.invalidate(shown);
    filteredPages.invalidate(shown);
    if (whole) refusals.forget();
  });

  const SUPERVISORS = /^\/(?:livez|readyz)(?:\?|$)/;
  // Whoever looks after the site is heard among all that others ask.
  const inTurn = createRequestTurns((request) => {
    const asker = askerOf(request);
    return SUPERVISORS.test(request.url ?? "") ? { ...FOR_ALL, key: asker.key } : asker;
  });

  function listen(request: IncomingMessage, response: ServerResponse) {
    inTurn(request, () => withRequestId(request, response, parts.trustProxy, () => answer(request, response)));
  }

  function answer(request: IncomingMessage, response: ServerResponse) {
    // 0. Whom an admin has blocked gets nothing; only supervisors are answered always.
    if (parts.gate.refuses(() => readVisit(request, parts.trustProxy).ip) && !SUPERVISORS.test(request.url ?? "")) {
      refusals.send(request, response, "blocked");
      return;
    }
    // What two readers could take for two different requests.
    if (!hasOneAddress(request)) {
      refusals.send(request, response, "unreadable", { headers: { Connection: "close" } });
      return;
    }
    // The one method that Node lets in and that a Request cannot have.
    if (request.method === "TRACE") {
      refusals.send(request, response, "method", { headers: { Allow: [...PAGE_METHODS].join(", ") } });
      return;
    }
    if (ledHome(request, response)) return;
    const signedIn = members.names(request.headers.cookie);
    // 1. The live stream: held open, written to directly.
    if (request.method === "GET" && /^\/live(?:\?|$)/.test(request.url ?? "")) {
      if (signedIn) openForMember(request, response);
      else live.open(request, response, null);
    }
    // The same for programs and other sites.
    else if (isApiStream(request)) api.openStream(request, response);
    // 2. The language: a choice is remembered, and whoever arrives is sent to the own one.
    else if (serveLanguage(request, response, { signedIn, siteUrl, headers })) return;
    // 3. Visitors' pages: finished bytes. Whoever comes with a session never gets one, nor leaves one behind.
    else if (!signedIn && fromMemory(request, response)) return;
    // 4. Everything else: cross-site check, health, API, files, and pages that are rendered for one person.
    else throughHono(request, response);
  }

  function fromMemory(request: IncomingMessage, response: ServerResponse): boolean {
    const origin = addresses.cacheOrigin(request);
    if (origin === null) return false;
    return filteredPages.serve(request, response, origin) || pages.serve(request, response, origin);
  }

  /** Whether somebody who asks for a page at an address that is not the site's was told where it is. */
  function ledHome(request: IncomingMessage, response: ServerResponse): boolean {
    const lead = leadHome(request);
    if (lead === null) return false;
    if (lead === "stranger") {
      warnOfAddress(request);
      refusals.send(request, response, "elsewhere", { home: addresses.homeFor(request) + request.url });
    } else {
      response
        .writeHead(302, { ...headers, Location: lead.to, "Cache-Control": "no-store", "Content-Length": 0 })
        .end();
    }
    return true;
  }

  /** Whoever has a session but cannot be found, because the database is away, is shown what visitors see. */
  async function findMember(cookies: string | undefined): Promise<{ member: Member | null; away: Error | null }> {
    try {
      return { member: await members.find(cookies), away: null };
    } catch (error) {
      if (!(error instanceof Error) || !isDatabaseAway(error)) throw error;
      return { member: null, away: error };
    }
  }

  function openForMember(request: IncomingMessage, response: ServerResponse) {
    members.find(request.headers.cookie).then(
      (member) => live.open(request, response, member?.session_id ?? null),
      (error) => {
        log.warn({ err: error }, "a live stream could not be opened");
        response.writeHead(503, { ...headers, "Retry-After": "5", "Cache-Control": "no-store" }).end();
      },
    );
  }
  return {
    listen,
    patterns: app.routes.map((route) => route.path).filter((path) => !/^\/?\*$/.test(path)),
    stop() {
      unsubscribe();
      api.stop();
    },
  };
}

/**
 * A request under the address that the browser knows. A proxy in front may call us by another name and without TLS, which
 * the router would take for a request from another site; our own check of that has passed by now.
 */
function underOwnAddress(request: Request, origin: string): Request {
  const { pathname, search, origin: asked } = new URL(request.url);
  if (asked === origin) return request;
  const { method, headers, body } = request;
  if (body === null) return new Request(origin + pathname + search, { method, headers, signal: request.signal });
  // A body that streams has to say so.
  const init: RequestInit & { duplex: "half" } = { method, headers, body, duplex: "half", signal: request.signal };
  return new Request(origin + pathname + search, init);
}

/** Why a request failed, and after how many seconds another try makes sense. */
function reasonOfFailure(error: unknown): ["busy" | "too_often" | "database" | "failed", number | undefined] {
  if (error instanceof NoPlaceError) return [error.reason === "own" ? "too_often" : "busy", 2];
  return isDatabaseAway(error) ? ["database", 5] : ["failed", undefined];
}

/** Whether an answer is what a route that has no page makes of a refusal: nothing, data, or a word. */
function isBare({ status, headers }: Response): boolean {
  return status >= 400 && !headers.get("Content-Type")?.startsWith("text/html");
}

const asksForPage = ({ url, headers }: Request): boolean =>
  headers.get("Accept")?.includes("text/html") === true && !new URL(url).pathname.endsWith(".data");

/** What stays of a refusal when a page takes its place. */
function ofRefusal({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name === "allow" || name === "retry-after"));
}
