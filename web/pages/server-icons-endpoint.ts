// Serves the icons that game servers report, re-encoded, only to clients that may see the game server.
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { Audience } from "#domain/game-servers/game-servers.ts";
import { ICON_TYPE } from "#domain/media/icons.ts";
import type { Members } from "../accounts/members.ts";
import { answerBare } from "../messages.ts";
import { namesTag } from "../request/etag.ts";
import type { SiteSnapshot } from "./site-snapshot.ts";
import type { ToldDetailsShelf } from "./told-details.ts";

const NAME = /^([0-9a-f]{20})\.webp$/;

/** `read`: the site as an audience may see it. */
export function serverIconsEndpoint(
  details: ToldDetailsShelf,
  members: Members,
  read: (audience: Audience) => SiteSnapshot,
) {
  const endpoint = new Hono<{ Bindings: HttpBindings }>();
  endpoint.get("/:serverId/:name", async (c) => {
    const id = NAME.exec(c.req.param("name"))?.[1];
    const seenBy = (audience: Audience) =>
      read(audience).gameServers.find(({ server_id }) => String(server_id) === c.req.param("serverId"));
    const open = seenBy("public");
    const server = open ?? ((await members.find(c.req.header("Cookie"))) ? seenBy("members") : undefined);
    const icon = id && server ? await details.icon(server, id) : null;
    if (!id || !icon) return answerBare(c, "bare_no_picture", 404);
    const headers = {
      // Revalidated each time: a hidden game server's icon is hidden in every cache too.
      "Cache-Control": open ? "no-cache" : "private, no-store",
      ETag: `"${id}"`,
      // Opened directly it is only a picture, whatever else a browser might detect in it.
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Content-Disposition": "inline",
    };
    if (namesTag(c.req.header("If-None-Match"), headers.ETag)) return c.body(null, 304, headers);
    return c.body(Uint8Array.from(icon), 200, { ...headers, "Content-Type": ICON_TYPE });
  });
  endpoint.all("*", (c) => answerBare(c, "bare_no_picture", 404));
  return endpoint;
}
