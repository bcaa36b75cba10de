import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import pino from "pino";
import { createCollectorMetrics } from "#collector/metrics.ts";
import { startMetricsEndpoint } from "./metrics-endpoint.ts";

const lines: string[] = [];
const log = pino({ level: "info" }, { write: (line) => void lines.push(line) });

async function portOf(endpoint: { port(): number | null }): Promise<number> {
  for (;;) {
    const port = endpoint.port();
    if (port !== null) return port;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test("only GET /metrics is answered, and to no browser's page", async () => {
  const { registry, metrics } = createCollectorMetrics();
  metrics.asked("a2s", { ok: false, latencyMs: null, failure: "timeout" });
  const endpoint = startMetricsEndpoint({ host: "127.0.0.1", port: 0 }, registry, log);
  const url = `http://127.0.0.1:${await portOf(endpoint)}`;
  for (const path of ["/", "/metrics/", "/metrics/../", "/livez", "/admin"]) {
    assert.equal((await fetch(url + path)).status, 404, path);
  }
  assert.equal((await fetch(`${url}/metrics`, { method: "POST", body: "x" })).status, 404);
  assert.equal((await fetch(`${url}/metrics`, { headers: { "Sec-Fetch-Site": "cross-site" } })).status, 403);
  const answer = await fetch(`${url}/metrics`);
  assert.match(answer.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
  const text = await answer.text();
  assert.match(text, /^spawnpoint_polls_total\{adapter="a2s",outcome="timeout"\} 1$/m);
  assert.match(text, /^nodejs_eventloop_lag_p99_seconds /m);
  assert.match(text, /^process_resident_memory_bytes /m);
  endpoint.stop();
  await assert.rejects(fetch(`${url}/metrics`));
});

test("a port that is taken is said once and keeps nobody from going on", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const address = other.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const endpoint = startMetricsEndpoint({ host: "127.0.0.1", port }, createCollectorMetrics().registry, log);
  while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.match(lines.join(""), /METRICS_HOST 127\.0\.0\.1, port \d+: no figures are given there/);
  assert.equal(endpoint.port(), null);
  endpoint.stop();
  other.close();
});

test("who takes another's place waits for its port without a word", async (t) => {
  const before = startMetricsEndpoint({ host: "127.0.0.1", port: 0 }, createCollectorMetrics().registry, log);
  const port = await portOf(before);
  lines.length = 0;
  const next = startMetricsEndpoint({ host: "127.0.0.1", port }, createCollectorMetrics().registry, log, true);
  t.after(() => {
    before.stop();
    next.stop();
  });
  await pause(1_200);
  assert.deepEqual([next.port(), lines], [null, []]);
  before.stop();
  assert.equal(await portOf(next), port);
  assert.deepEqual(lines, []);
});
