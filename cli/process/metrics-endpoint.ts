/** GET /metrics on a port of its own, away from what visitors can reach. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";
import type { Log } from "./log.ts";

/** A port that is taken may be free in a moment: whoever was killed lets go of it late. */
const RETRY_MS = 5_000;
/** In a restart it is free as soon as the process is gone whose place this one takes. */
const TAKE_OVER = { retryMs: 500, patienceMs: 120_000 };

/**
 * Listens until `stop`. Where it cannot, the process goes on without: figures are not worth a site that is down. It says
 * so once, and tries again.
 * @param at port 0: any free one, told by `port()`
 * @param takesOver another process listens there until this one has taken its place: nothing is said of that
 */
export function startMetricsEndpoint(
  at: { host: string; port: number },
  registry: Registry,
  log: Log,
  takesOver = false,
) {
  const began = performance.now();
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, (request, response) => {
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    // Prometheus is no browser; a page that a browser shows has no business here, whatever name it reached us by.
    if (request.headers["sec-fetch-site"] !== undefined && request.headers["sec-fetch-site"] !== "none") {
      response.writeHead(403).end();
    } else if (request.method !== "GET" || request.url?.split("?", 1)[0] !== "/metrics") {
      response.writeHead(404, { "Content-Type": "text/plain" }).end("Only GET /metrics is answered here.\n");
    } else {
      registry.metrics().then(
        (text) => response.writeHead(200, { "Content-Type": registry.contentType }).end(text),
        (error) => {
          log.error({ err: error }, "figures could not be gathered");
          response.writeHead(500).end();
        },
      );
    }
  });
  server.maxConnections = 20;
  // Exclusive: a worker of a cluster would otherwise be handed a port that the others answer at, too.
  const listen = () => server.listen({ port: at.port, host: at.host, exclusive: true });
  let told = false;
  let retry: NodeJS.Timeout | undefined;
  server.on("error", (error) => {
    const patient = takesOver && performance.now() - began < TAKE_OVER.patienceMs;
    if (!patient && !told) {
      log.error(`METRICS_HOST ${at.host}, port ${at.port}: no figures are given there (${error.message})`);
      told = true;
    }
    retry = setTimeout(() => listen(), patient ? TAKE_OVER.retryMs : RETRY_MS).unref();
  });
  server.on("listening", () => log.debug(`figures at http://${at.host}:${portOf(server)}/metrics`));
  listen();
  return {
    /** The port that is listened on; null: none yet. */
    port: () => (server.listening ? portOf(server) : null),
    stop(): void {
      clearTimeout(retry);
      server.removeAllListeners("error").on("error", () => {});
      server.close();
      server.closeAllConnections();
    },
  };
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
