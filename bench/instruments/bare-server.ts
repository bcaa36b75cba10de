/**
 * The baseline in a process of its own: a bare node:http server that sends given bytes under given headers, and at /live
 * keeps the response open and writes to all of them what it is told to.
 */
import { createServer, type ServerResponse } from "node:http";

export type BareOrder =
  | { order: "page"; headers: string[]; body: string }
  | { order: "stream"; headers: string[]; first: string }
  | { order: "broadcast"; text: string };

function serve(): void {
  let page = { headers: [] as string[], body: Buffer.alloc(0) };
  let stream = { headers: [] as string[], first: "" };
  const open = new Set<ServerResponse>();

  const server = createServer((request, response) => {
    if (request.url !== "/live") {
      response.writeHead(200, page.headers);
      response.end(page.body);
      return;
    }
    request.socket.setNoDelay(true);
    response.writeHead(200, stream.headers);
    response.write(stream.first);
    open.add(response);
    response.on("close", () => open.delete(response));
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    process.send?.({ ready: true, port: typeof address === "object" ? address?.port : 0 });
  });
  process.on("message", (message: BareOrder) => {
    if (message.order === "page") page = { headers: message.headers, body: Buffer.from(message.body, "base64") };
    else if (message.order === "stream") stream = { headers: message.headers, first: message.first };
    else {
      const bytes = Buffer.from(message.text);
      for (const response of open) response.write(bytes);
    }
  });
  process.on("disconnect", () => process.exit());
}

if (import.meta.main) serve();
