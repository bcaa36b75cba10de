/** Bodies as servers get them: with a length, in pieces without one, too large either way, and none at all. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { limitBody } from "./limited-body.ts";

const app = new Hono();
let inside = 0;
app.use(limitBody(1_000, (_, why) => new Response(why, { status: why === "slow" ? 408 : 413 }), 300));
app.all("*", async (c) => {
  inside += 1;
  return c.text(String((await c.req.text()).length));
});
const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));

before(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
});
after(() => {
  server.close();
});

/** Sends pieces, with their length said before or not. */
async function send(method: string, pieces: string[], length?: number): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const headers = length === undefined ? {} : { "Content-Length": length };
  const sending = request({ port, method, headers, agent: false });
  const answered = once(sending, "response");
  for (const piece of pieces) sending.write(piece);
  sending.end();
  const [answer] = await answered;
  let text = "";
  for await (const chunk of answer) text += chunk;
  return `${answer.statusCode} ${text}`;
}

test("what is small enough arrives whole, in pieces too", async () => {
  assert.equal(await send("POST", ["x".repeat(400)], 400), "200 400");
  assert.equal(await send("POST", ["x".repeat(400), "x".repeat(400)]), "200 800");
  assert.equal(await send("POST", []), "200 0");
  assert.equal(await send("DELETE", []), "200 0");
  assert.equal(await send("PUT", ["x".repeat(1_000)]), "200 1000");
});

test("what is larger is refused, whether it says so or not", async () => {
  assert.equal(await send("POST", ["x".repeat(1_001)], 1_001), "413 too_large");
  assert.equal(await send("POST", Array(20).fill("x".repeat(400))), "413 too_large");
});

test("who sends slowly is sent away, and was never let in", async () => {
  const before = inside;
  const { port } = server.address() as AddressInfo;
  const sending = request({ port, method: "POST", headers: { "Content-Length": 400 }, agent: false });
  const answered = once(sending, "response");
  sending.write("x");
  const [answer] = await answered;
  answer.resume();
  assert.equal(answer.statusCode, 408);
  assert.equal(inside, before);
  sending.destroy();
});
