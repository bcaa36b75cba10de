// The built files of the site: those with a hash in their name are kept by browsers for a year, the others for an hour.
import { serveStatic } from "@hono/node-server/serve-static";
import type { MiddlewareHandler } from "hono";

/** The step that answers for files below `dir`; compressed copies beside a file are preferred. */
export function serveFiles(dir: string): MiddlewareHandler {
  const files = serveStatic({ root: dir, precompressed: true });
  return async (c, next) => {
    // The build's own notes lie beside what is public.
    if (c.req.path.startsWith("/.vite")) return c.notFound();
    const hashed = c.req.path.startsWith("/assets/");
    let missed = false;
    const response = await files(c, async () => {
      missed = true;
      // A file of an older build is gone; a page would be the wrong answer to a script.
      if (!hashed) await next();
    });
    if (missed) return hashed ? c.notFound() : undefined;
    if (!(response instanceof Response)) return undefined;
    response.headers.set("cache-control", hashed ? "public, max-age=31536000, immutable" : "public, max-age=3600");
    return response;
  };
}
