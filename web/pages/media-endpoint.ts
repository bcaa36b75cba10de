// Serves uploaded pictures and landscapes: those of published games, of the brand and of the library to everyone, the others to
// editors.
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { Landscape } from "#content/landscapes/landscapes.ts";
import { MEDIA_CACHE, readMediaName } from "#domain/media/files.ts";
import { findLandscapeFile, landscapeOfFile } from "#domain/media/landscapes.ts";
import { findMediaFile } from "#domain/media/media.ts";
import { isSitePicture } from "#domain/media/site-pictures.ts";
import { may } from "#domain/permissions.ts";
import type { Members } from "../accounts/members.ts";
import type { AppParts } from "../context.ts";
import { answerBare } from "../messages.ts";
import type { SiteReader } from "./site-snapshot.ts";

/** `site`: as visitors see it. */
export function mediaEndpoint(app: Pick<AppParts, "storage" | "log">, members: Members, site: SiteReader) {
  const landscapeFile = (landscape: Landscape, key: string) =>
    findLandscapeFile(app.storage, landscape, key, (err) =>
      app.log.warn({ err }, "the store of pictures failed; a landscape is made without it"),
    );
  const endpoint = new Hono<{ Bindings: HttpBindings }>();
  endpoint.get("/:name", async (c) => {
    const file = readMediaName(c.req.param("name"));
    const { games, settings } = site.read();
    const landscape = file && landscapeOfFile(file.key);
    const open =
      file !== null &&
      (landscape !== null || games.some(({ banner }) => banner?.id === file.id) || isSitePicture(settings, file.id));
    const allowed =
      open || (file !== null && may((await members.find(c.req.header("Cookie")))?.role ?? null, "admin:read"));
    const found =
      !file || !allowed
        ? null
        : await (landscape ? landscapeFile(landscape, file.key) : findMediaFile(app.storage, file.key));
    if (landscape && !found) {
      c.header("Retry-After", "5");
      return answerBare(c, "bare_pictures_busy", 503);
    }
    if (!file || !found) return answerBare(c, "bare_no_picture", 404);
    return c.body(Uint8Array.from(found), 200, {
      "Content-Type": file.type,
      "Cache-Control": open ? MEDIA_CACHE : "private, no-store",
      // Opened directly it is only a picture, whatever else a browser might detect in it.
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Content-Disposition": "inline",
    });
  });
  endpoint.all("*", (c) => answerBare(c, "bare_no_picture", 404));
  return endpoint;
}
