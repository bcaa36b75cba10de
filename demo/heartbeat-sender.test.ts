/** Heartbeats go on whatever the site does, and stop when told. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type TestContext, test } from "node:test";
import { startHeartbeat } from "./heartbeat-sender.ts";

async function startSite(
  context: TestContext,
  answer: (request: IncomingMessage, body: string) => number | "hang" | "reset",
) {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const status = answer(request, body);
    if (status === "reset") request.socket.destroy();
    else if (status !== "hang") response.writeHead(status).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address);
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${address.port}` };
}

test("a site that refuses, breaks or is away is tried again", async (context) => {
  const answers: (number | "reset")[] = [401, "reset", 500, 204];
  const site = await startSite(context, () => answers.shift() ?? 204);
  const statuses: (number | null)[] = [];
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  const heartbeat = startHeartbeat({
    url: site.url,
    token: "t",
    everyMs: 20,
    report: () => ({ players: 0, maxPlayers: 0, version: "" }),
    onSent(status) {
      if (statuses.push(status) === 4) resolve();
    },
  });
  context.after(() => heartbeat.stop());
  await enough;
  assert.deepEqual(statuses.slice(0, 4), [401, null, 500, 204]);
  await heartbeat.stop();
  const afterStop = statuses.length;
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.equal(statuses.length, afterStop);
});

test("a site that hangs gets one report at a time, and stopping does not wait for it", async (context) => {
  let reports = 0;
  const site = await startSite(context, () => {
    reports++;
    return "hang";
  });
  const heartbeat = startHeartbeat({
    url: site.url,
    token: "t",
    everyMs: 10,
    report: () => ({ players: 0, maxPlayers: 0, version: "" }),
  });
  context.after(() => heartbeat.stop());
  await new Promise((resolve) => setTimeout(resolve, 150));
  assert.equal(reports, 1);
  await heartbeat.stop();
});
