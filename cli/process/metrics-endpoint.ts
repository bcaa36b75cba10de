/** Serves GET /metrics on a port of its own, out of visitors' reach. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";
import type { Log } from "./log.ts";

/** A busy port may be free in a moment: a killed process releases it late. */
const RETRY_MS = 5_000;
/** On a restart it is free as soon as the predecessor has ended. */
const TAKE_OVER = { retryMs: 500, patienceMs: 120_000 };

/**
 * Listens until `stop`. On failure the process continues without metrics, logs it once, and retries.
 * @param at port 0: any free one, returned by `port()`
 * @param takesOver the predecessor still listens there: not logged
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
    // Prometheus isn't a browser; refuses requests of web pages, whatever the host name.
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
  // Exclusive: otherwise a cluster worker would get a port that others listen on too.
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
    /** The port it listens on; null: none yet. */
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
