// Serves pages from the sources, with hot reload: development only.
import type { RequestListener, Server } from "node:http";
import type { ServerBuild } from "react-router";

/** Starts Vite inside this process; `wrap` lets it serve sources before the app. */
export async function startDevPages(server: Server) {
  const { createServer } = await import("vite");
  const vite = await createServer({ server: { middlewareMode: true, hmr: { server } }, appType: "custom" });
  return {
    build: () => vite.ssrLoadModule("virtual:react-router/server-build") as Promise<ServerBuild>,
    wrap:
      (next: RequestListener): RequestListener =>
      (request, response) =>
        vite.middlewares(request, response, () => next(request, response)),
    stop: () => vite.close(),
  };
}
