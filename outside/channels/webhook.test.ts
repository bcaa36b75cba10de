/** Webhooks against receivers that lie, hang and never end, and against one that verifies by another's library. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createEncrypted } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { makeAuthority } from "#tests/cluster/certificates.ts";
import { startDns } from "#tests/helpers/network/dns-server.ts";
import { createServiceAllow } from "../service-address.ts";
import { sendMessage } from "./send.ts";
import { makeWebhookSecret, webhook } from "./webhook.ts";

const HERE = { allowCidrs: ["127.0.0.1/32"], deniedPorts: [] };
const secret = makeWebhookSecret();
const message = {
  id: "msg_1",
  timestampS: Math.floor(Date.now() / 1000),
  title: "Ünïcode is down",
  text: "",
  url: null,
  event: { type: "server_down", timestamp: "2026-11-22T21:14:03.000Z", data: { name: "Ünïcode 🏰" } },
};
const to = (url: string, more: Record<string, string> = {}) => ({
  service: webhook,
  settings: { url, secret, ...more },
});

/** Listens at `at`; `connections` counts whoever came, also those who said nothing. */
async function listen(
  context: TestContext,
  answer: RequestListener,
  server: Server = createServer(),
  at = "127.0.0.1",
) {
  const seen = { connections: 0, port: 0, url: "" };
  server.on("connection", () => {
    seen.connections += 1;
  });
  server.on("request", answer);
  server.listen(0, at);
  await once(server, "listening");
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  seen.port = typeof address === "object" && address ? address.port : 0;
  seen.url = `http://127.0.0.1:${seen.port}/hook?room=1`;
  return seen;
}

type Options = Partial<Parameters<typeof createServiceAllow>[0]> & { limitMs?: number; signal?: AbortSignal };
const send = (url: string, { limitMs, signal, ...options }: Options = {}) =>
  sendMessage(createServiceAllow({ ...HERE, ...options }), to(url), message, { signal, ...(limitMs && { limitMs }) });

const failureOf = async (...args: Parameters<typeof send>) => {
  const outcome = await send(...args);
  return outcome.sent ? `sent: ${outcome.answer}` : outcome.failure;
};

test("addresses that are closed are never connected to, however they are written", async (context) => {
  const seen = await listen(context, (_, response) => response.end());
  const { port } = seen;
  const hosts = [
    ...["127.0.0.1", "localhost", "LOCALHOST.", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "0.0.0.0", "[::]"],
    ...["2130706433", "0x7f.1", "0177.0.0.1", "127.1", "169.254.169.254", "10.0.0.1", "[fd00::1]", "[64:ff9b::7f00:1]"],
  ];
  for (const host of hosts)
    for (const scheme of ["http", "https"])
      assert.equal(await failureOf(`${scheme}://${host}:${port}/`, { allowCidrs: [] }), "blocked", `${scheme} ${host}`);
  const others = [
    ...["http://8.8.8.8/", "http://8.8.8.8:8080/", "https://8.8.8.8:5432/", "https://8.8.8.8:22/", "ftp://8.8.8.8/"],
    ...["https://user:word@8.8.8.8/", "https://", "nothing", "file:///etc/passwd", "https://8.8.8.8:0/"],
  ];
  for (const url of others) assert.equal(await failureOf(url), "blocked", url);
  // The site itself, where private addresses are allowed.
  assert.equal(await failureOf(seen.url, { deniedPorts: [port] }), "blocked");
  assert.equal(seen.connections, 0);
});

test("a name whose address changes between the check and the connection leads where it was checked", async (context) => {
  const right = await listen(context, (_, response) => response.end("right"));
  const wrong = await listen(context, (_, response) => response.end("wrong"), createServer(), "127.0.0.2");
  const dns = await startDns(context, { "A flip.example": { ttl: 0, data: ["127.0.0.1"] } });
  const options = { servers: [dns.server] };
  const allow = createServiceAllow({ ...HERE, ...options });
  const url = `http://flip.example:${right.port}/`;
  const outcome = await sendMessage(allow, to(url), message);
  assert.equal(outcome.answer, "200 right");
  dns.zone["A flip.example"] = { data: ["127.0.0.2"] };
  assert.equal(await failureOf(`http://flip.example:${wrong.port}/`, options), "blocked");
  dns.zone["A flip.example"] = "no_data";
  assert.equal(await failureOf(`http://flip.example:${wrong.port}/`, options), "dns");
  assert.deepEqual([right.connections, wrong.connections], [1, 0]);
});

test("a redirect is not followed, an answer without an end is cut, and silence has one", async (context) => {
  const inside = await listen(context, (_, response) => response.end("inside"));
  const redirects = await listen(context, (_, response) => response.writeHead(307, { Location: inside.url }).end());
  const moved = await send(redirects.url);
  assert.deepEqual(moved, { sent: false, failure: "status", answer: "307", gone: false, afterS: null });
  assert.equal(inside.connections, 0);

  let written = 0;
  let closed = false;
  const endless = await listen(context, (_, response) => {
    const more = () => {
      while (!response.destroyed && written < 1e9) {
        written += 10_000;
        if (!response.write("<b>\u202e\u0007x ".repeat(1_000))) return response.once("drain", more);
      }
    };
    response.on("close", () => {
      closed = true;
    });
    more();
  });
  const long = await send(endless.url);
  assert.ok(long.sent && long.answer.length <= 300 && /^200 <b> x <b>/.test(long.answer), long.answer);
  while (!closed) await new Promise(setImmediate);
  assert.ok(written < 50e6, `${written} bytes were taken`);

  const silent = await listen(context, () => undefined);
  assert.equal(await failureOf(silent.url, { limitMs: 200 }), "timeout");
  const halting = await listen(context, (_, response) => response.write("on its wa"));
  assert.equal(await failureOf(halting.url, { limitMs: 200 }), "sent: 200 on its wa");
  assert.equal(await failureOf(silent.url, { signal: AbortSignal.timeout(50) }), "timeout");
});

test("what the receiver says is understood: gone, later, refused, nobody there", async (context) => {
  let status = 410;
  let headers = {};
  const receiver = await listen(context, (_, response) => response.writeHead(status, headers).end("No\r\n\u0000more"));
  assert.deepEqual(await send(receiver.url), {
    sent: false,
    failure: "status",
    answer: "410 No more",
    gone: true,
    afterS: null,
  });
  [status, headers] = [429, { "Retry-After": "120" }];
  assert.deepEqual(await send(receiver.url), {
    sent: false,
    failure: "status",
    answer: "429 No more",
    gone: false,
    afterS: 120,
  });
  [status, headers] = [503, { "Retry-After": "999999999" }];
  const later = await send(receiver.url);
  assert.equal(!later.sent && later.afterS, 86_400);
  const nobody = createServer();
  nobody.listen(0, "127.0.0.1");
  await once(nobody, "listening");
  const { port } = nobody.address() as { port: number };
  nobody.close();
  await once(nobody, "close");
  assert.equal(await failureOf(`http://127.0.0.1:${port}/`), "refused");
});

test("an encrypted receiver verifies what it is sent, and one with a false certificate gets nothing", async (context) => {
  const folder = mkdtempSync(path.join(tmpdir(), "webhook-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const authority = makeAuthority(folder);
  const { certificate, key } = authority.certify("hook", ["DNS:hook.example"]);
  const heard: { body: string; headers: Record<string, string> }[] = [];
  const server = createEncrypted({ cert: readFileSync(certificate), key: readFileSync(key) });
  const seen = await listen(
    context,
    (request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        heard.push({ body: Buffer.concat(parts).toString(), headers: request.headers as Record<string, string> });
        response.writeHead(204).end();
      });
    },
    server,
  );
  const names = { "A hook.example": { data: ["127.0.0.1"] }, "A other.example": { data: ["127.0.0.1"] } };
  const dns = await startDns(context, names);
  const trusting = { servers: [dns.server], ca: readFileSync(authority.file, "utf8") };
  assert.equal(await failureOf(`https://hook.example:${seen.port}/`, { servers: [dns.server] }), "certificate");
  assert.equal(await failureOf(`https://other.example:${seen.port}/`, trusting), "certificate");
  assert.equal(heard.length, 0);

  // Both are good for a while after a secret was renewed.
  const next = makeWebhookSecret();
  const allow = createServiceAllow({ ...HERE, ...trusting });
  const renewed = { secret: next, old_secret: secret, old_until: new Date(Date.now() + 60_000).toISOString() };
  const sent = await sendMessage(allow, to(`https://hook.example:${seen.port}/in`, renewed), message);
  assert.deepEqual(sent, { sent: true, answer: "204" });
  const [got] = heard;
  assert.ok(got);
  assert.equal(got.headers["webhook-id"], "msg_1");
  for (const known of [secret, next]) assert.deepEqual(new Webhook(known).verify(got.body, got.headers), message.event);
  assert.throws(() => new Webhook(makeWebhookSecret()).verify(got.body, got.headers));
  assert.throws(() => new Webhook(secret).verify(`${got.body} `, got.headers));
});
