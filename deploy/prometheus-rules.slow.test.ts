/** The alerts of a site that is down: by promtool on made-up series, and by a real Prometheus that scrapes, loses and finds the site. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { patience } from "#tests/faults/figure.ts";
import { killGroup, makePlace, startRealSite } from "#tests/faults/real-site.ts";
import { findFreePort } from "#tests/helpers/network/free-port.ts";

const RULES = path.join(import.meta.dirname, "prometheus-rules.yml");
const skip = spawnSync("promtool", ["--version"]).error
  ? "promtool is not installed here (apt-get install prometheus)"
  : false;

const COLLECTOR = 'up{job="spawnpoint", instance="127.0.0.1:9464"}';
const WEB = 'up{job="spawnpoint", instance="127.0.0.1:9465"}';

/** Minutes of each series, in promtool's notation, and which alerts fire at minute 10. */
const CASES: [what: string, series: Record<string, string>, firing: Record<string, string[]>][] = [
  ["a site that runs", { [COLLECTOR]: "1x20", [WEB]: "1x20" }, {}],
  ["a restart", { [COLLECTOR]: "1x20", [WEB]: "1x9 0 1x9" }, {}],
  ["a process that is gone", { [COLLECTOR]: "1x20", [WEB]: "1x7 0x12" }, { SpawnpointProcessDown: ["127.0.0.1:9465"] }],
  [
    "a site that is gone",
    { [COLLECTOR]: "1x7 0x12", [WEB]: "1x7 0x12" },
    { SpawnpointProcessDown: ["127.0.0.1:9464", "127.0.0.1:9465"] },
  ],
  ["a job without targets", { 'up{job="node"}': "1x20" }, { SpawnpointNotScraped: [""] }],
  [
    "a Prometheus that lost its targets",
    { [COLLECTOR]: "1x2 stale", [WEB]: "1x2 stale" },
    { SpawnpointNotScraped: [""] },
  ],
];

test("promtool: each way in which a site is gone raises its alert, and only that", { skip }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), "spawnpoint-alerts-"));
  const summaryOf = (alert: string, instance: string) =>
    (new RegExp(`alert: ${alert}\\n[^]*?summary: (.*)\\n`).exec(readFileSync(RULES, "utf8"))?.[1] ?? "").replace(
      "{{ $labels.instance }}",
      instance,
    );
  const tests = CASES.map(([name, series, firing]) => ({
    name,
    interval: "1m",
    input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
    alert_rule_test: ["SpawnpointProcessDown", "SpawnpointNotScraped"].map((alertname) => ({
      eval_time: "10m",
      alertname,
      exp_alerts: (firing[alertname] ?? []).map((instance) => ({
        exp_labels: { severity: "critical", job: "spawnpoint", ...(instance && { instance }) },
        exp_annotations: { summary: summaryOf(alertname, instance) },
      })),
    })),
  }));
  const file = path.join(folder, "tests.json");
  writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: "1m", tests }));
  const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  assert.equal(status, 0, stdout + stderr);
});

/** Two ports in a row, for the collector and the one web process. */
async function findFreePair(): Promise<number> {
  for (;;) {
    const port = await findFreePort();
    const next = spawnSync("ss", ["-Htln", `sport = :${port + 1}`], { encoding: "utf8" });
    if (port < 65_000 && (next.stdout ?? "") === "") return port;
  }
}

type Alert = { labels: Record<string, string>; state: string };

test("a real Prometheus: the site is scraped, lost and found", { skip }, async (t) => {
  const place = await makePlace();
  const folder = mkdtempSync(path.join(tmpdir(), "spawnpoint-prometheus-"));
  const [first, own] = [await findFreePair(), await findFreePort()];
  const start = () =>
    startRealSite(place, {
      command: [process.execPath, "cli/spawnpoint.ts", "start"],
      env: { METRICS_PORT: String(first), WEB_WORKERS: "1", ONE_PROCESS: "0" },
    });
  let site = start();
  let prometheus: ChildProcess | undefined;
  t.after(async () => {
    killGroup(site.process.pid ?? 0, "SIGTERM");
    await site.ended;
    if (prometheus && prometheus.exitCode === null) {
      const ended = once(prometheus, "exit");
      prometheus.kill("SIGTERM");
      await ended;
    }
    rmSync(folder, { recursive: true });
    await place.remove();
  });
  await site.untilReady(patience(60_000));

  // The shipped rules, only faster.
  writeFileSync(path.join(folder, "rules.yml"), readFileSync(RULES, "utf8").replaceAll(/for: \d+[mh]$/gm, "for: 1s"));
  const targets = [`127.0.0.1:${first}`, `127.0.0.1:${first + 1}`];
  const settings = {
    global: { scrape_interval: "500ms", scrape_timeout: "500ms", evaluation_interval: "500ms" },
    rule_files: ["rules.yml"],
    scrape_configs: [{ job_name: "spawnpoint", static_configs: [{ targets }] }],
  };
  writeFileSync(path.join(folder, "prometheus.yml"), JSON.stringify(settings));
  const options = [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${own}`,
  ];
  prometheus = spawn("prometheus", options, { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  prometheus.stderr?.on("data", (part) => {
    said += part;
  });

  const ask = async <T>(question: string): Promise<T | null> => {
    const answer = await fetch(`http://127.0.0.1:${own}/api/v1/${question}`).catch(() => null);
    return answer?.ok ? ((await answer.json()) as { data: T }).data : null;
  };
  const until = async (what: string, holds: () => Promise<boolean>) => {
    const began = performance.now();
    while (!(await holds())) {
      assert.ok(
        performance.now() - began < patience(60_000),
        `${what}; the site:\n${site.output()}\nPrometheus:\n${said}`,
      );
      await pause(100);
    }
  };
  const countUp = async (value: 0 | 1) => {
    const query = encodeURIComponent(`up{job="spawnpoint"} == ${value}`);
    return (await ask<{ result: unknown[] }>(`query?query=${query}`))?.result.length;
  };
  const listDown = async () => {
    const { alerts } = (await ask<{ alerts: Alert[] }>("alerts")) ?? { alerts: [] };
    return alerts
      .filter(({ labels, state }) => labels.alertname === "SpawnpointProcessDown" && state === "firing")
      .map(({ labels }) => labels.instance)
      .sort();
  };

  await until("both processes are scraped", async () => (await countUp(1)) === 2);
  assert.deepEqual(await listDown(), []);
  const known = await ask<{ result: unknown[] }>("query?query=spawnpoint_database_up");
  assert.ok((known?.result.length ?? 0) > 0, "the site's own figures are read");

  killGroup(site.process.pid ?? 0);
  await site.ended;
  await until("the alert fires for both", async () => (await listDown()).join() === targets.join());

  site = start();
  await until("the site is found again, and the alert ends", async () => {
    return (await countUp(1)) === 2 && (await listDown()).length === 0;
  });
});
