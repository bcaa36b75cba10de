/** TCP listener on loopback with limits: few connections at once, not for long, and all closed at the end. */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";

export type TcpListener = { port: number; close(): Promise<void> };

const mostVisitors = 256;
const longestVisitMs = 10_000;

/** Listens on `host` (127.0.0.1) and `port` (any free one); passes connections to `welcome`. Rejects if the port is in use. */
export async function listenOverTcp(
  place: { host?: string | undefined; port?: number | undefined },
  welcome: (visitor: Socket) => void,
): Promise<TcpListener> {
  const visitors = new Set<Socket>();
  const server = createServer({ noDelay: true }, (visitor) => {
    visitors.add(visitor);
    const tooLong = setTimeout(() => visitor.destroy(), longestVisitMs);
    visitor.on("error", () => visitor.destroy());
    visitor.on("close", () => {
      clearTimeout(tooLong);
      visitors.delete(visitor);
    });
    welcome(visitor);
  });
  server.maxConnections = mostVisitors;
  server.listen(place.port ?? 0, place.host ?? "127.0.0.1");
  await once(server, "listening");
  server.on("error", () => {});
  const address = server.address();
  let closing: Promise<void> | undefined;
  return {
    port: typeof address === "object" && address ? address.port : 0,
    close() {
      closing ??= new Promise((resolve) => {
        server.close(() => resolve());
        for (const visitor of visitors) visitor.destroy();
      });
      return closing;
    },
  };
}
