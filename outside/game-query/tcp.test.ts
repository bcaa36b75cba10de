/** What a TCP check takes as proof, and how it fails. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { startTcpGreetingServer } from "#demo/protocols/tcp-greeting-server.ts";
import type { QueryResult } from "./answer.ts";
import { answerWithoutFigures } from "./answer.ts";
import { checkTcp } from "./tcp.ts";

async function startStranger(context: TestContext, onVisitor: (visitor: Socket) => void) {
  const visitors = new Set<Socket>();
  const server = createServer((visitor) => {
    visitors.add(visitor);
    visitor.on("error", () => {});
    onVisitor(visitor);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => {
    server.close();
    for (const visitor of visitors) visitor.destroy();
  });
  const address = server.address();
  assert.ok(typeof address === "object" && address);
  return { address: "127.0.0.1", port: address.port };
}

function outcome(result: QueryResult): string {
  return result.ok ? "up" : result.failure;
}

const tera = { prefixHex: "01 00 00 00" };

test("a closed port is refused in milliseconds, whatever is expected", async () => {
  const server = await startTcpGreetingServer({ greetingHex: "01" });
  await server.close();
  for (const expect of ["connect", "server_first", tera] as const) {
    assert.equal(outcome(await checkTcp({ address: "127.0.0.1", port: server.port }, { expect })), "refused");
  }
});

test("a server that keeps silent proves only that it accepts", async (context) => {
  const silent = await startStranger(context, (visitor) => visitor.resume());
  assert.equal(outcome(await checkTcp(silent, { expect: "connect" })), "up");
  assert.equal(outcome(await checkTcp(silent, { expect: "server_first", deadlineMs: 300 })), "timeout");
  assert.equal(outcome(await checkTcp(silent, { expect: tera, deadlineMs: 300 })), "timeout");
});

test("a server that hangs up without a word is refused", async (context) => {
  const leaving = await startStranger(context, (visitor) => visitor.end());
  assert.equal(outcome(await checkTcp(leaving, { expect: "server_first" })), "refused");
  const resetting = await startStranger(context, (visitor) => visitor.resetAndDestroy());
  assert.equal(outcome(await checkTcp(resetting, { expect: tera })), "refused");
});

test("other bytes than expected are malformed at the first wrong one", async (context) => {
  for (const bytes of ["HTTP/1.1 200 OK", "\x01\x00\x00\x01", "\x02"]) {
    const stranger = await startStranger(context, (visitor) => visitor.write(Buffer.from(bytes, "latin1")));
    assert.equal(outcome(await checkTcp(stranger, { expect: tera, deadlineMs: 500 })), "malformed");
  }
  const cut = await startStranger(context, (visitor) => visitor.end(Buffer.from([1, 0])));
  assert.equal(outcome(await checkTcp(cut, { expect: tera })), "malformed");
});

test("the expected bytes are found in pieces too", async (context) => {
  const dripping = await startStranger(context, (visitor) => {
    visitor.write(Buffer.from([1, 0]));
    setTimeout(() => visitor.write(Buffer.from([0, 0, 9, 9])), 30);
  });
  assert.equal(outcome(await checkTcp(dripping, { expect: tera })), "up");
});

test("endless bytes end with the first ones", async (context) => {
  let closed: Promise<unknown> = Promise.resolve();
  const stranger = await startStranger(context, (visitor) => {
    closed = new Promise((resolve) => visitor.once("close", resolve));
    const pour = (): void => {
      while (!visitor.destroyed && visitor.write(Buffer.alloc(65_536)));
    };
    visitor.on("drain", pour);
    pour();
  });
  assert.equal(outcome(await checkTcp(stranger, { expect: "server_first" })), "up");
  await closed;
});

test("a check proves nothing about players", async (context) => {
  const server = await startTcpGreetingServer({ greetingHex: "01 00 00 00" });
  context.after(() => server.close());
  const result = await checkTcp({ address: "127.0.0.1", port: server.port }, { expect: tera });
  assert.ok(result.ok);
  assert.deepEqual(result.answer, answerWithoutFigures);
});
