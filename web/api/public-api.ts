// Assembles the public API: its endpoint, its live stream, and their common budgets.
import type { AppParts } from "../context.ts";
import type { LiveStream } from "../live/stream.ts";
import { createCallBudgets } from "./call-budgets.ts";
import { type ApiSites, apiEndpoint } from "./endpoint.ts";
import { apiStreams } from "./live-operation.ts";

/** Builds it. `endpoint` is mounted at /api/v1; `openStream` answers requests that `isApiStream` (live-operation.ts) matches. */
export function createPublicApi(
  app: AppParts,
  sites: ApiSites,
  live: LiveStream,
  options: { trustProxy: number; headers: Record<string, string> },
) {
  const budgets = createCallBudgets(app.limits, app.log);
  const streams = apiStreams(app, live, budgets, options);
  return {
    endpoint: apiEndpoint(app, sites, budgets, options.trustProxy),
    openStream: streams.open,
    stop() {
      budgets.stop();
      streams.stop();
    },
  };
}
