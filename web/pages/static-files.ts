// Serves the built files: browsers cache those with a hash in their name for a year, the others for an hour.
import { serveStatic } from "@hono/node-server/serve-static";
import type { MiddlewareHandler } from "hono";

/** Middleware: serves files below `dir`; prefers compressed copies beside a file. */
export function serveFiles(dir: string): MiddlewareHandler {
  const files = serveStatic({ root: dir, precompressed: true });
  return async (c, next) => {
    // The build's own metadata lies beside the public files.
    if (c.req.path.startsWith("/.vite")) return c.notFound();
    const hashed = c.req.path.startsWith("/assets/");
    let missed = false;
    const response = await files(c, async () => {
      missed = true;
      // A file of an older build is missing; a page would be the wrong reply for a script.
      if (!hashed) await next();
    });
    if (missed) return hashed ? c.notFound() : undefined;
    if (!(response instanceof Response)) return undefined;
    response.headers.set("cache-control", hashed ? "public, max-age=31536000, immutable" : "public, max-age=3600");
    return response;
  };
}
