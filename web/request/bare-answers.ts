// What Node and the libraries answer by themselves, before we are asked: with the headers that every answer carries.
import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

type Headers = Record<string, string>;

/** What Node's own listener answers to what is no request (lib/_http_server.js, socketOnError); anything else is a 400. */
const STATUS: { [code: string]: number } = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Makes a server's listener for `clientError`: what could not be read as a request is refused, and its connection ends. */
export const refuseUnreadable =
  (headers: Headers) =>
  (error: NodeJS.ErrnoException, socket: Duplex): void => {
    // Node's own note of the answer that is under way: another one in the middle of it would be taken for its body.
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

/** Adds them to a refusal whose head is about to be written without: a host or an address that cannot be one. */
export function completeRefusal(response: ServerResponse, head: unknown[], headers: Headers): void {
  const [status, ...given] = head;
  const named = given.some((each) => typeof each === "object" && each !== null && "content-security-policy" in each);
  if (Number(status) < 400 || named) return;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}
