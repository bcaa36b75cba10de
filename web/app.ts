// Defines the ORDER OF STEPS in which a request is answered.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import path from "node:path";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import { Hono } from "hono";
import type { Database } from "#db/client.ts";
import type { Audience } from "#domain/game-servers/game-servers.ts";
import { WORK_PATH } from "#domain/outposts/wire.ts";
import { authEndpoints } from "./accounts/auth-endpoints.ts";
import { avatarsEndpoint } from "./accounts/avatars-endpoint.ts";
import type { Members } from "./accounts/members.ts";
import { heartbeatEndpoint } from "./api/heartbeat-endpoint.ts";
import { API_LIVE_PATH, isApiStream } from "./api/live-operation.ts";
import { createPublicApi } from "./api/public-api.ts";
import { clientFiles } from "./api/reference/client-files.ts";
import { calendarEndpoint } from "./calendar/calendar-endpoint.ts";
import type { AppParts } from "./context.ts";
import { INTERACTIONS_PATH, interactionsEndpoint } from "./discord/interactions-endpoint.ts";
import { embeds } from "./embeds/embeds.ts";
import { openGraphPictures } from "./embeds/open-graph.ts";
import { feedsEndpoint } from "./feeds/feeds-endpoint.ts";
import { healthEndpoint, isSupervisor } from "./health-endpoint.ts";
import { createLiveEndpoint, isLiveStream, LIVE_PATH } from "./live/endpoint.ts";
import type { LiveHub } from "./live/hub.ts";
import { SHOWS_PATH, showsEndpoint } from "./live/shows-endpoint.ts";
import type { LiveStream } from "./live/stream.ts";
import { WAITING_PATH, waitingEndpoint } from "./live/waiting-endpoint.ts";
import { outpostWorkEndpoint } from "./outpost-work-endpoint.ts";
import { createLeadHome } from "./pages/lead-home.ts";
import { mediaEndpoint } from "./pages/media-endpoint.ts";
import { ALLOWED, pageEndpoint } from "./pages/page-endpoint.ts";
import type { RenderPage } from "./pages/page-renderer.ts";
import type { Refusals } from "./pages/refusals.ts";
import { createRefuse } from "./pages/refuse.ts";
import type { ResponseCacheResult } from "./pages/response-cache.ts";
import type { RouteMap } from "./pages/route-facts.ts";
import { serverIconsEndpoint } from "./pages/server-icons-endpoint.ts";
import { atOrigin, type SiteOfRequest } from "./pages/site-snapshot.ts";
import { serveFiles } from "./pages/static-files.ts";
import { createVisitorPages } from "./pages/visitor-pages.ts";
import { pushEndpoint } from "./push/push-endpoint.ts";
import type { IpBlocklist } from "./request/ip-blocklist.ts";
import { serveLanguage } from "./request/language.ts";
import { limitForm, type RefuseBody } from "./request/limited-body.ts";
import { inPlace } from "./request/places.ts";
import { withRequestId } from "./request/request-id.ts";
import { createRequestTurns } from "./request/request-turns.ts";
import { createRoutePatterns, NO_PATTERN } from "./request/route-patterns.ts";
import { hasOneAddress } from "./request/site-addresses.ts";
import { readVisit } from "./request/visit.ts";
import { wellKnownEndpoint } from "./well-known/well-known-endpoint.ts";

/** `patterns`: the addresses answered here besides the pages. */
export type App = { listen: RequestListener; patterns: string[]; stop(): void };

/** Builds the app. Readiness reads `stopping`, so that a balancer stops routing here before the first request is refused. */
export function createApp(options: {
  database: Database;
  hub: LiveHub;
  live: LiveStream;
  parts: AppParts;
  members: Members;
  gate: IpBlocklist;
  /** Proxies in front whose X-Forwarded-For is trusted. */
  trustProxy: number;
  /** The push services that notifications may be sent to, as in PUSH_HOSTS. */
  pushHosts: readonly string[];
  /** The facts about the addresses of pages. */
  map: RouteMap;
  render: RenderPage;
  refusals: Refusals;
  headers: Record<string, string>;
  assetsDir: string | null;
  /** Called for each request that the page cache answers. */
  onCached?: ((result: ResponseCacheResult) => void) | undefined;
  stopping: () => boolean;
}): App {
  const { database, hub, live, parts, members, gate, trustProxy, map, render, refusals, headers, assetsDir } = options;
  const { addresses, shares, siteUrl, log } = parts;
  const publicSite = { read: () => hub.read("public") };
  const keepsFor = (request: IncomingMessage) => addresses.cacheOrigin(request) !== null;
  const siteFor = (audience: Audience): SiteOfRequest => ({
    readFor: (request) => atOrigin(hub.read(audience), addresses.linkOrigin(request), keepsFor(request)),
    keepsFor,
  });
  const refuse = createRefuse({ refusals, members, shares, trustProxy, log });
  const refuseBody: RefuseBody = (c, reason) => refuse.answer(c, reason);
  const limitAt = (path: string) => limitForm(map.find(path)?.facts, refuseBody);
  const leadHome = createLeadHome({
    addresses,
    isBeside: (path) => besidePages(path) !== NO_PATTERN,
    trustProxy,
    refusals,
    headers,
    log,
  });
  const inPage = inPlace(shares.pages, members.askerOf);
  const inForm = inPlace(shares.forms, members.askerOf);
  const openLive = createLiveEndpoint(live, members, refuse.sendFailed);
  const api = createPublicApi(parts, { public: siteFor("public"), members: siteFor("members") }, live, {
    trustProxy,
    headers,
  });
  const visitorPages = createVisitorPages({
    map,
    hub,
    render,
    refusals,
    refuse,
    members,
    parts,
    headers,
    onServe: options.onCached,
  });

  const app = new Hono<{ Bindings: HttpBindings }>();
  /** Mounts an endpoint that pages or their scripts use. */
  const mountForPages = (at: string, endpoint: Hono<{ Bindings: HttpBindings }>) =>
    app.use(`${at}/*`, refuse.byPage).route(at, endpoint);
  app.use(async (c, next) => {
    await next();
    // Responses that may be framed say so in their policy; the old header knows no such exception.
    const framed = c.res.headers.get("content-security-policy")?.includes("frame-ancestors *");
    for (const [name, value] of Object.entries(headers)) {
      if (!c.res.headers.has(name) && !(framed && name === "x-frame-options")) c.res.headers.set(name, value);
    }
  });
  app.use(leadHome.forms(limitAt));
  app.route("/", healthEndpoint(database, hub, parts, { trustProxy, stopping: options.stopping }));
  app.route("/api/v1/heartbeat", heartbeatEndpoint(database.db, trustProxy, inPage));
  app.route("/api/v1", api.endpoint);
  app.route(SHOWS_PATH, showsEndpoint(database, live, trustProxy));
  app.route(WAITING_PATH, waitingEndpoint(database.db, hub, members, trustProxy));
  const outpostRules = { siteIntervalS: publicSite.read().poll_interval_s, addressRule: parts.addressRule };
  app.route(WORK_PATH, outpostWorkEndpoint(database.db, outpostRules, trustProxy, inPage));
  if (parts.discordPublicKey !== null) {
    app.route(INTERACTIONS_PATH, interactionsEndpoint(parts.discordPublicKey, siteFor("public"), log));
  }
  mountForPages("/api/auth", authEndpoints(parts, trustProxy, refuseBody, inForm));
  mountForPages("/avatars", avatarsEndpoint(parts, inPage));
  mountForPages("/media", mediaEndpoint(parts, members, publicSite));
  mountForPages("/server-icons", serverIconsEndpoint(parts.toldDetails, members, hub.read));
  app.route("/", wellKnownEndpoint(siteFor("public"), map.addresses, siteUrl));
  app.route("/", pushEndpoint(parts, publicSite, { members, trustProxy, hosts: options.pushHosts }));
  app.route("/", embeds(siteFor("public")));
  app.route("/", feedsEndpoint(siteFor("public"), siteUrl));
  app.route("/", calendarEndpoint(siteFor("public"), siteUrl));
  mountForPages("/og", openGraphPictures(publicSite, parts));
  app.all("/api/*", (c) => refuse.answer(c, "nothing"));
  if (assetsDir) {
    app.route("/", clientFiles(path.join(assetsDir, "../client-library")));
    app.use("/assets/*", refuse.byPage).use(serveFiles(assetsDir));
  }
  app.use((c, next) => limitAt(c.req.path)(c, next));
  app.all("*", pageEndpoint({ map, render, refusals, refuse, members, parts, trustProxy }));
  app.onError(refuse.failed);

  const throughHono = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler: (error) => new Response(null, { status: error instanceof RequestError ? 400 : 500, headers }),
  });
  const mounted = app.routes.map(({ path }) => path).filter((path) => path !== "*" && path !== "/*");
  const patterns = [...mounted, LIVE_PATH, API_LIVE_PATH];
  const besidePages = createRoutePatterns(patterns);

  // Supervisors' requests take the site's turn, so that no client delays them.
  const inTurn = createRequestTurns((request) => {
    const asker = members.askerOf(request);
    return isSupervisor(request) ? { ...asker, group: "site" } : asker;
  });

  function listen(request: IncomingMessage, response: ServerResponse) {
    inTurn(request, () => withRequestId(request, response, trustProxy, () => answer(request, response)));
  }

  function answer(request: IncomingMessage, response: ServerResponse) {
    // 0. Blocked addresses are refused; only supervisors are always answered.
    if (gate.refuses(() => readVisit(request, trustProxy).ip) && !isSupervisor(request)) {
      refusals.send(request, response, "blocked");
    }
    // Requests that two parsers could read as two different ones.
    else if (!hasOneAddress(request)) {
      refusals.send(request, response, "unreadable", { headers: { Connection: "close" } });
    }
    // The one method that Node accepts and a Request cannot have.
    else if (request.method === "TRACE") refusals.send(request, response, "method", { headers: ALLOWED });
    // Page requests at a foreign address are redirected to the site's.
    else if (leadHome.page(request, response)) return;
    // 1. The live stream: held open, written to directly. The same for programs and other sites.
    else if (isLiveStream(request)) openLive(request, response);
    else if (isApiStream(request)) api.openStream(request, response);
    else {
      const signedIn = members.names(request);
      // 2. The language: stores a choice, and redirects new visitors to their language.
      if (serveLanguage(request, response, { signedIn, siteUrl, headers })) return;
      // 3. Anonymous pages come from the response cache. Requests with a session bypass it.
      if (!signedIn && visitorPages.serve(request, response)) return;
      // 4. Everything else: cross-site check, health, API, files, and pages rendered for one person.
      throughHono(request, response);
    }
  }

  return {
    listen,
    patterns,
    stop() {
      visitorPages.stop();
      api.stop();
    },
  };
}
