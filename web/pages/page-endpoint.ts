// Handles the last step of a request: renders a React Router page or runs its form's action for the client.
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { askerOf, type Members } from "../accounts/members.ts";
import type { AppParts } from "../context.ts";
import { sendOn } from "../request/language.ts";
import { bodyOf } from "../request/limited-body.ts";
import { readVisit } from "../request/visit.ts";
import type { By, RenderPage } from "./page-renderer.ts";
import type { Refusals } from "./refusals.ts";
import { type Refuse, refusalIn } from "./refuse.ts";
import type { RouteMap } from "./route-facts.ts";

type Env = { Bindings: HttpBindings };

/** The methods of pages. */
const METHODS = ["GET", "HEAD", "POST"];
export const ALLOWED = { Allow: METHODS.join(", ") };

/** Makes the handler. */
export function pageEndpoint(options: {
  map: RouteMap;
  render: RenderPage;
  refusals: Refusals;
  refuse: Refuse;
  members: Members;
  parts: Pick<AppParts, "addresses" | "shares">;
  trustProxy: number;
}) {
  const { map, render, refusals, refuse, members, trustProxy } = options;
  const { addresses, shares } = options.parts;

  async function showPage(c: Context<Env>, by: By) {
    const { member } = by;
    const own = member ? sendOn(c.env.incoming.url ?? "/", c.env.incoming.headers, member.locale) : null;
    if (own) {
      c.header("Cache-Control", "private, no-store");
      return c.redirect(own);
    }
    const asker = member ? askerOf(member) : members.askerOf(c.env.incoming);
    const asked = underOwnAddress(c.req.raw, addresses.linkOrigin(c.env.incoming));
    const response = await render(asked, by, asker);
    const refusal = refusalIn(response, c.req.raw);
    if (refusal) {
      const { reason, headers } = refusal;
      const forReader = member || by.accountAway ? (make: (by: By) => Promise<string>) => make(by) : undefined;
      return refusals.answer(c.req.raw, reason, { headers, forReader });
    }
    const answer = new Response(response.body, response);
    // For a form that its page could not process just now.
    if (answer.status === 503 && !answer.headers.has("Retry-After")) answer.headers.set("Retry-After", "5");
    if (member || by.accountAway) answer.headers.set("Cache-Control", "private, no-store");
    else if (!answer.headers.has("Cache-Control")) answer.headers.set("Cache-Control", "no-store");
    return answer;
  }

  return async (c: Context<Env>): Promise<Response> => {
    if (!METHODS.includes(c.req.method)) return refuse.answer(c, "method", { headers: ALLOWED });
    const visit = readVisit(c.env.incoming, trustProxy);
    const isAct = c.req.method === "POST";
    const facts = map.find(c.req.path)?.facts;
    const leave = await (isAct ? shares.forms : shares.pages).take(members.askerOf(c.env.incoming));
    try {
      const { member, away } = await members.findUnlessAway(c.req.header("Cookie"));
      if (away && facts?.forMembers) throw away;
      // A file arrives while its action runs, which takes a slot of its own (web/forms/file-form.ts).
      if (member && isAct && facts?.takesFiles && bodyOf(c) === null) leave();
      return await showPage(c, { member, visit, accountAway: away });
    } finally {
      leave();
    }
  };
}

/**
 * Copies a request to the address that the browser knows. A proxy may call the site by another name and without TLS,
 * which the router would take for a cross-site request; the site's own check has passed by now.
 */
function underOwnAddress(request: Request, origin: string): Request {
  const { pathname, search, origin: asked } = new URL(request.url);
  if (asked === origin) return request;
  const { method, headers, body } = request;
  if (body === null) return new Request(origin + pathname + search, { method, headers, signal: request.signal });
  // Required for a streaming body.
  const init: RequestInit & { duplex: "half" } = { method, headers, body, duplex: "half", signal: request.signal };
  return new Request(origin + pathname + search, init);
}
