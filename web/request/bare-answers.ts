// Sends the site's usual headers with replies to requests that the site's own code doesn't receive.
import { type RequestListener, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Connections } from "./connections.ts";

type Headers = Record<string, string>;

/** The statuses of unreadable requests by error code; others are a 400. */
const STATUS: { [code: string]: number } = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Makes a server's `clientError` listener: refuses unreadable requests and closes the connection. */
export const refuseUnreadable =
  (headers: Headers, connections: Pick<Connections, "responses">) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    // A second response in the middle of one would be read as its body.
    const [inProgress] = connections.responses(socket);
    if (socket.writable && !inProgress?.headersSent) {
      const status = STATUS[error.code ?? ""] ?? 400;
      const lines = Object.entries({ ...headers, "Content-Length": "0", Connection: "close" });
      socket.write(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
      );
    }
    socket.destroy();
  };

/** Makes a server's `checkExpectation` listener: refuses an `Expect` that isn't `100-continue`. */
export const refuseExpectation =
  (headers: Headers): RequestListener =>
  (_, response) => {
    response.writeHead(417, { ...headers, "Content-Length": "0" }).end();
  };
