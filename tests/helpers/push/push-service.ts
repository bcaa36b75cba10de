/**
 * A push service on loopback, and browsers that are subscribed to it. It takes a message only as RFC 8030, 8188, 8291 and 8292
 * say, checked by node:crypto alone, which did not make it (`open-message.ts`).
 */
import assert from "node:assert/strict";
import { createECDH, createPublicKey, type ECDH, randomBytes, verify } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { makeSelfSigned } from "#demo/protocols/self-signed.ts";
import type { SentSubscription } from "#shared/push.ts";
import { openMessage } from "./open-message.ts";

/** The host that it stands for. */
export const PUSH_HOST = "fcm.googleapis.com";

/** A message that arrived: `notification` is what it says, `at` when it was here in steady ms. */
export type ArrivedPush = {
  to: string;
  at: number;
  ttlS: number;
  urgency: string | undefined;
  topic: string | undefined;
  subject: string;
  key: string;
  said: { web_push: number; notification: Record<string, string> };
};

/** What it does with a message that it understood, by default `201`. */
type PushReaction = (response: ServerResponse, request: IncomingMessage) => void;

export type PretendPushService = Awaited<ReturnType<typeof startPushService>>;

/** Starts one. `settings` make a site send to it, and to nothing else. */
export async function startPushService() {
  const tls = makeSelfSigned(PUSH_HOST);
  const folder = await mkdtemp(path.join(tmpdir(), "push-service-"));
  const certificateFile = path.join(folder, "push.pem");
  await writeFile(certificateFile, tls.cert);
  const browsers = new Map<string, { ecdh: ECDH; auth: Buffer }>();
  const arrived: ArrivedPush[] = [];
  const refused: string[] = [];
  const service = { connections: 0, react: null as PushReaction | null };

  const server = createServer(tls, (request, response) => {
    take(request).then(
      (push) => {
        arrived.push(push);
        if (service.react) service.react(response, request);
        else response.writeHead(201, { Location: `https://${PUSH_HOST}/message/1` }).end();
      },
      (error: unknown) => {
        refused.push(String(error));
        response.writeHead(400).end(String(error));
      },
    );
  });
  server.on("connection", () => (service.connections += 1));
  server.on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;

  async function take(request: IncomingMessage): Promise<ArrivedPush> {
    const at = performance.now();
    const body = Buffer.concat(await Array.fromAsync(request));
    const { headers, url = "", method } = request;
    assert.equal(method, "POST");
    assert.equal(headers.host, PUSH_HOST);
    assert.equal(headers["content-encoding"], "aes128gcm");
    assert.ok(body.length <= 4_096, "a body that push services take");
    const browser = browsers.get(url);
    assert.ok(browser, `nobody is subscribed as ${url}`);
    const { subject, key } = checkVapid(String(headers.authorization));
    const text = openMessage(body, browser).toString();
    const ttlS = Number(headers.ttl);
    assert.ok(Number.isInteger(ttlS) && ttlS >= 0, "a TTL");
    const topic = headers.topic === undefined ? undefined : String(headers.topic);
    assert.match(topic ?? "A", /^[\w-]{1,32}$/);
    const urgency = headers.urgency === undefined ? undefined : String(headers.urgency);
    return { to: `https://${PUSH_HOST}${url}`, at, ttlS, urgency, topic, subject, key, said: JSON.parse(text) };
  }

  return Object.assign(service, {
    port,
    certificate: tls.cert,
    arrived,
    refused,
    settings: { SPAWNPOINT_PUSH_PORT: String(port), SPAWNPOINT_PUSH_CERTIFICATE: certificateFile },
    /** A browser that subscribes; `name` stands in its endpoint. */
    subscribe(name = randomBytes(9).toString("base64url")): SentSubscription {
      const ecdh = createECDH("prime256v1");
      const p256dh = ecdh.generateKeys().toString("base64url");
      const auth = randomBytes(16);
      browsers.set(`/fcm/send/${name}`, { ecdh, auth });
      return {
        endpoint: `https://${PUSH_HOST}/fcm/send/${name}`,
        keys: { p256dh, auth: auth.toString("base64url") },
      };
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true, force: true });
    },
  });
}

/** RFC 8292: a token signed with the key that is beside it, for this push service, good for a day at most, with an address. */
function checkVapid(authorization: string): { subject: string; key: string } {
  const [, head = "", claims = "", signature = "", key = ""] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  assert.equal(read(head).alg, "ES256");
  const point = Buffer.from(key, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" }, format: "jwk" });
  const signed = Buffer.from(`${head}.${claims}`);
  const right = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
  assert.ok(verify("sha256", signed, right, Buffer.from(signature, "base64url")), "signed by the key beside it");
  const { aud, exp, sub } = read(claims);
  assert.equal(aud, `https://${PUSH_HOST}`);
  assert.ok(exp > Date.now() / 1000 && exp <= Date.now() / 1000 + 86_400, "good from now for a day at most");
  assert.match(sub, /^(?:https:\/\/|mailto:.+@)/);
  return { subject: sub, key };
}
