/** The open connections of a web process: refusals first. The sockets are real; only their addresses are lent. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer as createHttp, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { type TestContext, test } from "node:test";
import { watchConnections } from "./connections.ts";

/** So many processes that one address may have three connections. */
const FEW = { trustProxy: 0, processes: 500 };

/** A server that is watched, and a way to come to it from any address. `answer`: what it does with each request. */
async function start(
  t: TestContext,
  options: { trustProxy: number; processes: number },
  answer: (response: ServerResponse) => void = (response) => response.end("here"),
) {
  const server: Server = createHttp((_, response) => answer(response));
  const connections = watchConnections(server, options);
  const door = createServer();
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  const sockets: Socket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    door.close();
  });
  async function come(from: string) {
    const arrived = once(door, "connection");
    const near = connect((door.address() as AddressInfo).port, "127.0.0.1");
    near.on("error", () => {});
    const [far] = (await arrived) as [Socket];
    sockets.push(near, far);
    Object.defineProperty(far, "remoteAddress", { value: from });
    server.emit("connection", far);
    let heard = "";
    let answers = 0;
    near.setEncoding("latin1").on("data", (part: string) => {
      heard += part;
      answers = heard.split("HTTP/1.1 200").length - 1;
    });
    const closed = once(near, "close");
    return {
      near,
      closed,
      answers: () => answers,
      heard: () => heard,
      ask: (times = 1) => near.write("GET / HTTP/1.1\r\nHost: site\r\n\r\n".repeat(times)),
      /** Whether it is answered; false: it was closed. */
      async isServed() {
        const before = answers;
        near.write("GET / HTTP/1.1\r\nHost: site\r\n\r\n");
        while (answers === before && !near.destroyed) await Promise.race([once(near, "data"), closed]);
        return answers > before;
      },
    };
  }
  return { server, connections, come };
}

test("an address has so many connections and no more, until one of them ends; a network of IPv6 is one address", async (t) => {
  const { come } = await start(t, FEW);
  const own = [await come("203.0.113.7"), await come("203.0.113.7"), await come("::ffff:203.0.113.7")];
  for (const each of own) assert.equal(await each.isServed(), true);
  assert.equal(await (await come("203.0.113.7")).isServed(), false, "one too many");
  assert.equal(await (await come("203.0.113.8")).isServed(), true, "a neighbour");
  for (const host of ["::1", "::2", "::3"])
    assert.equal(await (await come(`2001:db8:1:2:${host.slice(2)}::`)).isServed(), true);
  assert.equal(await (await come("2001:db8:1:2:ffff::1")).isServed(), false, "of the same network");
  assert.equal(await (await come("2001:db8:1:3::1")).isServed(), true, "of another network");
  own[0]?.near.destroy();
  let again = await come("203.0.113.7");
  // That it has ended is heard a turn later.
  while (!(await again.isServed())) again = await come("203.0.113.7");
  assert.equal(await (await come("203.0.113.7")).isServed(), false);
});

test("a network of IPv6 has the connections of four clients and no more", async (t) => {
  const { come } = await start(t, FEW);
  for (let n = 0; n < 12; n += 1) assert.equal(await (await come(`2001:db8:7:${n}::1`)).isServed(), true);
  assert.equal(await (await come("2001:db8:7:ff::1")).isServed(), false, "of the same /48");
  assert.equal(await (await come("2001:db8:8::1")).isServed(), true, "of another /48");
});

test("behind a proxy, and from this machine, connections are not counted by address", async (t) => {
  const proxied = await start(t, { ...FEW, trustProxy: 1 });
  for (let n = 0; n < 6; n += 1) assert.equal(await (await proxied.come("203.0.113.7")).isServed(), true);
  const local = await start(t, FEW);
  for (let n = 0; n < 6; n += 1) assert.equal(await (await local.come("127.0.0.1")).isServed(), true);
});

test("a connection on which more than sixteen requests wait is closed, and one with as many is answered", async (t) => {
  const waiting: ServerResponse[] = [];
  const { come } = await start(t, FEW, (response) => waiting.push(response));
  const greedy = await come("203.0.113.7");
  greedy.ask(18);
  await greedy.closed;
  assert.equal(greedy.answers(), 0);

  waiting.length = 0;
  const eager = await come("203.0.113.8");
  eager.ask(17);
  while (waiting.length < 17) await new Promise(setImmediate);
  assert.equal(eager.near.destroyed, false);
  for (const response of waiting) response.end("here");
  while (eager.answers() < 17)
    await Promise.race([once(eager.near, "data"), eager.closed.then(() => assert.fail("closed"))]);
  // What was answered waits no more.
  waiting.length = 0;
  eager.ask(17);
  while (waiting.length < 17) await new Promise(setImmediate);
  assert.equal(eager.near.destroyed, false);
});

test("in a crowd an idle connection is told to stay only a moment", async (t) => {
  const { server, come } = await start(t, { trustProxy: 0, processes: 1 });
  const first = await come("203.0.113.7");
  assert.equal(await first.isServed(), true);
  assert.match(first.heard(), /Keep-Alive: timeout=65\r/);
  const crowd = Array.from({ length: 3_000 }, (_, n) => {
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
    Object.defineProperty(socket, "remoteAddress", { value: `198.18.${n >> 8}.${n & 255}` });
    server.emit("connection", socket);
    return socket;
  });
  const late = await come("203.0.113.8");
  assert.equal(await late.isServed(), true);
  assert.match(late.heard(), /Keep-Alive: timeout=5\r/);
  for (const socket of crowd) socket.destroy();
  await new Promise(setImmediate);
  const later = await come("203.0.113.9");
  assert.equal(await later.isServed(), true);
  assert.match(later.heard(), /Keep-Alive: timeout=65\r/);
});

test("the connections of an address that is blocked are ended, all others stay, and behind a proxy none is", async (t) => {
  const { come, connections } = await start(t, FEW);
  const [blocked, other] = [await come("203.0.113.7"), await come("203.0.113.8")];
  for (const each of [blocked, other]) assert.equal(await each.isServed(), true);
  connections.cut((ip) => ip === "203.0.113.7");
  await blocked.closed;
  assert.equal(await other.isServed(), true);
  const proxied = await start(t, { ...FEW, trustProxy: 1 });
  const through = await proxied.come("203.0.113.7");
  proxied.connections.cut(() => true);
  assert.equal(await through.isServed(), true);
});
