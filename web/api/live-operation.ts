// Serves GET /api/v1/live: the site's live stream for programs and other sites, under the API's limits.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AppParts } from "../context.ts";
import type { LiveStream } from "../live/stream.ts";
import { limitStreams } from "../live/streams-of-address.ts";
import { askerOfAddress } from "../request/fair-queue.ts";
import { readVisit } from "../request/visit.ts";
import { authenticate } from "./authenticate.ts";
import type { CallBudgets } from "./call-budgets.ts";
import { FOR_ALL_SITES } from "./endpoint.ts";
import { OPERATIONS } from "./operations.ts";
import { problem, tooOften } from "./problem.ts";
import { readQuery } from "./read-request.ts";

/** Open streams per address: each costs memory while it is open. */
const MOST_STREAMS = 20;

export const API_LIVE_PATH = "/api/v1/live";

/** Checks whether it is GET /api/v1/live. */
export const isApiStream = ({ method, url = "/" }: IncomingMessage): boolean =>
  method === "GET" && url.split("?", 1)[0] === API_LIVE_PATH;

/** Makes the handler. `headers` are those of every response of the site. */
export function apiStreams(
  app: AppParts,
  live: LiveStream,
  budgets: CallBudgets,
  options: { trustProxy: number; headers: Record<string, string> },
) {
  const places = limitStreams(MOST_STREAMS, { name: "api-streams", limits: app.limits, log: app.log });
  const operation = OPERATIONS.find(({ id }) => id === "readLive");

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<Response | null> {
    const visit = readVisit(request, options.trustProxy);
    const who = await authenticate(app.db, budgets, visit, request.headers.authorization ?? null);
    if (who instanceof Response) return who;
    const query = operation && readQuery(operation, new URL(request.url ?? "/", app.siteUrl).searchParams);
    if (query instanceof Response) return query;
    if (response.destroyed) return null;
    if (!places.take(askerOfAddress(visit.ip), response)) return tooOften(10);
    live.open(request, response, who.member, FOR_ALL_SITES);
    return null;
  }

  function open(request: IncomingMessage, response: ServerResponse): void {
    answer(request, response)
      .catch((error) => {
        app.log.warn({ err: error }, "a live stream could not be opened");
        return problem(503, "Please try again in a moment.", {
          headers: { "Retry-After": "5", "X-Relay-Error": "true" },
        });
      })
      .then(async (refusal) => {
        if (!refusal || response.headersSent) return;
        const headers = { ...options.headers, ...Object.fromEntries(refusal.headers), ...FOR_ALL_SITES };
        response.writeHead(refusal.status, headers).end(await refusal.text());
      });
  }
  return { open, stop: () => places.stop() };
}
