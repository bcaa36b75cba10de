/** The one rule set for games that are asked over HTTP, against strangers who keep to none. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer as createTlsServer } from "node:https";
import { createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { makeSelfSigned } from "#demo/protocols/self-signed.ts";
import { exchangeOverHttp, type HttpQuestion, type HttpResult } from "./http-exchange.ts";

const HOST = "127.0.0.1";

/** A stranger at a port of this machine who does this to each visitor; what visitors said is kept. */
async function startStranger(context: TestContext, onVisitor: (visitor: Socket) => void) {
  const visitors = new Set<Socket>();
  const said: string[] = [];
  const server = createServer((visitor) => {
    visitors.add(visitor);
    const place = said.push("") - 1;
    visitor.on("error", () => {});
    visitor.on("data", (bytes) => {
      said[place] += bytes.toString("latin1");
    });
    onVisitor(visitor);
  });
  server.listen(0, HOST);
  await once(server, "listening");
  context.after(() => {
    server.close();
    for (const visitor of visitors) visitor.destroy();
  });
  const { port } = server.address() as { port: number };
  return { port, said, visitors };
}

const ask = (port: number, more: Partial<HttpQuestion> = {}): Promise<HttpResult> =>
  exchangeOverHttp(
    { address: HOST, port },
    { host: "play.example.org", path: "/status", method: "GET", security: "none", deadlineMs: 2000, ...more },
  );

const outcome = (result: HttpResult): string => (result.ok ? JSON.stringify(result.body) : result.failure);

/** A reply in one piece, its length told. */
const reply = (body: string | Buffer, { status = "200 OK", headers = "" } = {}) =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${headers}\r\n`),
    Buffer.from(body),
  ]);

/** Answers as soon as it was asked. */
const says = (bytes: Buffer | string) => (visitor: Socket) => {
  visitor.once("data", () => visitor.end(bytes));
};

test("a redirect is not followed, wherever it leads", async (context) => {
  const inner = await startStranger(context, says(reply("{}")));
  for (const status of ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"]) {
    for (const location of [`http://${HOST}:${inner.port}/`, `//localhost:${inner.port}/`, "http://169.254.169.254/"]) {
      const { port } = await startStranger(
        context,
        says(reply("{}", { status, headers: `Location: ${location}\r\n` })),
      );
      assert.equal(outcome(await ask(port)), "malformed", `${status} ${location}`);
    }
  }
  assert.equal(inner.visitors.size, 0);
});

test("whatever is not 200 with JSON in it is no answer", async (context) => {
  const others: [string, Buffer | string][] = [
    ["unauthorized", reply("{}", { status: "401 Unauthorized", headers: "WWW-Authenticate: Basic\r\n" })],
    ["unauthorized", reply("{}", { status: "403 Forbidden" })],
    ["malformed", reply("{}", { status: "204 No Content" })],
    ["malformed", reply("{}", { status: "500 Oops" })],
    ["timeout", reply("{}", { status: "502 Bad Gateway" })],
    ["timeout", reply("{}", { status: "503 Service Unavailable" })],
    ["timeout", reply("{}", { status: "504 Gateway Timeout" })],
    ["malformed", reply("<!doctype html><p>hello")],
    ["malformed", reply("")],
    ["malformed", reply('{"players": 1')],
    ["malformed", reply(Buffer.alloc(2000, 0xff))],
    ["malformed", "220 mail.example.org ESMTP\r\n"],
    ["malformed", Buffer.alloc(64, 7)],
    ["malformed", "HTTP/9.9 200 OK\r\n\r\n{}"],
    ["malformed", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n{}"],
    ["malformed", "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{}"],
    ["malformed", "HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n{}"],
    ["refused", ""],
  ];
  for (const [expected, bytes] of others) {
    const { port } = await startStranger(context, says(bytes));
    assert.equal(outcome(await ask(port)), expected, String(bytes).slice(0, 60));
  }
});

test("nothing is unpacked: a bomb of some kilobytes stays some kilobytes", async (context) => {
  const bomb = gzipSync(Buffer.alloc(100_000_000, 0x20), { level: 9 });
  assert.ok(bomb.length < 262_144);
  for (const encoding of ["gzip", "br", "deflate", "zstd", "gzip, gzip"]) {
    const headers = `Content-Encoding: ${encoding}\r\n`;
    const { port, said } = await startStranger(context, says(reply(bomb, { headers })));
    const before = process.memoryUsage().rss;
    assert.equal(outcome(await ask(port)), "malformed", encoding);
    assert.ok(process.memoryUsage().rss - before < 50_000_000);
    assert.match(said[0] ?? "", /accept-encoding: identity\r\n/i);
  }
});

test("a body without end is left after 256 KB, and one that announces more is not read at all", async (context) => {
  let poured = 0;
  const endless = await startStranger(context, (visitor) => {
    const pour = (): void => {
      const piece = Buffer.alloc(16_384, 0x20);
      do poured += piece.length;
      while (!visitor.destroyed && visitor.write(piece));
    };
    visitor.once("data", () => {
      visitor.write("HTTP/1.1 200 OK\r\n\r\n");
      visitor.on("drain", pour);
      pour();
    });
  });
  assert.equal(outcome(await ask(endless.port)), "malformed");
  // What lies in the buffers of both sides comes on top.
  assert.ok(poured < 16_000_000, `${poured}`);
  const announced = await startStranger(context, says("HTTP/1.1 200 OK\r\nContent-Length: 262145\r\n\r\n{}"));
  assert.equal(outcome(await ask(announced.port)), "malformed");
  const chunked = await startStranger(context, (visitor) => {
    visitor.once("data", () => {
      visitor.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      for (let count = 0; count < 30; count += 1) visitor.write(`4000\r\n${" ".repeat(16_384)}\r\n`);
    });
  });
  assert.equal(outcome(await ask(chunked.port)), "malformed");
});

test("chunks that are none break the answer", async (context) => {
  const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n";
  const broken = [
    `${head}\r\nzz\r\n{}\r\n0\r\n\r\n`,
    `${head}\r\n-2\r\n{}\r\n0\r\n\r\n`,
    `${head}\r\nffffffffffffffffff\r\n{}\r\n`,
    `${head}\r\n2;${"x".repeat(40_000)}\r\n{}\r\n0\r\n\r\n`,
    `${head}\r\n2\r\n{}0\r\n\r\n`,
    `${head}\r\n2\r\n{}\r\n`,
    `${head}Content-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    `${head}\r\n2\r\n{}\r\n0\r\n${"X-Trailer: y\r\n".repeat(4000)}\r\n`,
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked, x\r\n\r\n{}",
  ];
  for (const bytes of broken) {
    const { port } = await startStranger(context, says(bytes));
    assert.equal(outcome(await ask(port)), "malformed", bytes.slice(0, 90));
  }
});

test("headers that drip, or never end, cost no more than the deadline", async (context) => {
  const slow = await startStranger(context, (visitor) => {
    visitor.once("data", () => {
      visitor.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => visitor.write("X-A: b\r\n"), 20);
      visitor.once("close", () => clearInterval(timer));
    });
  });
  const slowBody = await startStranger(context, (visitor) => {
    visitor.once("data", () => {
      visitor.write("HTTP/1.1 200 OK\r\n\r\n[");
      const timer = setInterval(() => visitor.write("0,"), 20);
      visitor.once("close", () => clearInterval(timer));
    });
  });
  const mute = await startStranger(context, () => {});
  for (const { port } of [slow, slowBody, mute]) {
    assert.equal(outcome(await ask(port, { deadlineMs: 300 })), "timeout");
  }
  const many = await startStranger(context, says(`HTTP/1.1 200 OK\r\n${"X-A: b\r\n".repeat(9000)}\r\n{}`));
  assert.equal(outcome(await ask(many.port)), "malformed");
});

test("announcements before the answer are heard a few times, not for ever", async (context) => {
  const hint = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n";
  const polite = await startStranger(context, says(hint + String(reply('{"n":1}'))));
  assert.equal(outcome(await ask(polite.port)), '{"n":1}');
  const flood = await startStranger(context, says(hint.repeat(5000) + String(reply("{}"))));
  assert.equal(outcome(await ask(flood.port)), "malformed");
  const waiting = await startStranger(context, says("HTTP/1.1 100 Continue\r\n\r\n".repeat(5000)));
  assert.equal(outcome(await ask(waiting.port)), "malformed");
});

test("JSON that nests deeper than eight is not parsed", async (context) => {
  const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  const eight = await startStranger(context, says(reply(deep(8))));
  assert.equal(outcome(await ask(eight.port)), deep(8));
  for (const body of [deep(9), deep(100_000), '{"a":'.repeat(50_000)]) {
    const { port } = await startStranger(context, says(reply(body)));
    assert.equal(outcome(await ask(port)), "malformed");
  }
});

test("a connection serves one question, and a second answer on it is never heard", async (context) => {
  const twice = await startStranger(context, (visitor) => {
    // It would like to be kept, and says what nobody has asked.
    visitor.once("data", () =>
      visitor.write(
        Buffer.concat([
          reply('{"n":1}', { headers: "Connection: keep-alive\r\nSet-Cookie: a=b\r\n" }),
          reply('{"n":2}'),
        ]),
      ),
    );
  });
  for (let count = 0; count < 3; count += 1) assert.equal(outcome(await ask(twice.port)), '{"n":1}');
  assert.equal(twice.visitors.size, 3);
  for (const said of twice.said) {
    assert.match(said, /^GET \/status HTTP\/1\.1\r\n/);
    assert.match(said, /\r\nconnection: close\r\n/i);
    assert.doesNotMatch(said, /cookie/i);
  }
  for (const visitor of twice.visitors) if (!visitor.destroyed) await once(visitor, "close");
});

test("the Host header is the record's, the address the checked one, and nothing is resolved", async (context) => {
  const server = await startStranger(context, says(reply("{}")));
  const hosts = [
    ["play.example.org", "play.example.org"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["2001:db8::5", "[2001:db8::5]"],
    ["8.8.8.8", "8.8.8.8"],
  ] as const;
  for (const [host] of hosts) assert.equal(outcome(await ask(server.port, { host })), "{}");
  for (const [place, [, said]] of hosts.entries())
    assert.match(
      server.said[place] ?? "",
      new RegExp(`\r\nhost: ${said.replace(/[[\]]/g, "\\$&")}:${server.port}\r\n`, "i"),
    );
  for (const address of ["localhost", "play.example.org", "", "127.1", "0x7f000001"]) {
    const named = await exchangeOverHttp(
      { address, port: server.port },
      { host: "x", path: "/", method: "GET", security: "none", deadlineMs: 500 },
    );
    assert.equal(outcome(named), "blocked", address);
  }
  assert.equal(server.visitors.size, hosts.length);
});

test("what cannot be a header is not sent, and what is beside the path is escaped", async (context) => {
  const server = await startStranger(context, says(reply("{}")));
  for (const key of ["a\r\nX-Evil: 1", "a\nb", "a\0b", "schlüssel\u{1f511}"])
    assert.equal(outcome(await ask(server.port, { headers: { Authorization: key } })), "blocked", key);
  assert.equal(outcome(await ask(server.port, { query: { token: "a b&c=d\r\nX: 1#/../" } })), "{}");
  assert.match(server.said.at(-1) ?? "", /^GET \/status\?token=a\+b%26c%3Dd%0D%0AX%3A\+1%23%2F\.\.%2F HTTP/);
});

test("a closed port is refused in milliseconds, and a door that shuts without a word is", async (context) => {
  const { port } = await startStranger(context, (visitor) => visitor.destroy());
  assert.equal(outcome(await ask(port)), "refused");
  const gone = createServer().listen(0, HOST);
  await once(gone, "listening");
  const closed = (gone.address() as { port: number }).port;
  gone.close();
  await once(gone, "close");
  assert.equal(outcome(await ask(closed)), "refused");
});

test("where the game makes its own certificate it is taken, and what is no TLS at all is malformed", async (context) => {
  const certificate = makeSelfSigned();
  const heard: string[] = [];
  const server = createTlsServer(certificate, (request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      heard.push(`${request.method} ${request.url} ${request.headers["content-type"]} ${body}`);
      response.end('{"data":{}}');
    });
  });
  server.listen(0, HOST);
  await once(server, "listening");
  context.after(() => server.close());
  const { port } = server.address() as { port: number };
  const answer = await ask(port, { method: "POST", body: { function: "Query" }, security: "self_signed" });
  assert.equal(outcome(answer), '{"data":{}}');
  assert.deepEqual(heard, ['POST /status application/json {"function":"Query"}']);
  assert.match(outcome(await ask(port)), /^(?:malformed|refused)$/);
  const open = await startStranger(context, says(reply("{}")));
  assert.equal(outcome(await ask(open.port, { security: "self_signed" })), "malformed");
  const mute = await startStranger(context, () => {});
  assert.equal(outcome(await ask(mute.port, { security: "self_signed", deadlineMs: 300 })), "timeout");
});
