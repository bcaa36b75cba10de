// Turns failures outside of a route into a page: under the member's own navigation if signed in, and with the form values they
// sent.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import type { Context, MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import { isDatabaseAway } from "#db/database-away.ts";
import { StorageError } from "#outside/object-storage.ts";
import type { RefusalReason } from "#shared/refusal-reasons.ts";
import type { Members } from "../accounts/members.ts";
import { typedInBody } from "../forms/typed-fields.ts";
import { bodyOf } from "../request/limited-body.ts";
import { NoPlaceError } from "../request/places.ts";
import type { Shares } from "../request/shares.ts";
import { readVisit } from "../request/visit.ts";
import type { By } from "./page-renderer.ts";
import { type RefusalDetails, type Refusals, reasonOf } from "./refusals.ts";

type Env = { Bindings: HttpBindings };

export type Refuse = ReturnType<typeof createRefuse>;

export function createRefuse(options: {
  refusals: Refusals;
  members: Members;
  shares: Pick<Shares, "pages">;
  trustProxy: number;
  log: Logger;
}) {
  const { refusals, members, shares, trustProxy, log } = options;

  /**
   * Refuses the request.
   * @param away why the member can't be found now; null: they can
   */
  function answer(
    c: Context<Env>,
    reason: RefusalReason,
    details: RefusalDetails = {},
    away: Error | null = null,
  ): Promise<Response> {
    const { incoming } = c.env;
    if (!members.names(incoming)) return refusals.answer(c.req.raw, reason, details);
    const forReader = async (make: (by: By) => Promise<string>) => {
      const leave = await shares.pages.take(members.askerOf(incoming));
      try {
        const { member, away: accountAway } = away
          ? { member: null, away }
          : await members.findUnlessAway(incoming.headers.cookie);
        if (!member && !accountAway) return null;
        return await make({ member, visit: readVisit(incoming, trustProxy), accountAway });
      } finally {
        leave();
      }
    };
    return refusals.answer(c.req.raw, reason, { ...details, forReader });
  }

  function note(error: unknown, method: string | undefined, path: string | undefined) {
    if (error instanceof NoPlaceError) return;
    log.error({ err: error, method, path }, "a request failed");
  }

  return {
    answer,
    /** Answers a step's error. */
    failed(error: Error, c: Context<Env>): Promise<Response> {
      const { method, path, raw } = c.req;
      const [reason, retryAfterS] = reasonOfFailure(error);
      note(error, method, path);
      const typed = method === "POST" ? typedInBody(c.req.header("Content-Type"), bodyOf(c)) : [];
      // Without a slot for the request there is none for a member's own page either.
      if (error instanceof NoPlaceError) return refusals.answer(raw, reason, { retryAfterS, typed });
      return answer(c, reason, { retryAfterS, typed }, reason === "database" ? error : null);
    },
    /** Does the same with Node's own objects, without looking up the member. */
    sendFailed(request: IncomingMessage, response: ServerResponse, error: unknown): void {
      const [reason, retryAfterS] = reasonOfFailure(error);
      note(error, request.method, request.url);
      refusals.send(request, response, reason, { retryAfterS });
    },
    /** Middleware for what pages show or their scripts request: opened directly and missing, it is refused by a page too. */
    byPage: (async (c, next) => {
      await next();
      const said = refusalIn(c.res, c.req.raw);
      if (!said) return;
      const refusal = await answer(c, said.reason, { headers: said.headers });
      // Without the headers of the response it replaces.
      c.res = undefined;
      c.res = refusal;
    }) satisfies MiddlewareHandler<Env>,
  };
}

/**
 * Finds the reason and the remaining headers for a page that replaces the response, if a browser requested a page and the
 * refusal has none: empty, data, or text. Null: the response is fine.
 */
export function refusalIn(
  { status, headers }: Response,
  asked: Request,
): { reason: RefusalReason; headers: Record<string, string> } | null {
  if (status < 400 || headers.get("Content-Type")?.startsWith("text/html")) return null;
  if (!asked.headers.get("Accept")?.includes("text/html") || new URL(asked.url).pathname.endsWith(".data")) return null;
  const reason = reasonOf(status);
  const stays = [...headers].filter(([name]) => name === "allow" || name === "retry-after");
  return reason && { reason, headers: Object.fromEntries(stays) };
}

/** Gets the reason for a failed request, and the seconds until a retry makes sense. */
function reasonOfFailure(error: unknown): [RefusalReason, number | undefined] {
  if (error instanceof NoPlaceError) return [error.reason === "own" ? "too_often" : "busy", 2];
  if (error instanceof StorageError) return ["unavailable", 60];
  return isDatabaseAway(error) ? ["database", 5] : ["failed", undefined];
}
