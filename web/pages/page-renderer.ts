// Renders page requests with React Router, from either build.
import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import type { Member } from "#domain/accounts/sessions.ts";
import { addressIn } from "#shared/locale.ts";
import { askerOf } from "../accounts/members.ts";
import {
  type AppParts,
  accountAwayContext,
  appContext,
  askerContext,
  failureContext,
  mapContext,
  memberContext,
  nonceContext,
  refusalContext,
  siteContext,
  visitContext,
} from "../context.ts";
import { type Asker, FOR_ALL } from "../request/fair-queue.ts";
import { inLanguageOf } from "../request/language.ts";
import { asRequest } from "../request/request-id.ts";
import { sealInlineScripts } from "../request/security-headers.ts";
import type { Visit } from "../request/visit.ts";
import { createNearHandler } from "./near-routes.ts";
import { createRefusals, type Refusals } from "./refusals.ts";
import type { RouteMap } from "./route-facts.ts";
import { atOrigin, type SiteReader } from "./site-snapshot.ts";

/**
 * Renders a page (or data for a client navigation, or a redirect), for any visitor or for `by`. Its links begin with the request's
 * own origin, which is one of the site's. Rejects with the loader's or action's error while the database is unavailable.
 */
export type RenderPage = (
  request: Request,
  by?: By | undefined,
  /** The client whose turn it takes; unset for pages for everyone. */
  asker?: Asker,
) => Promise<Response>;

/** The client; `accountAway`: why the member of a session is unknown. */
export type By = { member: Member | null; visit: Visit; accountAway?: Error | null };

/** Makes the renderer and the error pages; `build` is the server build, or a function that gets the newest one in development. */
export function createPageRenderer(
  build: ServerBuild | (() => Promise<ServerBuild>),
  options: {
    /** The site as visitors and as members may see it. */
    site: { public: SiteReader; members: SiteReader };
    parts: AppParts;
    map: RouteMap;
    siteUrl: string;
    /** The headers of every response. */
    headers: Record<string, string>;
    log: Logger;
    dev: boolean;
  },
): { render: RenderPage; refusals: Refusals } {
  // The mode decides whether an error's text may leave the process: never, so development shows what people will see.
  const handle =
    typeof build === "function"
      ? createRequestHandler(build, options.dev ? "development" : "production")
      : createNearHandler(build);
  const refusals = createRefusals({
    headers: options.headers,
    log: options.log,
    async renderPage(refusal, locale, requestId, by) {
      const request = new Request(options.siteUrl + addressIn(locale, "/refused"));
      const page = await asRequest(requestId, () =>
        renderPage(request, by, by?.member ? askerOf(by.member) : FOR_ALL, refusal),
      );
      if (page.status !== refusal.status) throw new Error(`the page of a refusal ended with ${page.status}`);
      return page.text();
    },
  });
  const render: RenderPage = (request, by, asker = FOR_ALL) => renderPage(request, by, asker);
  return { render, refusals };

  async function renderPage(
    request: Request,
    by: Parameters<RenderPage>[1],
    asker: Asker,
    refusal: Parameters<Parameters<typeof createRefusals>[0]["renderPage"]>[0] | null = null,
  ): Promise<Response> {
    const nonce = randomBytes(16).toString("base64");
    const context = new RouterContextProvider();
    const site = by?.member ? options.site.members : options.site.public;
    const { origin } = new URL(request.url);
    context.set(siteContext, { read: () => atOrigin(site.read(), origin) });
    context.set(appContext, options.parts);
    context.set(mapContext, options.map);
    context.set(memberContext, by?.member ?? null);
    context.set(askerContext, asker);
    context.set(accountAwayContext, by?.accountAway ?? null);
    if (by) context.set(visitContext, by.visit);
    context.set(nonceContext, nonce);
    context.set(refusalContext, refusal);
    const failure: { error: unknown } = { error: null };
    context.set(failureContext, failure);
    const response = await inLanguageOf(request.url, () => handle(request, context));
    if (failure.error !== null) throw failure.error;
    if (!response.headers.get("Content-Type")?.startsWith("text/html")) return response;
    const { html, policy } = sealInlineScripts(
      await response.text(),
      nonce,
      options.headers["content-security-policy"] ?? "",
    );
    const headers = new Headers(response.headers);
    // Vite's own inline scripts, in development only, are not sealed.
    if (!options.dev) headers.set("Content-Security-Policy", policy);
    return new Response(html, { status: response.status, headers });
  }
}
