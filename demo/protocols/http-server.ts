/** Shared HTTP server of mock game servers: on loopback, encrypted or not. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { makeSelfSigned } from "./self-signed.ts";
import type { TcpListener } from "./tcp-listener.ts";

/** The request; `body` is its JSON, undefined without one. */
export type HttpAsked = { method: string; url: URL; headers: IncomingMessage["headers"]; body: unknown };
/** The answer, as JSON. */
export type HttpAnswer = { status: number; json?: unknown };

const MOST_BODY = 10_000;
const MOST_VISITORS = 256;

/** Listens on `host` (127.0.0.1) and `port` (any free one); `encrypted`: self-signed certificate. Rejects if the port is in use. */
export async function listenOverHttp(
  place: { host?: string; port?: number; encrypted?: boolean },
  answer: (asked: HttpAsked) => HttpAnswer,
): Promise<TcpListener> {
  const welcome = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, json } = answer(await readAsked(request));
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(json ?? {}));
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    welcome(request, response).catch(() => response.destroy());
  };
  const limits = { requestTimeout: 5000, headersTimeout: 5000, connectionsCheckingInterval: 1000 };
  const server = place.encrypted
    ? createTlsServer({ ...limits, ...makeSelfSigned() }, onRequest)
    : createServer(limits, onRequest);
  server.maxConnections = MOST_VISITORS;
  server.on("tlsClientError", () => {});
  server.listen(place.port ?? 0, place.host ?? "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readAsked(request: IncomingMessage): Promise<HttpAsked> {
  let text = "";
  for await (const part of request) {
    text += String(part);
    if (text.length > MOST_BODY) throw new Error("too long");
  }
  const { method = "GET", url = "/", headers } = request;
  return { method, url: new URL(url, "http://pretend"), headers, body: text === "" ? undefined : JSON.parse(text) };
}
