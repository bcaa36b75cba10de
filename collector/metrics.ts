/** Collects this collector's metrics for Prometheus. Loaded only if metrics are on. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { COLLECTOR_JOBS } from "#jobs/collector-schedule.ts";
import { measureJobs } from "#jobs/job-metrics.ts";
import type { JobMetrics } from "#jobs/start-jobs.ts";
import type { Claimed } from "./claim.ts";
import type { Outcome } from "./judge.ts";

/** Events that a collector reports for metrics. */
export type CollectorMetrics = {
  /** A look for due game servers ended: successfully, or because the database was unavailable. */
  looked(well: boolean): void;
  /** A game server was claimed, this many ms after its turn. */
  claimed(lateMs: number): void;
  /** A query was answered, or failed. */
  asked(adapter: Claimed["adapter"], outcome: Outcome): void;
  /** A result was written, dropped because its claim had expired, or refused by the database. */
  settled(how: "written" | "dropped" | "refused"): void;
  jobs: JobMetrics;
  /** Sets the sources of values that can be read at any time. */
  follow(loop: { inFlight(): number; waiting(): number; delayedForMs(): number | null }): void;
};

const ANSWER_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const LATE_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Creates a collector's registry, including Node's own metrics (event loop, memory, garbage collection). */
export function createCollectorMetrics(): { registry: Registry; metrics: CollectorMetrics } {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const looks = new Counter({
    name: "spawnpoint_collector_rounds_total",
    help: "Looks for due game servers by how they ended: ok, or failed because the database was away.",
    labelNames: ["outcome"],
    registers,
  });
  const polls = new Counter({
    name: "spawnpoint_polls_total",
    help: "Questions to game servers by adapter and outcome: answered, or the failure's name.",
    labelNames: ["adapter", "outcome"],
    registers,
  });
  const answers = new Histogram({
    name: "spawnpoint_poll_answer_seconds",
    help: "What answers of game servers took.",
    labelNames: ["adapter"],
    buckets: ANSWER_SECONDS,
    registers,
  });
  const lag = new Histogram({
    name: "spawnpoint_collector_lag_seconds",
    help: "How long after its turn a game server was claimed.",
    buckets: LATE_SECONDS,
    registers,
  });
  const results = new Counter({
    name: "spawnpoint_collector_results_total",
    help: "Results by what became of them: written, dropped because the claim had lapsed, or refused by the database.",
    labelNames: ["outcome"],
    registers,
  });
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  // A rate needs a start: what has not happened yet is 0, not absent.
  for (const outcome of ["ok", "failed"]) looks.labels(outcome).inc(0);
  for (const outcome of ["written", "dropped", "refused"]) results.labels(outcome).inc(0);
  const metrics: CollectorMetrics = {
    looked: (well) => looks.labels(well ? "ok" : "failed").inc(),
    claimed: (lateMs) => lag.observe(lateMs / 1000),
    asked(adapter, outcome) {
      polls.labels(adapter, outcome.ok ? "answered" : outcome.failure).inc();
      if (outcome.ok && outcome.latencyMs !== null) answers.labels(adapter).observe(outcome.latencyMs / 1000);
    },
    settled: (how) => results.labels(how).inc(),
    jobs: measureJobs(registry, Object.keys(COLLECTOR_JOBS)),
    follow(loop) {
      gauge("spawnpoint_collector_in_flight", "Game servers that are being asked now.", loop.inFlight);
      gauge("spawnpoint_collector_results_waiting", "Results that wait to be written.", loop.waiting);
      gauge(
        "spawnpoint_collector_delayed_seconds",
        "For how long results have been held back because the fault is ours; 0: they are not.",
        () => (loop.delayedForMs() ?? 0) / 1000,
      );
    },
  };
  return { registry, metrics };
}
