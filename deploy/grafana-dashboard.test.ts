/** The dashboard and the alerts ask for what is really exported: names, labels and, where promtool is installed, grammar. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import type { Registry } from "prom-client";
import { parse } from "yaml";
import { createCollectorMetrics } from "#collector/metrics.ts";
import { createWebMetrics } from "#web/metrics.ts";

type Panel = { title: string; targets?: { expr: string }[]; gridPos: { x: number; y: number; w: number; h: number } };

const dashboard: { panels: Panel[] } = JSON.parse(
  readFileSync(path.join(import.meta.dirname, "grafana-dashboard.json"), "utf8"),
);
type Rule = {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string };
};

const RULES = path.join(import.meta.dirname, "prometheus-rules.yml");
const { groups }: { groups: { name: string; rules: Rule[] }[] } = parse(readFileSync(RULES, "utf8"), { strict: true });
const rules = groups.flatMap((group) => group.rules);
const panels = dashboard.panels.filter((panel) => panel.targets);
const alerts = rules.map(({ expr }) => expr);
const queries = [...panels.flatMap((panel) => panel.targets?.map(({ expr }) => expr) ?? []), ...alerts];

/** What may be asked for: each metric's name, a histogram's three, with the labels that they carry. */
function exported(): Map<string, Set<string>> {
  const web = createWebMetrics();
  // Only the names are wanted here: nothing of these is asked for figures.
  web.watch({ hub: { subscribe: () => () => {} }, live: {}, database: { db: {} } } as never);
  const collector = createCollectorMetrics();
  collector.metrics.follow({ inFlight: () => 0, waiting: () => 0, delayedForMs: () => null });
  const names = new Map<string, Set<string>>();
  for (const registry of [web.registry, collector.registry] as Registry[]) {
    for (const metric of registry.getMetricsAsArray()) {
      const { name, labelNames = [] } = metric as unknown as { name: string; labelNames?: string[] };
      const histogram = "buckets" in metric;
      const labels = [...labelNames, "instance", "job", ...(histogram ? ["le"] : [])];
      for (const end of histogram ? ["_bucket", "_sum", "_count"] : [""]) names.set(name + end, new Set(labels));
    }
  }
  return names;
}

test("every query asks for a metric that is exported, by labels that it has", () => {
  // Prometheus adds `up` by itself.
  const known = exported().set("up", new Set(["instance", "job"]));
  assert.ok(queries.length > 40 && alerts.length >= 16, `${queries.length} queries, ${alerts.length} alerts`);
  for (const query of queries) {
    const names = query.match(/\b(?:(?:spawnpoint|nodejs|process)_\w+|up(?=\{))/g) ?? [];
    assert.ok(names.length > 0, query);
    for (const name of names) assert.ok(known.has(name), `${name} is exported by nobody: ${query}`);
    const by = [...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = ""]) =>
      list.split(",").map((one) => one.trim()),
    );
    const chosen = [...query.matchAll(/[{,](\w+)(?:=~?|!=|!~)"/g)].map(([, label = ""]) => label);
    for (const label of [...by, ...chosen]) {
      assert.ok(
        names.some((name) => known.get(name)?.has(label)),
        `no metric of it has the label ${label}: ${query}`,
      );
    }
  }
});

test("each alert has a name of its own, a patience, a severity and a sentence", () => {
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  for (const rule of rules) {
    const { alert, labels, annotations } = rule;
    assert.match(alert, /^Spawnpoint[A-Z][A-Za-z]+$/);
    assert.match(rule.for, /^\d+[mh]$/, alert);
    assert.ok(["critical", "warning"].includes(labels.severity), alert);
    assert.match(annotations.summary, /^[A-Z].*\.$/, alert);
    // A comparison, or a metric that is missing: without one it would fire for ever.
    assert.match(rule.expr, / (?:[<>]=?|==) [\d.]|^absent\(/, alert);
  }
});

test("every metric of ours is looked at by some query", () => {
  const ours = [...exported().keys()].filter((name) => name.startsWith("spawnpoint_"));
  const asked = queries.join("\n");
  const roots = new Set(ours.map((name) => name.replace(/_(?:bucket|sum|count)$/, "")));
  assert.deepEqual(
    [...roots].filter((name) => !asked.includes(name)),
    [],
  );
});

const noPromtool = spawnSync("promtool", ["--version"]).error
  ? "promtool is not installed here (apt-get install prometheus)"
  : false;
test("Prometheus itself finds their grammar right", { skip: noPromtool }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), "spawnpoint-rules-"));
  const file = path.join(folder, "rules.json");
  const recorded = queries.map((query, at) => ({
    record: `query_${at}`,
    expr: query.replaceAll("$__rate_interval", "5m"),
  }));
  writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules: recorded }] }));
  const { status, stdout, stderr } = spawnSync("promtool", ["check", "rules", file], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  assert.equal(status, 0, stdout + stderr);
  const whole = spawnSync("promtool", ["check", "rules", RULES], { encoding: "utf8" });
  assert.equal(whole.status, 0, whole.stdout + whole.stderr);
});
