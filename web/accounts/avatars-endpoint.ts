// Serves avatars from the store by the user id, with or without the extension .webp.
import type { HttpBindings } from "@hono/node-server";
import { Hono, type MiddlewareHandler } from "hono";
import { AVATAR_CACHE, findPublicAvatar } from "#domain/members/avatars.ts";
import type { AppParts } from "../context.ts";
import { answerBare } from "../messages.ts";
import { namesTag, tagOf } from "../request/etag.ts";

const UUID = "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}";
const UUID_LENGTH = 36;

/** `inPlace` is the step that takes a slot for database and store work. */
export function avatarsEndpoint(
  app: Pick<AppParts, "db" | "storage">,
  inPlace: MiddlewareHandler<{ Bindings: HttpBindings }>,
) {
  const endpoint = new Hono<{ Bindings: HttpBindings }>();
  endpoint.get(`/:name{${UUID}(?:\\.webp)?}`, inPlace, async (c) => {
    const found = await findPublicAvatar(app, c.req.param("name").slice(0, UUID_LENGTH));
    if (!found) return answerBare(c, "bare_no_picture", 404);
    const etag = tagOf(found);
    const headers = {
      "Cache-Control": AVATAR_CACHE,
      ETag: etag,
      // Opened directly it is only a picture, whatever else a browser might detect in it.
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Content-Disposition": "inline",
    };
    if (namesTag(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers);
    return c.body(Uint8Array.from(found), 200, { ...headers, "Content-Type": "image/webp" });
  });
  endpoint.all("*", (c) => answerBare(c, "bare_no_picture", 404));
  return endpoint;
}
