// Avatars, as everybody may see them: from the store, by the user id.
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { AVATAR_CACHE, findPublicAvatar } from "#domain/members/avatars.ts";
import type { AppParts } from "../context.ts";
import { answerBare } from "../messages.ts";
import { namesTag, tagOf } from "../request/etag.ts";

const NAME = /^([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.webp$/;

export function avatarsEndpoint(app: Pick<AppParts, "db" | "storage">) {
  const endpoint = new Hono<{ Bindings: HttpBindings }>();
  endpoint.get("/:name", async (c) => {
    const userId = NAME.exec(c.req.param("name"))?.[1];
    const found = userId ? await findPublicAvatar(app, userId) : null;
    if (!found) return answerBare(c, "bare_no_picture", 404);
    const etag = tagOf(found);
    const headers = {
      "Cache-Control": AVATAR_CACHE,
      ETag: etag,
      // Opened by itself it is a picture and nothing else, whatever a browser might see in it.
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Content-Disposition": "inline",
    };
    if (namesTag(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers);
    return c.body(Uint8Array.from(found), 200, { ...headers, "Content-Type": "image/webp" });
  });
  endpoint.all("*", (c) => answerBare(c, "bare_no_picture", 404));
  return endpoint;
}
