/** What is no request is refused in one piece, or not at all. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { test } from "node:test";
import { refuseUnreadable } from "./bare-answers.ts";
import { watchConnections } from "./connections.ts";

test("nonsense behind a request whose answer has begun ends the connection, and nothing is written into that answer", async (t) => {
  const begun: ServerResponse[] = [];
  const server = createServer((_, response) => {
    response.writeHead(200, { "Content-Length": 100 }).write("the beginning");
    begun.push(response);
  });
  const connections = watchConnections(server, { trustProxy: 0, processes: 1 });
  server.on("clientError", refuseUnreadable({ "x-frame-options": "DENY" }, connections));
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(() => server.close());
  const near = connect((server.address() as AddressInfo).port, "127.0.0.1").setEncoding("latin1");
  near.on("error", () => {});
  let heard = "";
  near.on("data", (part: string) => {
    heard += part;
  });
  const closed = once(near, "close");
  near.write("GET / HTTP/1.1\r\nHost: site\r\n\r\n");
  while (!heard.includes("the beginning")) await once(near, "data");
  near.write("no request at all\r\n\r\n");
  await closed;
  assert.equal(begun.length, 1);
  assert.ok(heard.endsWith("the beginning"), heard);

  const alone = connect((server.address() as AddressInfo).port, "127.0.0.1").setEncoding("latin1");
  alone.write("no request at all\r\n\r\n");
  const [refusal] = await once(alone, "data");
  assert.match(refusal, /^HTTP\/1\.1 400 Bad Request\r\nx-frame-options: DENY\r\n/);
});
