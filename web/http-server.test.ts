/** Stopping a web process's server: received requests are answered, and each connection is closed in order. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { createHttpServer } from "./http-server.ts";

for (const replaced of [false, true]) {
  test(`when the server closes${replaced ? " for a successor" : ""}, a request that is on its way over an idle connection is answered`, async () => {
    const http = createHttpServer(
      { host: "127.0.0.1", port: 0, trustProxy: 0 },
      { sharePort: false, processes: 1, descriptor: undefined },
    );
    http.answerBy((_, response) => response.end("here"));
    const port = await http.listen();
    const near = connect(port, "127.0.0.1").setEncoding("latin1");
    let heard = "";
    near.on("data", (part: string) => {
      heard += part;
    });
    const closed = once(near, "close");
    const answers = () => heard.split("HTTP/1.1 200").length - 1;
    const ask = () => near.write("GET / HTTP/1.1\r\nHost: site\r\n\r\n");
    ask();
    while (answers() < 1) await once(near, "data");
    assert.match(heard, /\r\nConnection: keep-alive\r\n/);
    ask();
    http.beginStop(replaced);
    assert.equal(http.stopping(), !replaced);
    const ended = http.close();
    await closed;
    assert.equal(answers(), 2);
    assert.match(heard.slice(heard.lastIndexOf("HTTP/1.1")), /\r\nConnection: close\r\n/);
    await ended;
    await assert.rejects(once(connect(port, "127.0.0.1"), "connect"), { code: "ECONNREFUSED" });
  });
}
