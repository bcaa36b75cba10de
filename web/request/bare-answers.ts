// Sends the site's usual headers with replies that Node and the libraries make by themselves.
import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

type Headers = Record<string, string>;

/** The status that Node's own listener sends for unreadable requests (lib/_http_server.js, socketOnError); others are a 400. */
const STATUS: { [code: string]: number } = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Makes a server's `clientError` listener: refuses unreadable requests and closes the connection. */
export const refuseUnreadable =
  (headers: Headers) =>
  (error: NodeJS.ErrnoException, socket: Duplex): void => {
    // Node's own reference to the response in progress: a second response in the middle would be read as its body.
    const underWay = (socket as Duplex & { _httpMessage?: ServerResponse | null })._httpMessage;
    if (socket.writable && !underWay?.headersSent) {
      const status = STATUS[error.code ?? ""] ?? 400;
      const lines = Object.entries({ ...headers, "Content-Length": "0", Connection: "close" });
      socket.write(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
      );
    }
    socket.destroy();
  };

/** Adds the headers to a refusal written without them, such as one for an invalid host or address. */
export function completeRefusal(response: ServerResponse, head: unknown[], headers: Headers): void {
  const [status, ...given] = head;
  const named = given.some((each) => typeof each === "object" && each !== null && "content-security-policy" in each);
  if (Number(status) < 400 || named) return;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}
