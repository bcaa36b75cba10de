/** What is sent to push services, and to whom never: hostile endpoints first, then everything that one may answer. */
import assert from "node:assert/strict";
import { createECDH } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { after, before, describe, test } from "node:test";
import { startDns } from "#tests/helpers/network/dns-server.ts";
import { type PretendPushService, PUSH_HOST, startPushService } from "#tests/helpers/push/push-service.ts";
import { createPushGateway, hasPushKeys, hostOfEndpoint, makePushKeys, type PushGateway } from "./web-push.ts";

const HOSTS = ["fcm.googleapis.com", "*.push.services.mozilla.com", "*.notify.windows.com", "*.push.apple.com"];
const SENDER = { subject: "https://play.example.org", ...makePushKeys() };
const MESSAGE = { text: JSON.stringify({ web_push: 8030 }), ttlS: 60.7, urgency: "high", topic: "a-topic" } as const;
const running = () => new AbortController().signal;

test("only https addresses of known hosts, written in the one way that nobody reads as another", () => {
  for (const endpoint of [
    "http://fcm.googleapis.com/x",
    "https://fcm.googleapis.com:443/x",
    "https://fcm.googleapis.com:8443/x",
    "https://fcm.googleapis.com",
    "https://fcm.googleapis.com./x",
    "https://user@fcm.googleapis.com/x",
    "https://user:secret@fcm.googleapis.com/x",
    "https://fcm.googleapis.com@evil.example/x",
    "https://evil.example\\@fcm.googleapis.com/x",
    "https://fcm.googleapis.com\\.evil.example/x",
    "https://fcm.googleapis.com/x#y",
    "https://fcm.googleapis.com/x y",
    "https://fcm.googleapis.com/\r\nX: y",
    " https://fcm.googleapis.com/x",
    "https://fcm.googleapis.com.evil.example/x",
    "https://evilfcm.googleapis.com/x",
    "https://sub.fcm.googleapis.com/x",
    "https://push.services.mozilla.com/x",
    "https://evilpush.services.mozilla.com/x",
    "https://.push.services.mozilla.com/x",
    "https://FCM.googleapis.com/x",
    "https://ﬀcm.googleapis.com/x",
    "https://127.0.0.1/x",
    "https://2130706433/x",
    "https://[::1]/x",
    "https://[::ffff:127.0.0.1]/x",
    "https://169.254.169.254/latest/meta-data",
    "https://localhost/x",
    "https://metadata.google.internal/x",
    "file:///etc/passwd",
    "",
    `https://fcm.googleapis.com/${"x".repeat(1_000)}`,
  ])
    assert.equal(hostOfEndpoint(endpoint, HOSTS), null, endpoint);
  for (const endpoint of [
    "https://fcm.googleapis.com/fcm/send/dQw4w9WgXcQ:APA91b-_~",
    "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
    "https://wns2-par02p.notify.windows.com/w/?token=BQ%3d%3d",
    "https://web.push.apple.com/QGu",
  ])
    assert.equal(hostOfEndpoint(endpoint, HOSTS), new URL(endpoint).host);
  assert.equal(hostOfEndpoint("https://fcm.googleapis.com/x", []), null);
});

test("keys that nothing can be encrypted for are none", () => {
  const ecdh = createECDH("prime256v1");
  const p256dh = ecdh.generateKeys().toString("base64url");
  const auth = Buffer.alloc(16, 1).toString("base64url");
  assert.ok(hasPushKeys({ p256dh, auth }));
  const offCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString("base64url");
  for (const bad of ["", "A", offCurve, ecdh.getPublicKey("base64url", "compressed"), `${p256dh}=`, "x".repeat(200)])
    assert.ok(!hasPushKeys({ p256dh: bad, auth }), bad);
  for (const bad of ["", "AAAA", `${auth}AAAA`, `${auth}==`]) assert.ok(!hasPushKeys({ p256dh, auth: bad }), bad);
});

test("a known host whose name leads into a private network is not connected to", async (context) => {
  let connections = 0;
  const trap = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  trap.listen(0, "127.0.0.1");
  await once(trap, "listening");
  context.after(() => trap.close());
  const dns = await startDns(context, {});
  const gateway = createPushGateway({ hosts: ["*.push.test"], dns: [dns.server] });
  const keys = {
    p256dh: createECDH("prime256v1").generateKeys().toString("base64url"),
    auth: "AAAAAAAAAAAAAAAAAAAAAA",
  };
  const places: [string, string][] = [
    ["A", "127.0.0.1"],
    ["A", "10.0.0.1"],
    ["A", "169.254.169.254"],
    ["A", "0.0.0.0"],
    ["AAAA", "::1"],
    ["AAAA", "::ffff:127.0.0.1"],
    ["AAAA", "64:ff9b::7f00:1"],
    ["AAAA", "fd00::1"],
  ];
  for (const [index, [type, data]] of places.entries()) {
    const host = `h${index}.push.test`;
    dns.zone[`A ${host}`] = "no_data";
    dns.zone[`AAAA ${host}`] = "no_data";
    dns.zone[`${type} ${host}`] = { data: [data] };
    const outcome = await gateway.send({ endpoint: `https://${host}/x`, ...keys }, MESSAGE, SENDER, running());
    assert.equal(outcome.sent === false && outcome.next, "never", data);
    assert.equal(outcome.sent ? "" : outcome.reason, "blocked");
  }
  const unknown = await gateway.send({ endpoint: "https://none.push.test/x", ...keys }, MESSAGE, SENDER, running());
  assert.equal(unknown.sent === false && unknown.next, "again");
  assert.equal(connections, 0);
});

describe("a push service", () => {
  let service: PretendPushService;
  let gateway: PushGateway;
  before(async () => {
    service = await startPushService();
    gateway = createPushGateway({ hosts: HOSTS, pretend: service });
  });
  after(async () => {
    await service.close();
  });
  const send = (name?: string, signal = running(), text: string = MESSAGE.text) => {
    const { endpoint, keys } = service.subscribe(name);
    return gateway.send({ endpoint, ...keys }, { ...MESSAGE, text }, SENDER, signal);
  };

  test("reads the message, and knows who sends", async () => {
    assert.deepEqual(await send("one"), { sent: true, answer: "201" });
    const [push] = service.arrived;
    assert.equal(push?.to, `https://${PUSH_HOST}/fcm/send/one`);
    assert.deepEqual(push?.said, { web_push: 8030 });
    assert.deepEqual(
      [push?.ttlS, push?.urgency, push?.topic, push?.subject, push?.key],
      [60, "high", "a-topic", SENDER.subject, SENDER.publicKey],
    );
    const side = await Promise.all(Array.from({ length: 20 }, () => send()));
    assert.ok(side.every(({ sent }) => sent));
    assert.deepEqual(service.refused, []);
  });

  test("each answer does what it should, and none is followed or read without end", async () => {
    const at = new Date(Date.now() + 90_000).toUTCString();
    const cases: [status: number, headers: Record<string, string>, next: string, afterS?: number][] = [
      [404, {}, "target is gone"],
      [410, {}, "target is gone"],
      [413, {}, "never"],
      [400, {}, "never"],
      [403, {}, "never"],
      [301, { Location: `https://${PUSH_HOST}/fcm/send/elsewhere` }, "never"],
      [307, { Location: "http://127.0.0.1:1/" }, "never"],
      [429, { "Retry-After": "120" }, "again", 120],
      [429, {}, "again"],
      [503, { "Retry-After": at }, "again", 90],
      [500, { "Retry-After": "999999999" }, "again", 86_400],
      [502, { "Retry-After": "soon" }, "again"],
    ];
    for (const [status, headers, next, afterS] of cases) {
      service.react = (response) => response.writeHead(status, headers).end("a\u0007 word\n of it");
      const before = service.arrived.length;
      const outcome = await send();
      assert.ok(!outcome.sent, String(status));
      assert.equal(outcome.next, next, String(status));
      assert.equal(outcome.answer, `${status} a word of it`);
      if (afterS === undefined) assert.equal(outcome.afterS, undefined);
      else assert.ok(Math.abs((outcome.afterS ?? 0) - afterS) <= 2, `${outcome.afterS}`);
      assert.equal(service.arrived.length, before + 1, "asked once");
    }
    service.react = (response) => {
      response.writeHead(201);
      const on = setInterval(() => response.write("x".repeat(2_000)), 5);
      response.on("close", () => clearInterval(on));
    };
    const endless = await send();
    assert.deepEqual([endless.sent, (endless.answer ?? "").length], [true, 300]);
  });

  test("what was handed over and not answered is in doubt; what never left is not", async () => {
    service.react = (response) => response.destroy();
    assert.equal(nextOf(await send()), "in doubt");
    service.react = (response) => response.writeHead(201, { "X-Long": "x".repeat(20_000) }).end();
    assert.equal(nextOf(await send()), "in doubt");
    service.react = () => {};
    assert.equal(nextOf(await send("silent", AbortSignal.timeout(300))), "in doubt");
    service.react = null;
    assert.equal(nextOf(await send("stopped", AbortSignal.abort())), "again");
    const { endpoint, keys } = service.subscribe();
    const elsewhere = endpoint.replace(PUSH_HOST, "updates.push.services.mozilla.com");
    const before = service.arrived.length;
    const outcome = await gateway.send({ endpoint: elsewhere, ...keys }, MESSAGE, SENDER, running());
    assert.equal(nextOf(outcome), "again", "a certificate of another host");
    assert.equal(
      nextOf(await gateway.send({ endpoint, p256dh: "AAAA", auth: keys.auth }, MESSAGE, SENDER, running())),
      "never",
    );
    assert.equal(service.arrived.length, before);
  });
});

const nextOf = (outcome: Awaited<ReturnType<PushGateway["send"]>>) => (outcome.sent ? "sent" : outcome.next);
