// Turns a request for a page into its answer by React Router, whichever build it comes from.
import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import type { Member } from "#domain/sessions.ts";
import { takesFiles } from "./avatar-actions.ts";
import { type AppParts, appContext, memberContext, nonceContext, siteContext, visitContext } from "./context.ts";
import { inLanguageOf } from "./language.ts";
import { sealInlineScripts } from "./security-headers.ts";
import type { SiteReader } from "./site-snapshot.ts";
import type { Visit } from "./visit.ts";

/** A finished page (or data for a client navigation, or a redirect), for any visitor or for the one who is named. */
export type RenderPage = (request: Request, by?: { member: Member | null; visit: Visit }) => Promise<Response>;

/** Pages that are made at the same time, those included that wait for their turn or for the database. */
const MOST_UNDER_WAY = 300;
/** Of those that take a file, which arrives while the page is under way already: whoever sends slowly keeps only these back. */
const MOST_UPLOADS = 20;

/** Makes the renderer; `build` is the server build, or a function that gets the newest one in development. */
export function createPageRenderer(
  build: ServerBuild | (() => Promise<ServerBuild>),
  options: {
    /** What visitors may see, and what members may. */
    site: { public: SiteReader; members: SiteReader };
    parts: AppParts;
    siteUrl: string;
    log: Logger;
    dev: boolean;
  },
): RenderPage {
  // The mode decides whether an error's text may leave the process: never, so that development shows what people will see.
  const handle = createRequestHandler(build, options.dev ? "development" : "production");
  const underWay = { pages: 0, uploads: 0 };
  return async (request, by) => {
    const isUpload = request.method === "POST" && takesFiles(new URL(request.url).pathname);
    const [kind, most] = isUpload ? (["uploads", MOST_UPLOADS] as const) : (["pages", MOST_UNDER_WAY] as const);
    if (underWay[kind] >= most) return busy();
    underWay[kind] += 1;
    try {
      return await renderPage(request, by);
    } finally {
      underWay[kind] -= 1;
    }
  };

  async function renderPage(request: Request, by: Parameters<RenderPage>[1]): Promise<Response> {
    const nonce = randomBytes(16).toString("base64");
    const context = new RouterContextProvider();
    context.set(siteContext, by?.member ? options.site.members : options.site.public);
    context.set(appContext, options.parts);
    context.set(memberContext, by?.member ?? null);
    if (by) context.set(visitContext, by.visit);
    context.set(nonceContext, nonce);
    const response = await inLanguageOf(request.url, () => handle(request, context));
    if (!response.headers.get("Content-Type")?.startsWith("text/html")) return response;
    const { html, policy } = sealInlineScripts(await response.text(), nonce, options.siteUrl);
    const headers = new Headers(response.headers);
    // Vite's own inline scripts, there in development only, are not ours to seal.
    if (!options.dev) headers.set("Content-Security-Policy", policy);
    return new Response(html, { status: response.status, headers });
  }
}

/** Said at once, while those who wait already are served: one more would only wait longer, and then all the others. */
function busy(): Response {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Retry-After": "2", "Cache-Control": "no-store" };
  return new Response("Too many people are asking for pages right now. Please try again in a moment.\n", {
    status: 503,
    headers,
  });
}
