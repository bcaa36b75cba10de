// Returns a game server's history for one range, for the chart on its page.
import { readHistoryRange } from "#domain/game-servers/history.ts";
import { appContext, siteContext } from "#web/context.ts";
import { namesTag } from "#web/request/etag.ts";
import type { Route } from "./+types/history-data";

export async function loader({ context, params, request, url }: Route.LoaderArgs) {
  const id = /^[1-9]\d{0,9}$/.test(params.serverId) ? Number(params.serverId) : null;
  const server = context
    .get(siteContext)
    .read()
    .gameServers.find(({ server_id }) => server_id === id);
  const range = readHistoryRange(url.searchParams.get("range") ?? "24h");
  if (!server || !range) return Response.json({ error: "There is no such history." }, { status: 404 });
  const { histories, log } = context.get(appContext);
  try {
    const { body, etag } = await histories.chart(server.server_id, range);
    const headers = { "Content-Type": "application/json", "Cache-Control": "public, max-age=60", ETag: etag };
    if (namesTag(request.headers.get("If-None-Match"), etag)) return new Response(null, { status: 304, headers });
    return new Response(body, { headers });
  } catch (error) {
    log.warn({ err: error, server_id: server.server_id }, "a history could not be read");
    const headers = { "Retry-After": "5", "Cache-Control": "no-store" };
    return Response.json({ error: "The database does not answer." }, { status: 503, headers });
  }
}
