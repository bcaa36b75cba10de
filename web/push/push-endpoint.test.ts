/** Which push services a browser may register with: the name must lead somewhere, and the DNS is asked before anything is stored. */
import assert from "node:assert/strict";
import { createECDH } from "node:crypto";
import { test } from "node:test";
import { serve } from "@hono/node-server";
import { pino } from "pino";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { startDns } from "#tests/helpers/network/dns-server.ts";
import { askerOfAddress } from "../request/fair-queue.ts";
import { createRateLimits } from "../request/rate-limits.ts";
import { createShares } from "../request/shares.ts";
import { pushEndpoint } from "./push-endpoint.ts";

test("a made-up host below an allowed domain isn't stored, nor is one that leads into a private network", async (context) => {
  const database = await createTestDatabase();
  context.after(() => database.drop());
  const dns = await startDns(context, {
    "A real.push.test": { data: ["93.184.215.14"] },
    "AAAA real.push.test": "no_data",
    "A inside.push.test": { data: ["10.0.0.1"] },
    "AAAA inside.push.test": "no_data",
    "A silent.push.test": "fail",
    "AAAA silent.push.test": "fail",
  });
  const { db, sql } = database;
  const siteUrl = "http://127.0.0.1";
  const log = pino({ level: "silent" });
  const parts = {
    db,
    secret: "a secret of thirty-two characters",
    siteUrl,
    limits: createRateLimits(db),
    shares: createShares(),
    log,
  };
  const app = pushEndpoint(
    parts,
    { read: () => ({ settings: { site_name: "Test" } }) },
    {
      members: { find: async () => null, askerOf: () => askerOfAddress("192.0.2.1") },
      trustProxy: 0,
      hosts: ["*.push.test", "vouched.example"],
      dns: [dns.server],
    },
  );
  const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const made = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, () => resolve(made));
  });
  context.after(() => server.close());
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;

  const keys = {
    p256dh: createECDH("prime256v1").generateKeys().toString("base64url"),
    auth: "AAAAAAAAAAAAAAAAAAAAAA",
  };
  const subscriptionAt = (host: string) => ({ endpoint: `https://${host}/x`, keys });
  const post = async (name: string, body: object): Promise<[status: number, error: unknown]> => {
    const answer = await fetch(`${base}/push/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return [answer.status, ((await answer.json()) as { error?: unknown }).error];
  };
  const follow = (host: string) =>
    post("follow", { subscription: subscriptionAt(host), locale: "en", follow: { kind: "news" } });
  const hosts = async () => (await sql`select from notification_targets`).length;

  for (const [host, expected] of [
    ["made-up.push.test", [400, "not_allowed"]],
    ["inside.push.test", [400, "not_allowed"]],
    ["silent.push.test", [503, "away"]],
    ["made-up.example", [400, "not_allowed"]],
  ] as const)
    assert.deepEqual(await follow(host), expected, host);
  assert.equal(await hosts(), 0);
  assert.deepEqual(await follow("real.push.test"), [200, undefined]);
  assert.deepEqual(await follow("vouched.example"), [200, undefined], "the operator has named it");
  assert.ok(!dns.asked.some((question) => question.includes("vouched")));
  assert.equal(await hosts(), 2);

  const { endpoint } = subscriptionAt("real.push.test");
  const old = { endpoint, auth: keys.auth };
  const renewed = await post("renew", { old, subscription: subscriptionAt("other.push.test") });
  assert.deepEqual(renewed, [400, "not_allowed"], "a renewed subscription is checked as well");
});
