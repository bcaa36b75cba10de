// Turns a request for a page into its answer by React Router, whichever build it comes from.
import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import type { Member } from "#domain/sign-in/sessions.ts";
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
 * A finished page (or data for a client navigation, or a redirect), for any visitor or for the one who is named. Its links
 * begin with the request's own origin, which is one of the site's. Rejects with what a loader or action met while the
 * database is away.
 */
export type RenderPage = (
  request: Request,
  by?: By | undefined,
  /** Whose turn it is; nobody's in particular where everybody gets the page. */
  asker?: Asker,
) => Promise<Response>;

/** Who asks; `accountAway`: why that is not known of somebody who came with a session. */
export type By = { member: Member | null; visit: Visit; accountAway?: Error | null };

/** Makes the renderer, and the pages that are shown in place of others; `build` is the server build, or a function that gets the newest one in development. */
export function createPageRenderer(
  build: ServerBuild | (() => Promise<ServerBuild>),
  options: {
    /** What visitors may see, and what members may. */
    site: { public: SiteReader; members: SiteReader };
    parts: AppParts;
    map: RouteMap;
    siteUrl: string;
    /** Those that every answer carries. */
    headers: Record<string, string>;
    log: Logger;
    dev: boolean;
  },
): { render: RenderPage; refusals: Refusals } {
  // The mode decides whether an error's text may leave the process: never, so that development shows what people will see.
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
    // Vite's own inline scripts, there in development only, are not ours to seal.
    if (!options.dev) headers.set("Content-Security-Policy", policy);
    return new Response(html, { status: response.status, headers });
  }
}
